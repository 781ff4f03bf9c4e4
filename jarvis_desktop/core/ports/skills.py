"""The skills that there are."""

from pathlib import Path
from typing import Protocol

from jarvis_desktop.core.items.ids import WindowId
from jarvis_desktop.core.items.skills import SkillCall, SkillShow, SkillsListed


class SkillShelf(Protocol):
    """Skills as their files say. Never raises; what is wrong is told to people."""

    @property
    def folder(self) -> Path:
        """Where their files lie; it need not be there."""

    async def look(self) -> SkillShow:
        """All of them, with files that changed read again."""


class Skills(SkillShelf, Protocol):
    """The same, for what people type."""

    async def called(self, word: str, rest: str) -> SkillCall | None:
        """What ``/word rest`` comes to; None when no skill is meant, or a command is.

        word: folded.
        """

    def listed(self, window_id: WindowId | None = None) -> SkillsListed:
        """Which of them can be called, as last read; only for that window when it came later."""
