"""A command that ALWAYS remembered, decided and run for real."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.adapters.bwrap_sandbox import BwrapSandbox
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Answer
from jarvis_desktop.core.tools.bash import Bash
from jarvis_desktop.core.turn.tool_registry import ToolRegistry
from jarvis_desktop.core.turn.tool_runner import ToolRunner
from tests.integration.decision.room import Room as Desk

LOOKS = "make look"
MAKEFILE = "look:\n\t@cat ../diary.txt; touch inside .vscode/outside\n"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """A project, and a person who answers; commands run in rooms."""
    desk = Desk(tmp_path)
    (desk.project / "Makefile").write_text(MAKEFILE)
    (desk.home / "diary.txt").write_text("dear diary\n")
    (desk.project / ".vscode").mkdir()
    sandbox = BwrapSandbox(desk.reading.place)
    desk.reading = replace(desk.reading, sandbox=sandbox)
    shell = BashShell({"PATH": "/usr/bin:/bin", "HOME": str(desk.home)}, sandbox)
    desk.runner = ToolRunner(
        ToolRegistry(lambda: (Bash(shell),)), desk.broker, desk.reading, desk.runner._reports
    )
    yield desk
    await sandbox.close()


async def test_after_always_the_same_command_runs_unasked_and_in_a_closed_room(desk: Desk) -> None:
    desk.answers = [Answer.ALWAYS]
    first = await desk.bash(LOOKS)
    assert (first.status, "dear diary" in first.text, len(desk.questions)) == (ResultStatus.OK, True, 1)
    outside = desk.project / ".vscode" / "outside"
    outside.unlink()
    again = (await desk.bash(LOOKS)).text
    assert ("dear diary" in again, len(desk.questions)) == (False, 1)
    assert "Read-only file system" in again
    assert "a remembered rule allowed this command, so it could write only in the working directory" in again
    assert ((desk.project / "inside").exists(), outside.exists()) == (True, False)


async def test_with_the_network_switched_off_a_covered_command_has_none_and_is_told_why(desk: Desk) -> None:
    (desk.project / "Makefile").write_text(
        "look:\n\t@cut -d: -f1 -s /proc/net/dev; getent hosts x.invalid || echo getaddrinfo; false\n"
    )
    desk.shared.write_text(f"rules:\n- {{tool: bash, pattern: {LOOKS}}}\n")
    desk.security.set(sandbox_network="off")
    said = (await desk.bash(LOOKS)).text
    assert (said.split()[0], desk.questions) == ("lo", [])
    assert "the setting security.sandbox_network is off" in said
    desk.security.set(sandbox_network="auto")
    assert len((await desk.bash(LOOKS)).text.split("getaddrinfo")[0].split()) > 1
