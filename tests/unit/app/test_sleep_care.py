"""What happens around a sleep of the machine, announced or not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from jarvis_desktop.app.sleep_care import LOOK_S, READY_WITHIN_S, SLEPT_S, SleepCare
from tests.fakes.clock import FakeClock, settle


class TwoClocks(FakeClock):
    """A machine that can stand still: the clock on the wall goes on meanwhile."""

    stood_s = 0.0

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self.stood_s)


@dataclass
class Part:
    """Notes what it is told, in order."""

    steps: list[str] = field(default_factory=list)
    fails: bool = False

    async def fall_asleep(self) -> None:
        self.steps.append("asleep")
        if self.fails:
            raise OSError("a device")

    async def wake_up(self) -> None:
        self.steps.append("awake")


@dataclass
class Night:
    """A care that runs, its clock, and logind's voice."""

    clock: TwoClocks
    announce: "asyncio.Queue[bool | None]"

    async def passes(self, seconds: float) -> None:
        await self.clock.advance(seconds)


@asynccontextmanager
async def night(*parts: Part) -> AsyncIterator[Night]:
    clock, said = TwoClocks(), asyncio.Queue[bool | None]()

    async def changes() -> AsyncIterator[bool]:
        while (begins := await said.get()) is not None:
            yield begins

    running = asyncio.create_task(SleepCare(changes, parts, clock).run())
    try:
        await settle()
        yield Night(clock, said)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_an_announced_sleep_is_prepared_and_ended_once() -> None:
    part = Part()
    async with night(part) as it:
        it.announce.put_nowait(True)
        await settle()
        assert part.steps == ["asleep"]
        it.clock.stood_s = 3600
        it.announce.put_nowait(False)
        await settle()
        await it.passes(5 * LOOK_S)
        assert part.steps == ["asleep", "awake"]


async def test_a_sleep_that_nobody_announced_is_seen_by_the_clock_on_the_wall() -> None:
    part = Part()
    async with night(part) as it:
        it.announce.put_nowait(None)
        await it.passes(3 * LOOK_S)
        it.clock.stood_s = SLEPT_S + 1
        await it.passes(LOOK_S)
        assert part.steps == ["asleep", "awake"]
        await it.passes(3 * LOOK_S)
        assert part.steps == ["asleep", "awake"]


async def test_a_clock_that_is_set_a_little_or_back_is_no_sleep() -> None:
    part = Part()
    async with night(part) as it:
        for stood_s in (SLEPT_S - 1, -3600.0):
            it.clock.stood_s = stood_s
            await it.passes(LOOK_S)
        assert part.steps == []


async def test_a_busy_loop_is_no_sleep() -> None:
    part = Part()
    async with night(part) as it:
        await it.passes(10 * SLEPT_S)
        assert part.steps == []


async def test_a_part_that_fails_keeps_nobody_else_from_getting_ready() -> None:
    broken, whole = Part(fails=True), Part()
    async with night(broken, whole) as it:
        for begins in (True, False):
            it.announce.put_nowait(begins)
        await settle()
        assert broken.steps == whole.steps == ["asleep", "awake"]


def test_getting_ready_fits_into_the_time_that_logind_gives() -> None:
    assert READY_WITHIN_S < 5
