"""Tool ``glob``: files by the pattern of their path, newest first."""

from pathlib import Path

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Files, FoundFile, SearchTimeoutError
from jarvis_desktop.core.tool import Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.tool_text import absolute, fitting, named, split_pattern, trouble

MAX_FILES = 200


class GlobArguments(ToolArguments):
    """What to look for, and where."""

    pattern: str = Field(min_length=1, max_length=1000, description="For example **/*.md or src/*.{py,txt}.")
    path: str = Field(".", min_length=1, description="Folder to search; without it the working directory.")


class Glob(Tool[GlobArguments]):
    """Finds files by pattern, most recently modified first (T-041)."""

    name = "glob"
    description = (
        "Find files by name pattern, newest first. ** means any depth. "
        "Hidden ones only if the pattern names them."
    )
    arguments = GlobArguments
    read_only = True

    def __init__(self, files: Files) -> None:
        self._files = files

    async def run(self, arguments: GlobArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """One path per line, or what to try instead."""
        del allow
        root, pattern = split_pattern(arguments.pattern, absolute(arguments.path, request.cwd))
        where = named(root, request.cwd)
        try:
            found, notes = await self._search(root, pattern)
            if not found and "/" not in pattern and not notes:
                found, notes = await self._search(root, f"**/{pattern}")
                notes = [f"not in {where} itself, but below it", *notes] if found else notes
        except (OSError, ValueError) as error:
            return ToolOutput(trouble(error, where), ResultStatus.ERROR)
        lines = [named(one.path, request.cwd) for one in found[:MAX_FILES]]
        lines = lines[: fitting(lines)]
        if len(lines) < len(found):
            notes.append(f"the newest {len(lines)}, there are more; narrow the pattern")
        if not lines:
            notes.append(f"no file in {where} matches {pattern}")
        return ToolOutput("\n".join([*lines, *(f"[{note}]" for note in notes)]))

    async def _search(self, root: Path, pattern: str) -> tuple[tuple[FoundFile, ...], list[str]]:
        """Files, one more than shown if there are, and what to know about them."""
        try:
            return await self._files.glob(root, pattern, MAX_FILES + 1), []
        except SearchTimeoutError as error:
            found = tuple(one for one in error.found if isinstance(one, FoundFile))
            return found, ["the search took too long and is incomplete; search a smaller folder"]
