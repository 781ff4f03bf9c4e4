"""Tools without a world behind them."""

import asyncio
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow, Shown
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.tool import Preview, Tool, ToolArguments, ToolOutput


class LookArguments(ToolArguments):
    """What to look at."""

    path: str = Field(min_length=1)
    count: int = 1


class LookTool(Tool[LookArguments]):
    """Reads, needs no approval, remembers what it was asked."""

    name: ClassVar[str] = "look"
    description: ClassVar[str] = "Look at something."
    arguments: ClassVar[type[ToolArguments]] = LookArguments
    read_only: ClassVar[bool] = True

    def __init__(self, output: str | ToolOutput = "seen") -> None:
        self.output = output if isinstance(output, ToolOutput) else ToolOutput(output)
        self.ran: list[LookArguments] = []

    async def run(self, arguments: LookArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        assert isinstance(allow, Allow)
        self.ran.append(arguments)
        return self.output


class CommandArguments(ToolArguments):
    """What to run."""

    command: str


class FakeBash(Tool[CommandArguments]):
    """Stands for ``bash``: asks, and remembers the commands that really ran."""

    name: ClassVar[str] = "bash"
    description: ClassVar[str] = "Run a command."
    arguments: ClassVar[type[ToolArguments]] = CommandArguments

    def __init__(self, output: str = "ran") -> None:
        self.output = output
        self.ran: list[str] = []
        self.hold: asyncio.Event | None = None
        """Waited for before a command ends."""

    async def preview(self, arguments: CommandArguments, cwd: Path) -> Preview:
        return Preview(Shown.COMMAND, arguments.command)

    async def run(self, arguments: CommandArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        assert isinstance(allow, Allow)
        if self.hold is not None:
            await self.hold.wait()
        self.ran.append(arguments.command)
        return ToolOutput(self.output)


class FakeWrite(Tool[CommandArguments]):
    """Stands for ``write_file``: shows the file's present version, which tests change behind its back."""

    name: ClassVar[str] = "write_file"
    description: ClassVar[str] = "Write the file."
    arguments: ClassVar[type[ToolArguments]] = CommandArguments

    def __init__(self) -> None:
        self.version = "v1"
        self.impossible = ""
        self.written: list[str] = []

    async def preview(self, arguments: CommandArguments, cwd: Path) -> Preview:
        return Preview(Shown.DIFF, f"{self.version} → {arguments.command}", self.version, self.impossible)

    async def run(self, arguments: CommandArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        self.written.append(f"{allow.snapshot} → {arguments.command}")
        return ToolOutput("written")


class BrokenTool(LookTool):
    """Has a bug."""

    name: ClassVar[str] = "broken"

    async def run(self, arguments: LookArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        raise KeyError("no such shelf")


def failing(text: str) -> LookTool:
    """A tool whose work fails in an expected way."""
    return LookTool(ToolOutput(text, ResultStatus.ERROR))


def final(text: str) -> LookTool:
    """A tool whose text is the answer."""
    return LookTool(ToolOutput(text, final=True))
