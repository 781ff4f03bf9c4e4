"""The idle clock: a timer that tells the core what time it is and how long nobody did anything."""

from collections.abc import Callable
from datetime import datetime
from time import monotonic

from PySide6.QtCore import QObject, QTimer

from jarvis_desktop.core.items.commands import Command, Tick
from jarvis_desktop.core.items.schedule import Typing

TICK_MS = 30_000
TYPING_EVERY_S = 3.0
LONGEST_STEP_S = 2 * TICK_MS / 1000
"""More than this between two ticks was no idleness of a person."""


class IdleTimer(QObject):
    """Posts ``Tick`` every 30 s, with the wall clock of that moment: a gap means that the machine slept."""

    def __init__(
        self,
        send: Callable[[Command], None],
        now: Callable[[], datetime],
        monotonic_s: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__()
        self._send = send
        self._now = now
        self._monotonic_s = monotonic_s
        self._last_s = monotonic_s()
        self._idle_s = 0.0
        self._said_s: float | None = None
        """When it was last said that a person types."""
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.tick)
        self.timer.start(TICK_MS)

    def touched(self) -> None:
        """A person did something just now."""
        self._last_s, self._idle_s = self._monotonic_s(), 0.0

    def typed(self) -> None:
        """A person types: said at once and then every few seconds, so that what can wait does."""
        self.touched()
        if self._said_s is None or self._last_s - self._said_s >= TYPING_EVERY_S:
            self._said_s = self._last_s
            self._send(Typing())

    def tick(self) -> None:
        """Post the time."""
        now_s = self._monotonic_s()
        # Some systems count a sleep into this clock, too; nobody was idle meanwhile.
        self._idle_s += min(max(0.0, now_s - self._last_s), LONGEST_STEP_S)
        self._last_s = now_s
        self._send(Tick(self._now(), self._idle_s))
