"""Tool ``edit_file``: one exact text in a file replaced by another."""

import asyncio
import difflib
import re
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow, Shown
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Files, FileText
from jarvis_desktop.core.tool import SELDOM, Preview, Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.tool_text import CHANGED, absolute, clipped_line, named, trouble, unified_aside

MAX_FILE_BYTES = 20_000_000
MAX_COMPARED_LINES = 2000
"""When looking for the nearest line; 2,000 take 30 ms."""
MAX_LISTED = 10
NUMBERED = re.compile(r"\s*\d+\t")


class EditFileArguments(ToolArguments):
    """What to replace by what."""

    path: str = Field(min_length=1, description="File to change.")
    old_string: str = Field(
        min_length=1, description="Text to replace, exactly as in the file, without line numbers."
    )
    new_string: str = Field(description="Text to put in its place.")
    replace_all: bool = Field(False, description="Replace every occurrence.", json_schema_extra=SELDOM)


@dataclass(frozen=True, slots=True)
class Edited:
    """The new text of a file."""

    text: str
    count: int


class EditFile(Tool[EditFileArguments]):
    """Replaces an exact string (T-039)."""

    name = "edit_file"
    description = (
        "Replace text in a file. old_string must occur exactly once: add lines around it, or set replace_all."
    )
    arguments = EditFileArguments

    def __init__(self, files: Files) -> None:
        self._files = files

    async def preview(self, arguments: EditFileArguments, cwd: Path) -> Preview:
        """The change as a diff, or why there can be none."""
        path = absolute(arguments.path, cwd)
        result = await self._edited(path, arguments)
        if isinstance(result, str):
            asked = f"{arguments.path}\n\n- {arguments.old_string}\n+ {arguments.new_string}"
            return Preview(Shown.TEXT, f"{result}\n\n{asked}", impossible=result)
        before, after = result
        diff = await unified_aside(before.text, after.text, named(path, cwd))
        return Preview(Shown.DIFF, diff, before.digest)

    async def run(self, arguments: EditFileArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """Make the change, unless the file is no longer the one that was shown."""
        path = absolute(arguments.path, request.cwd)
        result = await self._edited(path, arguments, allow.snapshot)
        if isinstance(result, str):
            return ToolOutput(result, ResultStatus.ERROR)
        before, after = result
        try:
            await self._files.write_text(path, after.text, encoding=before.encoding)
        except (OSError, ValueError) as error:
            return ToolOutput(trouble(error, arguments.path), ResultStatus.ERROR)
        times = "" if after.count == 1 else f" in {after.count} places"
        return ToolOutput(f"Changed {named(path, request.cwd)}{times}.")

    async def _edited(
        self, path: Path, arguments: EditFileArguments, snapshot: str = ""
    ) -> tuple[FileText, Edited] | str:
        """File before and after, or what is in the way."""
        try:
            before = await self._files.read_text(path, MAX_FILE_BYTES)
        except (OSError, ValueError) as error:
            return trouble(error, arguments.path)
        if snapshot not in ("", before.digest):
            return CHANGED.format(path=arguments.path)
        after = await asyncio.to_thread(replaced, before, arguments)  # a long file takes a second
        return after if isinstance(after, str) else (before, after)


def lines_regex(text: str) -> re.Pattern[str]:
    """``text`` exactly, each newline in either style."""
    return re.compile("\r?\n".join(re.escape(line) for line in text.replace("\r\n", "\n").split("\n")))


def replaced(before: FileText, arguments: EditFileArguments) -> Edited | str:
    """The text after the edit, or why the edit cannot be made."""
    regex = lines_regex(arguments.old_string)
    starts = [match.start() for match in regex.finditer(before.text)]
    if not starts:
        hint = nearest(before, arguments)
        return f"old_string does not occur in {arguments.path}. Nothing was changed. {hint}"
    if len(starts) > 1 and not arguments.replace_all:
        lines = [str(before.text.count("\n", 0, start) + 1) for start in starts[:MAX_LISTED]]
        more = ", …" if len(starts) > MAX_LISTED else ""
        return (
            f"old_string occurs {len(starts)} times in {arguments.path}, in lines {', '.join(lines)}{more}. "
            "Nothing was changed. Add lines around it so that it fits one place only, or set replace_all."
        )
    new = arguments.new_string.replace("\r\n", "\n").replace("\n", before.newline)
    text = regex.sub(lambda _: new, before.text)
    if text == before.text:
        return f"old_string and new_string are the same, so {arguments.path} was not changed."
    return Edited(text, len(starts))


def nearest(before: FileText, arguments: EditFileArguments) -> str:
    """The place that was probably meant, so that the model can correct itself."""
    if NUMBERED.match(arguments.old_string):
        return "Leave out the line numbers that read_file puts in front."
    lines = [line.removesuffix("\r") for line in before.text.split("\n")]
    wanted = next((line for line in arguments.old_string.splitlines() if line.strip()), "")
    words = wanted.split()
    for number, line in enumerate(lines if words else (), 1):
        if line == wanted:
            return (
                f"Line {number} is its first line, but the next ones differ. Read from there with read_file."
            )
        if line.split() == words:
            return f"Line {number} differs only in spaces: {clipped_line(line, 300)!r}. Copy it exactly."
    close = difflib.get_close_matches(wanted, lines[:MAX_COMPARED_LINES], n=1, cutoff=0.5) if words else []
    if close:
        return f"The nearest is line {lines.index(close[0]) + 1}: {clipped_line(close[0], 300)!r}."
    return "Read the file with read_file and copy the text exactly."
