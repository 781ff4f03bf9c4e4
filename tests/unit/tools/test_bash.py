"""``bash``."""

import errno

import pytest
from pydantic import ValidationError

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Shown
from jarvis_desktop.core.ports import ShellEnd
from jarvis_desktop.core.tool import Preview, ToolOutput
from jarvis_desktop.core.tools.bash import Bash
from tests.fakes.shell import FakeShell, Ran
from tests.unit.tools.calling import CWD, call


def ended(code: int | None, output: str = "", *, timed_out: bool = False) -> ShellEnd:
    return ShellEnd(code, output, timed_out=timed_out, took_s=0.1)


@pytest.mark.promise("T-037")
async def test_a_command_runs_in_the_working_directory_for_thirty_seconds_at_most() -> None:
    shell = FakeShell(ended(0, "hello\n"))
    assert await call(Bash(shell), {"command": "echo hello"}) == ToolOutput("hello\n[exit code 0]")
    assert shell.ran == [Ran("echo hello", CWD, 30, 10_000)]


async def test_the_whole_command_is_shown() -> None:
    tool, command = Bash(FakeShell()), "a &&\n" + "b" * 5000
    assert await tool.preview(tool.parse({"command": command}), CWD) == Preview(Shown.COMMAND, command)


@pytest.mark.parametrize(
    ("end", "text"),
    [
        (ended(1, ""), "[no output]\n[exit code 1]"),
        (ended(137, "x"), "x\n[exit code 137, ended by signal 9]"),
        (ended(None, "x"), "x\n[ended from outside before it could finish]"),
        (
            ended(None, "x", timed_out=True),
            "x\n[not finished after 30 s, so it was ended with everything it had started; "
            "timeout_s allows up to 600]",
        ),
        (
            ended(127, "bash: line 1: foo: command not found"),
            "bash: line 1: foo: command not found\n[exit code 127]\n"
            "[that program is not installed or its name is misspelt; check with: command -v NAME]",
        ),
        (
            ended(1, "Error: cannot open display: "),
            "Error: cannot open display: \n[exit code 1]\n"
            "[commands have no access to the screen; the user can lend it to one command by ticking the box "
            "“use the desktop” when that command is asked about]",
        ),
    ],
)
async def test_a_command_that_failed_says_how_it_ended(end: ShellEnd, text: str) -> None:
    assert await call(Bash(FakeShell(end)), {"command": "x"}) == ToolOutput(text, ResultStatus.ERROR)


async def test_processes_that_were_ended_with_the_command_are_named() -> None:
    end = ShellEnd(0, "ok", timed_out=False, took_s=0.1, ended=("sleep", "sleep", "vim"), survivors=1)
    output = await call(Bash(FakeShell(end)), {"command": "x"})
    assert output == ToolOutput(
        "ok\n[exit code 0]\n[still running in the background, so ended with the command: sleep, vim]\n"
        "[1 of its processes could not be ended; tell the user]"
    )


async def test_colours_progress_and_control_characters_are_not_shown_to_the_model() -> None:
    end = ended(0, "\x1b[1;31mred\x1b[0m\x1b]0;title\x07\r\n 10%\r 99%\r100%\nb\x08bold\0\x07\n\x1b")
    output = await call(Bash(FakeShell(end)), {"command": "x"})
    assert output == ToolOutput("red\n100%\nbold\n[exit code 0]")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", str(CWD)),
            f"The working directory cannot be used. There is no {CWD}. "
            "Look with list_dir or glob for the right name.",
        ),
        (
            OSError(errno.E2BIG, "Argument list too long", "/bin/bash"),
            "The command was not started. The command is too long for the system. "
            "Write it to a script file first, or split it.",
        ),
        (
            ValueError("the command holds a NUL character"),
            "The command was not started. bash: the command holds a NUL character. "
            "Correct the argument and call again.",
        ),
    ],
)
async def test_a_command_that_could_not_start_says_why(error: Exception, text: str) -> None:
    assert await call(Bash(FakeShell(error)), {"command": "x"}) == ToolOutput(text, ResultStatus.ERROR)


@pytest.mark.parametrize(
    "raw", [{"command": ""}, {"command": "x", "timeout_s": 0}, {"command": "x", "timeout_s": 9999}]
)
def test_unfit_arguments_are_refused(raw: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Bash(FakeShell()).parse(raw)
