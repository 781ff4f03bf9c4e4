"""Gets the parts ready for the machine's sleep, and brings them back afterwards."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Protocol

from jarvis_desktop.core.ports import Clock

log = logging.getLogger(__name__)

LOOK_S = 10.0
"""How often the two clocks are compared."""
SLEPT_S = 30.0
"""The wall clock ran ahead by more than this: nobody told us, but the machine slept."""
READY_WITHIN_S = 3.0
"""logind waits 5 s for all programs together."""


class Sleeper(Protocol):
    """A part that has something to do before or after a sleep."""

    async def fall_asleep(self) -> None:
        """Ready for the machine to stand still."""

    async def wake_up(self) -> None:
        """At work again."""


class SleepCare:
    """Runs beside the conversation. A request that the model is working on is left alone."""

    def __init__(
        self, changes: Callable[[], AsyncIterator[bool]], sleepers: Sequence[Sleeper], clock: Clock
    ) -> None:
        self._changes = changes
        self._sleepers = sleepers
        self._clock = clock
        self._announced = 0
        """Sleeps that were announced; their gap in time is no news."""

    async def run(self) -> None:
        """Follow the announcements, and the clocks where there are none."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._follow())
            group.create_task(self._compare_clocks())

    async def _follow(self) -> None:
        async for begins in self._changes():
            self._announced += 1
            if begins:
                log.info("the machine is about to sleep")
                await self._all([one.fall_asleep() for one in self._sleepers])
            else:
                log.info("the machine is awake again")
                await self._all([one.wake_up() for one in self._sleepers])

    async def _compare_clocks(self) -> None:
        clock = self._clock
        while True:
            wall, passed_s, announced = clock.now(), clock.monotonic_s(), self._announced
            await clock.sleep(LOOK_S)
            # The monotonic clock stands still with the machine, the one on the wall does not.
            ahead_s = (clock.now() - wall).total_seconds() - (clock.monotonic_s() - passed_s)
            if ahead_s > SLEPT_S and announced == self._announced:
                # A clock that was only set looks the same; then the devices are opened once for nothing.
                log.info("time has jumped", extra={"seconds": round(ahead_s)})
                await self._all([one.fall_asleep() for one in self._sleepers])
                await self._all([one.wake_up() for one in self._sleepers])

    async def _all(self, steps: Sequence[Coroutine[None, None, None]]) -> None:
        """Each part takes its step; one that fails or hangs does not keep the others."""
        tasks = [asyncio.ensure_future(step) for step in steps]
        done, late = await asyncio.wait(tasks, timeout=READY_WITHIN_S)
        for task in late:
            log.warning("a part was not ready for the sleep in time")
            task.cancel()
        for task in done:
            if task.exception() is not None:
                log.error("a part failed around a sleep", exc_info=task.exception())
