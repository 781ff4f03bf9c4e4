"""The page for people says what really works: every command on it is run."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jarvis_desktop.core.policy.danger import DEFAULT_ENTRIES
from tests.integration.rules_cli.conftest import ROOT, Cli

PAGE = (ROOT / "docs" / "asking-and-rules.md").read_text("utf-8")
RULES = "rules:\n  - {tool: bash, pattern: git status}\n  - {tool: bash, pattern: git log}\n"


def commands() -> Iterator[str]:
    for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        if not kind:
            yield from block.splitlines()


@pytest.fixture
def shell(cli: Cli, tmp_path: Path) -> dict[str, str]:
    """The environment of a terminal in which Jarvis is installed and has two rules."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "jarvis-desktop"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jarvis_desktop "$@"\n')
    program.chmod(0o755)
    (tmp_path / "Jarvis").mkdir()
    cli.app_home.mkdir()
    (cli.app_home / "approvals.yaml").write_text(RULES)
    return {
        **os.environ,
        "HOME": str(cli.home),
        "JARVIS_HOME": "",
        "PYTHONPATH": str(ROOT),
        "PATH": f"{program.parent}:{os.environ['PATH']}",
    }


def test_every_command_of_the_page_works_as_it_stands_there(shell: dict[str, str], cli: Cli) -> None:
    found = list(commands())
    assert len(found) >= 9
    assert all("jarvis-desktop " in command for command in found)
    for command in found:
        end = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            cwd=cli.home,
            env=shell,
        )
        assert (end.returncode, end.stderr) == (0, ""), command
        if "rules test" in command or "rules propose" in command:
            assert end.stdout.startswith(('{"verdict": ', '{"propose": ')), command
    assert (cli.app_home / "approvals.yaml").read_text().strip() == "rules:", "both rules were revoked"


def test_the_rule_file_on_the_page_is_a_rule_file(cli: Cli) -> None:
    (block,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    cli.app_home.mkdir()
    (cli.app_home / "approvals.yaml").write_text(block)
    end = cli("rules", "list")
    assert end.stdout.count("(approvals.yaml, line ") == 3
    assert "Does not count" not in end.stdout


def test_the_page_names_every_kind_of_command_that_is_refused() -> None:
    words = {
        "recursive-delete": "deleting a whole system",
        "recursive-permissions": "permissions",
        "privilege": "`sudo`",
        "download-to-interpreter": "straight from the network",
        "disk-write": "writing over a disk",
        "format": "file system",
        "power": "switching the computer",
        "fork-bomb": "over and over",
        "rule-files": "changing the approval rules",
    }
    assert set(words) == set(DEFAULT_ENTRIES)
    flat = " ".join(PAGE.split())
    assert [entry for entry, said in words.items() if said not in flat] == []
