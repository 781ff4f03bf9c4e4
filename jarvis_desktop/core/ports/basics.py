"""What every part uses: time, texts and the way events leave."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Protocol, TypeAlias

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.speech import Language

Emit: TypeAlias = Callable[[Event], Awaitable[None]]
"""Stores what must not be lost, then tells everybody. Awaiting it means: it is on disk."""


class Clock(Protocol):
    """Time, handed in so that tests own it."""

    def now(self) -> datetime:
        """Wall clock, timezone-aware, local zone."""

    def monotonic_s(self) -> float:
        """Seconds that never jump back; for waiting and measuring."""

    async def sleep(self, seconds: float) -> None:
        """Wait; at once when ``seconds`` is not positive."""


class Texts(Protocol):
    """Texts in the app's language. The msgid is the English text itself."""

    @property
    def language(self) -> Language:
        """The language in force."""

    def __call__(self, msgid: str) -> str:
        """The text for ``msgid``; ``msgid`` itself where no translation exists."""

    def plural(self, one: str, many: str, count: int) -> str:
        """The form that fits ``count``."""
