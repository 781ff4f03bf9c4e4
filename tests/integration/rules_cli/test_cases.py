"""Every labelled case goes through the real command in one process."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.integration.rules_cli.conftest import Cli
from tests.unit.policy3.support import rows

PERSON = "/home/u"
AT = ("--cwd", f"{PERSON}/proj", "--home", PERSON)


def answers(cli: Cli, command: str, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    end = cli("rules", command, "--json", *AT, given="".join(json.dumps(row) + "\n" for row in given))
    assert (end.returncode, end.stderr) == (0, "")
    return [json.loads(line) for line in end.stdout.splitlines()]


@pytest.mark.promise("T-177", "T-178", "T-181")
def test_every_labelled_command_gets_a_verdict_that_its_label_allows(cli: Cli) -> None:
    # A case with a setup needs a disk that has it; those are proved where the disk is the test's own.
    cases = [row for row in rows("shell_cases.jsonl") if not row["setup"]]
    for row in cases:
        row["command"] = row["command"].replace("@RULES@", "~/.jarvis/approvals/main.yaml")
    found = answers(cli, "test", cases)
    assert len(found) == len(cases)
    wrong = [
        (row["id"], row["command"], row["verdict"], got)
        for row, got in zip(cases, found, strict=True)
        if got["verdict"] not in (row["verdict"], *row["also_ok"])
    ]
    assert wrong == []
    for got in found:
        assert got["why"]
        assert bool(got["rules"]) == (got["verdict"] == "allow")
        assert got["source"].startswith("danger:") == (got["verdict"] == "block")


@pytest.mark.promise("T-083")
def test_every_labelled_proposal_is_the_one_that_is_named(cli: Cli) -> None:
    cases = rows("always_proposals.jsonl")
    found = answers(cli, "propose", cases)
    wrong = [
        (row["id"], row["command"], row["propose"], got)
        for row, got in zip(cases, found, strict=True)
        if got["propose"] not in (row["propose"], *row["also_ok"])
    ]
    assert wrong == []


def test_arbitrary_lines_are_answered_one_by_one_and_never_allowed(cli: Cli) -> None:
    lines = ["{", '{"command": 5}', "[" * 5000, '{"command": "a\\ud800b"}', "\x00", "ls\rrm", "$(", "'"]
    end = cli("rules", "test", given="\n".join(lines) + "\n")
    assert (end.returncode, end.stderr) == (0, "")
    found = [json.loads(line)["verdict"] for line in end.stdout.splitlines()]
    assert found == ["ask"] * len(lines)


@pytest.mark.promise("T-177")
def test_the_list_of_dangerous_commands_holds_for_any_tool_that_carries_a_command(cli: Cli) -> None:
    lines = ['{"tool": "remote_shell", "command": "sudo id"}', '{"tool": "remote_shell", "command": "id"}']
    end = cli("rules", "test", given="\n".join(lines))
    assert [json.loads(line)["verdict"] for line in end.stdout.splitlines()] == ["block", "ask"]


def test_rules_come_from_the_files_that_are_named_and_else_from_the_home(cli: Cli, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("rules:\n  - {tool: bash, pattern: git log}\n")
    cli.app_home.mkdir()
    (cli.app_home / "approvals.yaml").write_text("rules:\n  - {tool: bash, pattern: git status}\n")

    def kinds(*options: str) -> list[str]:
        end = cli("rules", "test", *options, given="git status\ngit log\n")
        return [json.loads(line)["verdict"] for line in end.stdout.splitlines()]

    assert kinds() == ["allow", "ask"]
    assert kinds("--rules", str(mine)) == ["ask", "allow"]
    end = cli("rules", "test", "--rules", "nowhere.yaml", given="ls\n")
    assert (end.returncode, end.stderr) == (1, "nowhere.yaml: No such file or directory.\n")


def test_the_list_of_dangerous_commands_is_the_one_in_the_settings(cli: Cli) -> None:
    cli.app_home.mkdir()
    (cli.app_home / "settings.yaml").write_text('security:\n  dangerous_commands: ["drop table"]\n')
    end = cli("rules", "test", given="sudo id\npsql -c 'DROP TABLE x'\n")
    assert [json.loads(line)["source"] for line in end.stdout.splitlines()] == [
        "no-rule",
        "danger:drop table",
    ]
