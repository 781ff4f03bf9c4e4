"""What a check of the doctor takes and returns."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import Settings


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined."""

    home: Path
    """Need not exist: the doctor changes nothing."""
    settings: Settings
    texts: Texts


@dataclass(frozen=True, slots=True)
class Finding:
    """One part and its state."""

    name: str
    """The same in every language; for scripts."""
    title: str
    """For people."""
    found: bool
    version: str = ""
    """Version, device or place; whatever tells one from another."""
    todo: str = ""
    """One sentence; empty when nothing is to be done."""

    @property
    def mark(self) -> str:
        """A sign that can be told apart without colour."""
        if self.todo:
            return "✗"
        return "✓" if self.found else "–"

    def as_json(self) -> dict[str, object]:
        """The finding for scripts."""
        return {
            "name": self.name,
            "title": self.title,
            "found": self.found,
            "version": self.version,
            "what_to_do": self.todo,
        }


Check: TypeAlias = Callable[[Patient], Awaitable[Sequence[Finding]]]
