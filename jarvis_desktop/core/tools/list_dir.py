"""Tool ``list_dir``: what is in a directory."""

from datetime import UTC, datetime

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Files, FoundFile
from jarvis_desktop.core.tool import Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.tool_text import absolute, fitting, named, trouble

MAX_ENTRIES = 200


class ListDirArguments(ToolArguments):
    """Which directory."""

    path: str = Field(".", min_length=1, description="Folder; without it the working directory.")


class ListDir(Tool[ListDirArguments]):
    """Lists a directory (T-043)."""

    name = "list_dir"
    description = "List a folder: name, size in bytes and time of the last change. Folders end with a slash."
    arguments = ListDirArguments
    read_only = True

    def __init__(self, files: Files) -> None:
        self._files = files

    async def run(self, arguments: ListDirArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """One line per entry, or why there is none."""
        del allow
        path = absolute(arguments.path, request.cwd)
        try:
            entries = await self._files.list_dir(path)
        except (OSError, ValueError) as error:
            return ToolOutput(trouble(error, arguments.path), ResultStatus.ERROR)
        if not entries:
            return ToolOutput(f"[{named(path, request.cwd)} is empty]")
        lines = [described(entry) for entry in entries[:MAX_ENTRIES]]
        lines = lines[: fitting(lines)]
        # The count in words: small models counted eight lines as thirteen.
        counted = "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
        head = f"[{counted} in {named(path, request.cwd)}]"
        if len(lines) < len(entries):
            lines.append(f"[{len(lines)} of {len(entries)} entries; use glob to narrow it down]")
        return ToolOutput("\n".join([head, *lines]))


def described(entry: FoundFile) -> str:
    """One entry as a line."""
    name = named(entry.path, entry.path.parent) + ("/" if entry.is_dir else "")
    size = "" if entry.is_dir else f"\t{entry.size_bytes}"
    changed = datetime.fromtimestamp(entry.modified_at, UTC).astimezone()
    return f"{name}{size}\t{changed:%Y-%m-%d %H:%M}{chr(9) + 'link' if entry.is_link else ''}"
