"""Tool ``write_file``: a whole file, new or in place of the old one."""

import errno
import shlex
from pathlib import Path

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow, Shown
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Files
from jarvis_desktop.core.tool import Preview, Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.tool_text import ABSENT, CHANGED, absolute, named, readable, trouble, unified_aside

MAX_FILE_BYTES = 20_000_000
FOLDER_MEANT = (
    "No folder was made, and no file. Call bash now: mkdir -p {quoted}. "
    "Only if an empty file was asked for: touch {quoted}."
)
"""Told only that nothing was written, Qwen2.5-Coder 1.5B answered in Korean that the folder was made."""


class WriteFileArguments(ToolArguments):
    """What to write, and where."""

    path: str = Field(min_length=1, description="File to write. Missing folders are made.")
    content: str = Field(description="The whole new content of the file.")


class WriteFile(Tool[WriteFileArguments]):
    """Writes a file; makes parent directories, overwrites (T-038)."""

    name = "write_file"
    description = (
        "Write a whole text file, never a folder, replacing what is there. To change a part of a file use "
        "edit_file."
    )
    arguments = WriteFileArguments

    def __init__(self, files: Files) -> None:
        self._files = files

    async def preview(self, arguments: WriteFileArguments, cwd: Path) -> Preview:
        """The change as a diff; the whole text where the old content is no text."""
        path = absolute(arguments.path, cwd)
        shown_as = named(path, cwd)
        snapshot = ""
        try:
            snapshot = await self._files.digest(path) or ABSENT
            if snapshot == ABSENT:
                if looks_like_a_folder(arguments):
                    reason = folder_meant(arguments.path)
                    return Preview(Shown.TEXT, reason, impossible=reason)
                diff = await unified_aside("", arguments.content, shown_as, created=True)
                return Preview(Shown.DIFF, diff or f"{shown_as}: a new, empty file", snapshot)
            old = await self._files.read_text(path, MAX_FILE_BYTES)
        except (OSError, ValueError) as error:
            if snapshot and is_beyond_comparing(error):
                text = (
                    f"{shown_as} is no text, or too large to compare. It would become:\n\n{arguments.content}"
                )
                return Preview(Shown.TEXT, text, snapshot)
            reason = trouble(error, arguments.path)
            return Preview(Shown.TEXT, f"{reason}\n\n{arguments.content}", impossible=reason)
        diff = await unified_aside(old.text, arguments.content, shown_as)
        return Preview(Shown.DIFF, diff or f"{shown_as}: the text stays ({old.encoding} → utf-8)", snapshot)

    async def run(self, arguments: WriteFileArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """Write, unless the file is no longer the one that was shown."""
        path = absolute(arguments.path, request.cwd)
        try:
            before = await self._files.digest(path) or ABSENT
            if allow.snapshot not in ("", before):
                return ToolOutput(CHANGED.format(path=arguments.path), ResultStatus.ERROR)
            if before == ABSENT and looks_like_a_folder(arguments):
                return ToolOutput(folder_meant(arguments.path), ResultStatus.ERROR)
            await self._files.write_text(path, arguments.content)
        except (OSError, ValueError) as error:
            return ToolOutput(trouble(error, arguments.path), ResultStatus.ERROR)
        lines = arguments.content.count("\n") + (arguments.content[-1:] not in ("", "\n"))
        verb = "Created" if before == ABSENT else "Replaced"
        return ToolOutput(f"{verb} {named(path, request.cwd)} ({lines} lines).")


def looks_like_a_folder(arguments: WriteFileArguments) -> bool:
    """Nothing in it and no ending: asked for a folder, small models wrote that and said it was made."""
    name = Path(arguments.path).name
    return not (arguments.content.strip() or name.startswith(".") or Path(name).suffix)


def folder_meant(path: str) -> str:
    """What the model reads instead, with the command for either wish."""
    return FOLDER_MEANT.format(quoted=shlex.quote(readable(path)))


def is_beyond_comparing(error: OSError | ValueError) -> bool:
    """The file is there, but it is not text or too large for a diff."""
    return isinstance(error, UnicodeError) or getattr(error, "errno", None) == errno.EFBIG
