"""Focus: the time in which a person wants nothing of ours to come by itself; it ends with the program."""

import asyncio
import logging
from datetime import datetime

from jarvis_desktop.core.items.slash import FocusChanged
from jarvis_desktop.core.ports import Clock, Emit

log = logging.getLogger(__name__)

LOOK_AGAIN_S = 60.0
"""The wall clock is looked at so often: a machine that slept wakes up later than it counted."""


class FocusCare:
    """Fills ``FocusMode``."""

    def __init__(self, clock: Clock, emit: Emit) -> None:
        self._clock, self._emit = clock, emit
        self._on = False
        self._until: datetime | None = None
        self._ending: asyncio.Task[None] | None = None

    @property
    def on(self) -> bool:
        """A person wants to be left alone."""
        return self._on

    @property
    def until(self) -> datetime | None:
        """When it ends by itself; None: when the person says so."""
        return self._until

    async def begin(self, until: datetime | None) -> None:
        """From now on, or with another end."""
        self._stop_waiting()
        self._on, self._until = True, until
        if until is not None:
            self._ending = asyncio.create_task(self._end_at(until))
        log.info("focus began", extra={"ends_by_itself": until is not None})
        await self._emit(FocusChanged(on=True, until=until))

    async def end(self) -> None:
        """Over."""
        self._stop_waiting()
        await self._over()

    async def close(self) -> None:
        """Nothing is waited for any more."""
        self._stop_waiting()

    async def _end_at(self, until: datetime) -> None:
        while (left_s := (until - self._clock.now()).total_seconds()) > 0:
            await self._clock.sleep(min(left_s, LOOK_AGAIN_S))
        self._ending = None
        await self._over()

    async def _over(self) -> None:
        if self._on:
            self._on, self._until = False, None
            log.info("focus ended")
            await self._emit(FocusChanged(on=False))

    def _stop_waiting(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
