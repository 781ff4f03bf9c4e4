"""Tool ``bash``: one shell command."""

import re
from pathlib import Path

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow, Shown
from jarvis_desktop.core.items.errors import SandboxError
from jarvis_desktop.core.items.room import PERSONS_ROOM, Room, RoomKind
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.policy.git_guard import GIT_ENVIRONMENT
from jarvis_desktop.core.ports import Shell, ShellEnd
from jarvis_desktop.core.tool import SELDOM, Preview, Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.tool_text import plain, readable, trouble

MAX_OUTPUT_BYTES = 10_000
DEFAULT_TIMEOUT_S = 30
NOT_STARTED = "The command was not started"

HINTS = (
    (
        re.compile(r"command not found|: not found$", re.MULTILINE),
        "that program is not installed or its name is misspelt; check with: command -v NAME",
    ),
    (
        re.compile(r"cannot open display|could not connect to display|no DISPLAY", re.IGNORECASE),
        "commands have no access to the screen; the user can lend it to one command by ticking the box "
        "“use the desktop” when that command is asked about",
    ),
    (
        re.compile(r"a terminal is required|not a tty|no tty present|could not read Password", re.IGNORECASE),
        "commands get no keyboard input; use options that ask nothing",
    ),
)
CLOSED_HINTS = (
    (
        re.compile(r"Read-only file system|Device or resource busy", re.IGNORECASE),
        "a remembered rule allowed this command, so it could write only in the working directory and to "
        "temporary files, and not to files that start programs; tell the user, who can take the rule back "
        "(jarvis-desktop rules) to be asked instead",
    ),
    (
        re.compile(
            r"name resolution|could ?n.t resolve|could not resolve|network is unreachable|getaddrinfo",
            re.IGNORECASE,
        ),
        "a remembered rule allowed this command; such commands reach no service of this machine, and no "
        "network where they are known to need none or the setting security.sandbox_network is off",
    ),
)
"""What goes wrong only in the room of a command that nobody looked at."""


class BashArguments(ToolArguments):
    """What to run."""

    command: str = Field(min_length=1, description="The command, as typed into bash.")
    timeout_s: float = Field(
        DEFAULT_TIMEOUT_S,
        gt=0,
        le=600,
        description="Seconds after which it is ended.",
        json_schema_extra=SELDOM,
    )


class Bash(Tool[BashArguments]):
    """Runs a shell command, 30 s unless told otherwise (T-037)."""

    name = "bash"
    description = (
        "Run a bash command and get its output. Each call starts in the working directory, without keyboard "
        "input or screen; everything it started ends with it."
    )
    arguments = BashArguments

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    async def preview(self, arguments: BashArguments, cwd: Path) -> Preview:
        """The whole command."""
        del cwd
        return Preview(Shown.COMMAND, arguments.command)

    async def run(self, arguments: BashArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """What the command printed and how it ended."""
        command = allow.guarded or arguments.command
        env = GIT_ENVIRONMENT if allow.guarded else None
        try:
            end = await self._shell.run(
                command, request.cwd, arguments.timeout_s, MAX_OUTPUT_BYTES, env, allow.room
            )
        except OSError as error:
            where = "bash" if error.filename is None else readable(str(error.filename))
            what = (
                "The working directory cannot be used" if error.filename == str(request.cwd) else NOT_STARTED
            )
            return ToolOutput(f"{what}. {trouble(error, where)}", ResultStatus.ERROR)
        except ValueError as error:
            return ToolOutput(f"{NOT_STARTED}. {trouble(error, 'bash')}", ResultStatus.ERROR)
        except SandboxError as error:
            return ToolOutput(f"{NOT_STARTED}: {error}.", ResultStatus.ERROR)
        status = ResultStatus.OK if end.exit_code == 0 else ResultStatus.ERROR
        return ToolOutput(worded(end, arguments.timeout_s, allow.room), status)


def worded(end: ShellEnd, timeout_s: float, room: Room = PERSONS_ROOM) -> str:
    """The end of a command for the model: output first, then how it ended in brackets."""
    output = plain(end.output).rstrip("\n")
    notes = [ending(end, timeout_s)]
    if end.ended:
        names = ", ".join(dict.fromkeys(end.ended))
        notes.append(f"still running in the background, so ended with the command: {names}")
    if end.survivors:
        notes.append(f"{end.survivors} of its processes could not be ended; tell the user")
    if end.exit_code and end.offline:
        notes.append("it had no network: passt is not installed or does not work here")
    if end.exit_code:
        hints = (*HINTS, *CLOSED_HINTS) if room.kind is RoomKind.CLOSED else HINTS
        notes += [hint for regex, hint in hints if regex.search(output)]
    return "\n".join([output or "[no output]", *(f"[{note}]" for note in notes)])


def ending(end: ShellEnd, timeout_s: float) -> str:
    """How the command ended."""
    if end.timed_out:
        return (
            f"not finished after {timeout_s:g} s, so it was ended with everything it had started; "
            "timeout_s allows up to 600"
        )
    if end.exit_code is None:
        return "ended from outside before it could finish"
    if end.exit_code > 128:
        return f"exit code {end.exit_code}, ended by signal {end.exit_code - 128}"
    return f"exit code {end.exit_code}"
