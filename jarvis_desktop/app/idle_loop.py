"""The idle loop: at each tick of the clock, work that is due begins."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
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
    beside: tuple[Callable[[], Awaitable[None]], ...] = ()
    """What else looks around at each tick; the scheduler waits for none of it."""


class IdleLoop:
    """Ticks come from the front end's timer, or from here where it has none."""

    def __init__(self, parts: IdleParts) -> None:
        self._parts = parts
        self._ticked_s = parts.clock.monotonic_s()
        self._looks = (parts.scheduler.tick, *parts.beside)
        self._looking: dict[int, asyncio.Task[None]] = {}
        """Looks that are not over, by their place: none is begun a second time meanwhile."""

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
        looking = self._looking.pop(0, None)
        if looking is not None:
            await asyncio.wait([looking])
        for other in self._looking.values():
            other.cancel()
        await asyncio.gather(*self._looking.values(), return_exceptions=True)
        await self._parts.scheduler.close()

    def _begin(self) -> None:
        if not self._parts.works:
            return
        for place, look in enumerate(self._looks):
            if place not in self._looking:
                self._looking[place] = asyncio.ensure_future(self._look(place, look))

    async def _look(self, place: int, look: Callable[[], Awaitable[None]]) -> None:
        try:
            await look()
        except Exception as error:  # rim: the loop. What broke once may go well at the next tick.
            log.error("a look at what is due broke", exc_info=error)
        finally:
            self._looking.pop(place, None)
