"""The idle loop: at each tick of the clock, work that is due begins."""

import asyncio
import logging
from dataclasses import dataclass

from jarvis_desktop.app.person_first import PersonFirst
from jarvis_desktop.core.items.commands import Tick
from jarvis_desktop.core.ports import Clock
from jarvis_desktop.core.scheduler.scheduler import Scheduler

log = logging.getLogger(__name__)

TICK_S = 30.0
SILENT_S = 50.0
"""No tick came from a front end for so long: it has no timer, as a terminal, and the loop ticks by itself."""


@dataclass(frozen=True, slots=True)
class IdleParts:
    """What the idle loop works with."""

    scheduler: Scheduler
    person: PersonFirst
    clock: Clock
    works: bool
    """This program does what is due; False beside another one, and for a single request."""


class IdleLoop:
    """Ticks come from the front end's timer, or from here where it has none."""

    def __init__(self, parts: IdleParts) -> None:
        self._parts = parts
        self._ticked_s = parts.clock.monotonic_s()
        self._looking: asyncio.Task[None] | None = None

    def ticked(self, tick: Tick) -> None:
        """The front end's timer: what is due begins in a task of its own; returns at once."""
        self._ticked_s = self._parts.clock.monotonic_s()
        self._parts.person.ticked(tick.idle_s)
        self._begin()

    async def run(self) -> None:
        """Runs that were cut off are told; then time passes, without end."""
        if not self._parts.works:
            return
        await self._parts.scheduler.recover()
        self._begin()
        clock = self._parts.clock
        while True:
            await clock.sleep(TICK_S)
            if clock.monotonic_s() - self._ticked_s > SILENT_S:
                self._begin()

    async def close(self) -> None:
        """What runs is stopped, and that is on disk."""
        if self._looking is not None:
            await asyncio.wait([self._looking])
        await self._parts.scheduler.close()

    def _begin(self) -> None:
        if self._parts.works and self._looking is None:
            self._looking = asyncio.create_task(self._parts.scheduler.tick())
            self._looking.add_done_callback(self._looked)

    def _looked(self, task: "asyncio.Task[None]") -> None:
        self._looking = None
        if not task.cancelled() and task.exception():
            log.error("the schedules could not be looked at", exc_info=task.exception())
