"""Tool ``read_file``: a range of lines of a text file, numbered."""

from pathlib import Path

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Files
from jarvis_desktop.core.tool import SELDOM, Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.tool_text import absolute, clipped_line, fitting, named, similar, trouble

MAX_FILE_BYTES = 20_000_000
MAX_LINE_CHARS = 1000


class ReadFileArguments(ToolArguments):
    """What to read."""

    path: str = Field(min_length=1, description="File to read.")
    start_line: int = Field(1, ge=1, description="First line, from 1.", json_schema_extra=SELDOM)
    max_lines: int = Field(200, ge=1, le=2000, description="How many lines.", json_schema_extra=SELDOM)


class ReadFile(Tool[ReadFileArguments]):
    """Reads a range of lines (T-040)."""

    name = "read_file"
    description = (
        "Read lines of a text file. Each line comes with its number; the last line says how to read on."
    )
    arguments = ReadFileArguments
    read_only = True

    def __init__(self, files: Files) -> None:
        self._files = files

    async def run(self, arguments: ReadFileArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """The lines, or why there are none."""
        del allow
        path = absolute(arguments.path, request.cwd)
        try:
            content = await self._files.read_text(path, MAX_FILE_BYTES)
        except FileNotFoundError as error:
            text = trouble(error, arguments.path) + await self._suggestion(path)
            return ToolOutput(text, ResultStatus.ERROR)
        except (OSError, ValueError) as error:
            return ToolOutput(trouble(error, arguments.path), ResultStatus.ERROR)
        return numbered(content.text, arguments, named(path, request.cwd))

    async def _suggestion(self, path: Path) -> str:
        try:
            siblings = await self._files.list_dir(path.parent)
        except (OSError, ValueError):
            return ""
        meant = similar(path.name, [one.path.name for one in siblings])
        return f' Did you mean "{meant}" in the same folder?' if meant else ""


def numbered(text: str, arguments: ReadFileArguments, path: str) -> ToolOutput:
    """The lines asked for with their numbers, as many as fit, and how to read on."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines:
        return ToolOutput(f"[{path} is empty]")
    first = arguments.start_line
    if first > len(lines):
        return ToolOutput(
            f"{path} has only {len(lines)} lines, so there is no line {first}. Read it with start_line "
            f"{max(1, len(lines) - arguments.max_lines + 1)} to see its end.",
            ResultStatus.ERROR,
        )
    wanted = lines[first - 1 : first - 1 + arguments.max_lines]
    shown = [
        f"{number}\t{clipped_line(line.removesuffix(chr(13)), MAX_LINE_CHARS)}"
        for number, line in enumerate(wanted, first)
    ]
    shown = shown[: fitting(shown)]
    last = first + len(shown) - 1
    if last < len(lines):
        shown.append(f"[lines {first}-{last} of {len(lines)}; read on with start_line={last + 1}]")
    return ToolOutput("\n".join(shown))
