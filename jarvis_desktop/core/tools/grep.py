"""Tool ``grep``: lines of files that match a regular expression."""

from pathlib import Path

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Files, FoundFile, SearchTimeoutError
from jarvis_desktop.core.tool import SELDOM, Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.tool_text import absolute, clipped_line, fitting, named, trouble

MAX_HITS = 100
MAX_LINE_CHARS = 300


class GrepArguments(ToolArguments):
    """What to look for, and where."""

    pattern: str = Field(min_length=1, max_length=2000, description="Regular expression (Python).")
    path: str = Field(".", min_length=1, description="File or folder; without it the working directory.")
    glob: str | None = Field(
        None,
        max_length=1000,
        description="Only files like this, for example *.py.",
        json_schema_extra=SELDOM,
    )


class Grep(Tool[GrepArguments]):
    """Searches by regular expression, skips binary files (T-042)."""

    name = "grep"
    description = "Search text files for a regular expression. Gives path:line number:line for each match."
    arguments = GrepArguments
    read_only = True

    def __init__(self, files: Files) -> None:
        self._files = files

    async def run(self, arguments: GrepArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """One match per line, or that there is none."""
        del allow
        root = absolute(arguments.path, request.cwd)
        notes: list[str] = []
        hits: list[tuple[Path, int, str]] = []
        try:
            hits += await self._files.grep(root, arguments.pattern, arguments.glob or None, MAX_HITS + 1)
        except SearchTimeoutError as error:
            hits += [one for one in error.found if not isinstance(one, FoundFile)]
            notes.append(
                "the search took too long and is incomplete; search a smaller folder or simplify the pattern"
            )
        except OSError as error:
            return ToolOutput(trouble(error, arguments.path), ResultStatus.ERROR)
        except ValueError as error:
            return ToolOutput(
                f"The pattern {arguments.pattern!r} cannot be used: {error}. Put a backslash before "
                "characters such as ( [ { + * ? . that are meant literally.",
                ResultStatus.ERROR,
            )
        lines = [
            f"{named(path, request.cwd)}:{number}:{clipped_line(line, MAX_LINE_CHARS)}"
            for path, number, line in hits[:MAX_HITS]
        ]
        lines = lines[: fitting(lines)]
        if len(lines) < len(hits):
            notes.append(f"the first {len(lines)} matches, there are more; narrow the pattern, path or glob")
        if not lines and not notes:
            notes.append(f"no match for {arguments.pattern} in {named(root, request.cwd)}")
        return ToolOutput("\n".join([*lines, *(f"[{note}]" for note in notes)]))
