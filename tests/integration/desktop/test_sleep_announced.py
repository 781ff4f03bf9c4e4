"""Announcements of a sleep, from a logind on a bus of the test's own."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from jeepney import HeaderFields, new_signal
from jeepney.io.blocking import open_dbus_connection

from jarvis_desktop.adapters.logind import sleep_changes
from tests.integration.desktop.waiting import comes_true
from tests.parts.fake_logind import MANAGER, FakeLogind


@pytest.fixture
def logind(private_bus: str) -> Iterator[FakeLogind]:
    with closing(FakeLogind(private_bus)) as made:
        yield made


async def in_time(holds: Callable[[], bool], what: str) -> None:
    await asyncio.to_thread(comes_true, holds, what)


@asynccontextmanager
async def following(bus: str) -> AsyncIterator[tuple[asyncio.Queue[bool], asyncio.Event]]:
    """What is announced, and the event that lets the follower ask for more."""
    heard: asyncio.Queue[bool] = asyncio.Queue()
    ready = asyncio.Event()

    async def follow() -> None:
        async for begins in sleep_changes(bus):
            ready.clear()
            heard.put_nowait(begins)
            await ready.wait()

    running = asyncio.create_task(follow())
    try:
        yield heard, ready
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_the_machine_waits_until_we_are_ready_and_only_then(
    private_bus: str, logind: FakeLogind
) -> None:
    async with following(private_bus) as (heard, ready):
        await in_time(lambda: logind.held() == 1, "a lock is held")
        assert logind.asked[0][0::3] == ("sleep", "delay")
        logind.announce(begins=True)
        assert await asyncio.wait_for(heard.get(), 10) is True
        assert logind.held() == 1
        ready.set()
        await in_time(lambda: logind.held() == 0, "the lock is given back")
        logind.announce(begins=False)
        assert await asyncio.wait_for(heard.get(), 10) is False
        ready.set()
        await in_time(lambda: logind.held() == 1, "the next sleep waits for us, too")
    await in_time(lambda: logind.held() == 0, "nothing is held after the end")


async def test_who_stops_following_while_the_lock_is_on_its_way_holds_nothing(
    private_bus: str, logind: FakeLogind
) -> None:
    for turns in range(0, 40, 2):
        async with following(private_bus):
            while not logind.asked:
                await asyncio.sleep(0)
            for _ in range(turns):  # into each of the few steps in which the answer is passed on
                await asyncio.sleep(0)
        await in_time(lambda: logind.held() == 0, "nothing is held after the end")
        logind.asked.clear()


async def test_only_logind_s_own_word_counts(private_bus: str, logind: FakeLogind) -> None:
    async with following(private_bus) as (heard, _):
        await in_time(lambda: logind.held() == 1, "a lock is held")
        with open_dbus_connection(private_bus) as liar:
            # Straight to everyone's own name: no rule of the bus keeps that back.
            for number in range(1, 10):
                told = new_signal(MANAGER, "PrepareForSleep", "b", (True,))
                told.header.fields[HeaderFields.destination] = f":1.{number}"
                liar.send(told)
        logind.announce(begins=False)
        assert await asyncio.wait_for(heard.get(), 10) is False
        assert heard.empty()


async def test_a_logind_that_is_started_again_is_followed(private_bus: str) -> None:
    first = FakeLogind(private_bus)
    async with following(private_bus) as (heard, _):
        await in_time(lambda: first.held() == 1, "a lock is held")
        first.close()
        with closing(FakeLogind(private_bus)) as second:
            await in_time(lambda: second.held() == 1, "a lock of the new one is held")
            second.announce(begins=True)
            assert await asyncio.wait_for(heard.get(), 10) is True


async def test_a_logind_that_comes_late_is_followed(private_bus: str) -> None:
    async with following(private_bus) as (heard, _):
        with closing(FakeLogind(private_bus)) as late:
            await in_time(lambda: late.held() == 1, "a lock is held")
            late.announce(begins=True)
            assert await asyncio.wait_for(heard.get(), 10) is True


async def test_without_a_system_bus_there_are_no_announcements() -> None:
    assert [begins async for begins in sleep_changes("unix:path=/nonexistent/bus")] == []


async def test_the_lock_is_not_inherited_by_programs_that_we_start(
    private_bus: str, logind: FakeLogind
) -> None:
    before = inheritable()
    async with following(private_bus):
        await in_time(lambda: logind.held() == 1, "a lock is held")
        await in_time(lambda: inheritable() <= before, "it stays with us")


def inheritable() -> set[int]:
    """Open files that a program which we start would have, too."""
    return {int(one.name) for one in Path("/proc/self/fd").iterdir() if _goes_on(int(one.name))}


def _goes_on(number: int) -> bool:
    try:
        return os.get_inheritable(number)
    except OSError:
        return False
