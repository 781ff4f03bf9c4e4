"""A clock that the test moves."""

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from itertools import count

START = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


class FakeClock:
    """Fills ``Clock``. ``sleep`` waits until ``advance`` has passed its time."""

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._elapsed_s = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._elapsed_s)

    def monotonic_s(self) -> float:
        return self._elapsed_s

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        waker: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._elapsed_s + seconds, next(self._order), waker))
        await waker

    async def advance(self, seconds: float) -> None:
        """Move time; sleepers wake in order, and everything they start runs before this returns."""
        target = self._elapsed_s + seconds
        await settle()
        while self._sleepers and self._sleepers[0][0] <= target:
            due, _, waker = heapq.heappop(self._sleepers)
            self._elapsed_s = max(self._elapsed_s, due)
            if not waker.done():
                waker.set_result(None)
            await settle()
        self._elapsed_s = target
        await settle()


async def settle(rounds: int = 50) -> None:
    """Let every ready task run until all of them wait."""
    for _ in range(rounds):
        await asyncio.sleep(0)
