"""Notifications of the desktop: what arrives there, and whose answers count."""

import asyncio
import queue
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from typing import Any

import pytest
from jeepney import HeaderFields, new_signal
from jeepney.io.blocking import open_dbus_connection

from jarvis_desktop.adapters.notifications import WAITING, Notifications
from jarvis_desktop.core.items.notice import OPEN, Notice
from tests.integration.desktop.waiting import comes_true, needed
from tests.parts.fake_notifications import SERVICE, FakeNotifications
from tests.parts.screen import Screen

ASKS = Notice(
    "q1", "자비스 asks", "<b>Jarvis</b> & co. want to run a command", (("deny", "거부"),), urgent=True
)
NOTIFYD = "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd"


@dataclass
class Told:
    """Notifications that run, and what was pressed."""

    notices: Notifications = field(init=False)
    pressed: "asyncio.Queue[tuple[str, str]]" = field(default_factory=asyncio.Queue)


@asynccontextmanager
async def telling(bus: str) -> AsyncIterator[Told]:
    told = Told()
    told.notices = Notifications(lambda notice, key: told.pressed.put_nowait((notice.notice_id, key)), bus)
    running = asyncio.create_task(told.notices.run())
    try:
        yield told
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def next_of(arrived: "queue.Queue[Any]") -> Any:
    return await asyncio.to_thread(arrived.get, timeout=10)


async def test_a_notice_arrives_whole_and_its_markup_is_only_text(private_bus: str) -> None:
    with closing(FakeNotifications(private_bus)) as service:
        async with telling(private_bus) as told:
            told.notices.show(ASKS)
            app, replaces, icon, title, text, actions, hints, _ = await next_of(service.shown)
    assert (app, replaces, title) == ("Jarvis", 0, "자비스 asks")
    assert text == "&lt;b&gt;Jarvis&lt;/b&gt; &amp; co. want to run a command"
    assert icon.endswith("jarvis-48.png")
    assert actions == ["default", "Jarvis", "deny", "거부"]
    assert (hints["urgency"], hints["desktop-entry"]) == (("y", 2), ("s", "jarvis-desktop"))


async def test_a_desktop_without_markup_gets_the_text_as_it_is(private_bus: str) -> None:
    with closing(FakeNotifications(private_bus, ("body",))) as service:
        async with telling(private_bus) as told:
            told.notices.show(ASKS)
            assert (await next_of(service.shown))[4] == ASKS.text


async def test_a_newer_notice_of_the_same_name_takes_the_place_and_a_withdrawn_one_vanishes(
    private_bus: str,
) -> None:
    with closing(FakeNotifications(private_bus)) as service:
        async with telling(private_bus) as told:
            for _ in range(2):
                told.notices.show(ASKS)
            assert [(await next_of(service.shown))[1] for _ in range(2)] == [0, 1]
            told.notices.withdraw("never shown")
            told.notices.withdraw("q1")
            assert await next_of(service.closed) == 2


async def test_only_the_service_that_shows_a_notice_can_say_what_was_pressed(private_bus: str) -> None:
    with closing(FakeNotifications(private_bus)) as service:
        async with telling(private_bus) as told:
            told.notices.show(ASKS)
            await next_of(service.shown)
            with open_dbus_connection(private_bus) as liar:
                for number in range(1, 12):
                    told_to_us = new_signal(SERVICE, "ActionInvoked", "us", (1, "deny"))
                    told_to_us.header.fields[HeaderFields.destination] = f":1.{number}"
                    liar.send(told_to_us)
            service.press(7, "deny")  # of another program
            service.press(1, "allow")  # was not offered
            service.press(1, OPEN)
            assert await asyncio.wait_for(told.pressed.get(), 10) == ("q1", OPEN)
            assert told.pressed.empty()


async def test_a_service_that_comes_late_or_is_started_again_shows_what_comes_then(private_bus: str) -> None:
    async with telling(private_bus) as told:
        told.notices.show(Notice("lost", "nobody", "is there"))
        for name in ("late", "again"):
            with closing(FakeNotifications(private_bus)) as service:
                told.notices.show(Notice(name, name, ""))
                first = await next_of(service.shown)
                # The lost one may still have been on its way.
                title = first[3] if first[3] == name else (await next_of(service.shown))[3]
                assert title == name


async def test_without_a_bus_nothing_happens_and_notices_do_not_pile_up() -> None:
    async with telling("unix:path=/nonexistent/bus") as told:
        for number in range(3 * WAITING):
            told.notices.show(Notice(str(number), "title", "text"))
        assert len(told.notices._orders) == WAITING
        async with asyncio.timeout(20):
            while told.notices._orders:
                await asyncio.sleep(0.01)


@pytest.mark.real_screen
async def test_a_real_desktop_shows_the_notice_until_it_is_withdrawn(screen: Screen) -> None:
    needed(NOTIFYD)
    screen.start(NOTIFYD)

    def bubbles() -> list[str]:
        return screen.xdo("search", "--onlyvisible", "--class", "xfce4-notifyd").split()

    async with telling(screen.bus) as told:
        await asyncio.to_thread(comes_true, lambda: "Notifications" in names(screen), "the service is there")
        told.notices.show(ASKS)
        await asyncio.to_thread(comes_true, lambda: bool(bubbles()), "the notice is on the screen")
        told.notices.withdraw("q1")
        await asyncio.to_thread(comes_true, lambda: not bubbles(), "the withdrawn notice is gone")


def names(screen: Screen) -> str:
    return screen.run(
        "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
        "org.freedesktop.DBus.ListNames",
    )  # fmt: skip
