"""A real git whose repository names programs of its own, run the way a rule lets it run."""

import os
import subprocess
from pathlib import Path

import pytest

from jarvis_desktop.core.policy.git_guard import GIT_ENVIRONMENT, guarded_text
from jarvis_desktop.core.policy.plain_reading import read_plain


def shell(text: str, cwd: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", text],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, Path, dict[str, str]]:
    """A repository with a changed file, the mark that its programs would leave, and a clean environment."""
    mark, folder = tmp_path / "ran", tmp_path / "repo"
    folder.mkdir()
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0" >> {mark}\n')
    program.chmod(0o755)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
    setup = (
        "git init -q . && git config user.email a@b.c && git config user.name n && echo one > a.txt && "
        "echo '*.txt diff=mine' > .gitattributes && git add -A && git commit -q -m first && "
        "echo two > a.txt && "
        f"git config core.fsmonitor {program} && git config diff.external {program} && "
        f"git config diff.mine.textconv {program} && git config core.pager {program} && "
        f"git config core.editor {program}"
    )
    done = shell(setup, folder, environment)
    assert done.returncode == 0, done.stderr
    mark.unlink(missing_ok=True)
    return folder, mark, environment


COMMANDS = (
    "git status --short",
    "git diff",
    "git log -p",
    "git show HEAD",
    "git diff --stat && git log -1 -p | cat",
    "git blame a.txt",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_program_of_the_repository_runs(
    repository: tuple[Path, Path, dict[str, str]], command: str
) -> None:
    folder, mark, environment = repository
    commands = read_plain(command, str(folder))
    assert commands is not None
    done = shell(guarded_text(command, commands), folder, {**environment, **GIT_ENVIRONMENT})
    assert done.returncode == 0, done.stderr
    assert not mark.exists(), mark.read_text()


@pytest.mark.parametrize("command", ["git status --short", "git diff", "git blame a.txt"])
def test_without_the_guard_a_program_would_run(
    repository: tuple[Path, Path, dict[str, str]], command: str
) -> None:
    folder, mark, environment = repository
    shell(command, folder, environment)
    assert mark.exists()


def test_only_git_commands_that_show_changes_are_touched() -> None:
    text = "git status && git diff -- 'a b' | head -5; echo git diff"
    commands = read_plain(text, "/home/u")
    assert commands is not None
    assert guarded_text(text, commands) == (
        "git status && git diff --no-ext-diff --no-textconv -- 'a b' | head -5; echo git diff"
    )
