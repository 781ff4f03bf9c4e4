"""Code that people added, as it runs in processes of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from jarvis_desktop.core.items.calls import Json


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """What came of one call into an extension."""

    text: str
    """The result, or in English what went wrong and where."""
    ok: bool = True
    wrong_arguments: bool = False
    """The function did not run: what it was given does not fit its hints."""


class ToolWorker(Protocol):
    """Runs the functions of one extension."""

    async def call(self, function: str, arguments: Mapping[str, Json], cwd: Path) -> CallAnswer:
        """What came of it, whatever happened; cancelling it ends the process that runs it."""
