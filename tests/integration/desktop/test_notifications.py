"""Notifications of the desktop: what arrives there, and whose answers count."""

import asyncio
import queue
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from jeepney import HeaderFields, MatchRule, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from jarvis_desktop.adapters.notifications import WAITING, Notifications
from jarvis_desktop.core.items.notice import OPEN, Notice, NoticePress
from tests.integration.desktop.waiting import comes_true, needed
from tests.parts.fake_notifications import SERVICE, FakeNotifications
from tests.parts.screen import Screen

ASKS = Notice(
    "q1",
    "자비스 asks",
    "<b>Jarvis</b> & co. want to run a command",
    (("allow", "허용"), ("deny", "거부"), (OPEN, "열기")),
    instead="Answer <elsewhere>.",
    digest="of what is asked",
    lasts_s=90.0,
    urgent=True,
    fleeting=True,
)
NOTIFYD = "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd"


@dataclass
class Told:
    """Notifications that run, what was pressed, and what nobody showed."""

    notices: Notifications = field(init=False)
    pressed: "asyncio.Queue[NoticePress]" = field(default_factory=asyncio.Queue)
    lost: "asyncio.Queue[Notice]" = field(default_factory=asyncio.Queue)
    second_over: asyncio.Event = field(default_factory=asyncio.Event)
    """The time that a notice must have been there has passed."""

    async def sleep(self, _: float) -> None:
        await self.second_over.wait()

    async def next_press(self) -> tuple[str, str, bool]:
        press = await asyncio.wait_for(self.pressed.get(), 20)
        return press.notice.notice_id, press.key, press.seen


@asynccontextmanager
async def telling(bus: str) -> AsyncIterator[Told]:
    told = Told()
    told.notices = Notifications(told.pressed.put_nowait, told.lost.put_nowait, bus, told.sleep)
    running = asyncio.create_task(told.notices.run())
    try:
        yield told
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@contextmanager
def watching(bus: str) -> Iterator[Callable[[], None]]:
    """Waits until a press went over the bus, and so lies in the socket of everybody who is told."""
    with open_dbus_connection(bus) as watcher:
        rule = MatchRule(type="signal", member="ActionInvoked")
        watcher.send_and_get_reply(message_bus.AddMatch(rule))
        with watcher.filter(rule) as arrived:
            yield lambda: watcher.recv_until_filtered(arrived, timeout=20) and None


async def next_of(arrived: "queue.Queue[Any]") -> Any:
    return await asyncio.to_thread(arrived.get, timeout=10)


async def test_a_notice_arrives_whole_and_its_markup_is_only_text(private_bus: str) -> None:
    with closing(FakeNotifications(private_bus)) as service:
        async with telling(private_bus) as told:
            told.notices.show(ASKS)
            app, replaces, icon, title, text, actions, hints, lasts_ms = await next_of(service.shown)
    assert (app, replaces, title) == ("Jarvis", 0, "자비스 asks")
    assert text == "&lt;b&gt;Jarvis&lt;/b&gt; &amp; co. want to run a command"
    assert icon.endswith("jarvis-48.png")
    assert actions == ["allow", "허용", "deny", "거부", "default", "열기"]
    assert hints == {"urgency": ("y", 2), "desktop-entry": ("s", "jarvis-desktop"), "transient": ("b", True)}
    assert lasts_ms == 90_000


async def test_a_desktop_without_markup_gets_the_text_as_it_is(private_bus: str) -> None:
    with closing(FakeNotifications(private_bus, ("body", "actions"))) as service:
        async with telling(private_bus) as told:
            told.notices.show(ASKS)
            assert (await next_of(service.shown))[4] == ASKS.text


@pytest.mark.parametrize(
    ("able", "text"), [(("body",), "Answer <elsewhere>."), (("body-markup",), "Answer &lt;elsewhere&gt;.")]
)
async def test_a_desktop_without_buttons_gets_none_and_the_text_says_where_to_answer(
    private_bus: str, able: tuple[str, ...], text: str
) -> None:
    with closing(FakeNotifications(private_bus, able)) as service:
        async with telling(private_bus) as told:
            told.notices.show(ASKS)
            shown = await next_of(service.shown)
    assert (shown[4], shown[5]) == (text, [])


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
                    for kinds, body in (("us", (1, "allow")), ("s", ("allow",)), (None, ())):
                        told_to_us = new_signal(SERVICE, "ActionInvoked", kinds, body)
                        told_to_us.header.fields[HeaderFields.destination] = f":1.{number}"
                        liar.send(told_to_us)
            service.press(7, "allow")  # of another program
            service.press(1, "always")  # was not offered
            service.press(1, OPEN)
            assert await told.next_press() == ("q1", OPEN, False)
            assert told.pressed.empty()


async def test_a_press_counts_as_seen_from_a_second_after_the_notice_came(private_bus: str) -> None:
    with closing(FakeNotifications(private_bus)) as service:
        async with telling(private_bus) as told:
            told.notices.show(ASKS)
            await next_of(service.shown)
            service.press(1, "allow")
            assert await told.next_press() == ("q1", "allow", False)
            told.second_over.set()
            async with asyncio.timeout(20):
                seen = False
                while not seen:
                    service.press(1, "allow")
                    seen = (await told.next_press())[2]
            # The same question once more, in other words: nobody has read those yet.
            told.second_over.clear()
            told.notices.show(ASKS)
            await next_of(service.shown)
            service.press(2, "allow")
            assert await told.next_press() == ("q1", "allow", False)


async def test_a_press_that_waited_while_the_program_hung_does_not_count_as_seen(private_bus: str) -> None:
    with closing(FakeNotifications(private_bus)) as service, watching(private_bus) as went_over_the_bus:
        async with telling(private_bus) as told:
            told.notices.show(ASKS)
            await next_of(service.shown)
            # Here nothing is read from the bus until the next await.
            service.press(1, "allow")
            went_over_the_bus()
            told.second_over.set()
            assert await told.next_press() == ("q1", "allow", False)


async def test_a_press_on_its_way_while_its_notice_is_withdrawn_is_handed_on(private_bus: str) -> None:
    with closing(FakeNotifications(private_bus)) as service:
        async with telling(private_bus) as told:
            told.notices.show(ASKS)
            await next_of(service.shown)
            told.notices.withdraw("q1")
            await next_of(service.closed)
            service.press(1, "deny")
            assert await told.next_press() == ("q1", "deny", False)
            service.dismiss(1)
            service.press(1, "deny")
            # A number that the service uses once more belongs to the new notice alone.
            service.numbers = 0
            told.notices.show(replace(ASKS, notice_id="q2"))
            await next_of(service.shown)
            service.press(1, "deny")
            assert await told.next_press() == ("q2", "deny", False)
            assert told.pressed.empty()


async def test_another_service_that_takes_over_can_neither_press_nor_lose_a_notice(private_bus: str) -> None:
    async with telling(private_bus) as told:
        with closing(FakeNotifications(private_bus)) as first:
            told.notices.show(ASKS)
            await next_of(first.shown)
        with closing(FakeNotifications(private_bus)) as second:
            second.press(1, "allow")  # the same number, given to somebody else
            told.notices.withdraw("q1")
            told.notices.show(replace(ASKS, notice_id="q2"))
            await next_of(second.shown)
            second.press(1, "deny")
            assert await told.next_press() == ("q2", "deny", False)
            assert (told.pressed.empty(), second.closed.empty()) == (True, True)
            assert told.lost.empty()


async def test_at_the_end_no_notice_stays_that_asks_something(private_bus: str) -> None:
    with closing(FakeNotifications(private_bus)) as service:
        async with telling(private_bus) as told:
            told.notices.show(Notice("news", "It is there", "and stays"))
            told.notices.show(ASKS)
            for _ in range(2):
                await next_of(service.shown)
            service.press(2, OPEN)
            await told.next_press()
        assert await next_of(service.closed) == 2
        assert service.closed.empty()


async def test_a_service_that_comes_late_or_is_started_again_shows_what_comes_then(private_bus: str) -> None:
    async with telling(private_bus) as told:
        alone = Notice("lost", "nobody", "is there")
        told.notices.show(alone)
        assert await asyncio.wait_for(told.lost.get(), 20) == alone
        for name in ("late", "again"):
            with closing(FakeNotifications(private_bus)) as service:
                told.notices.show(Notice(name, name, ""))
                assert (await next_of(service.shown))[3] == name


async def test_a_service_that_answers_nonsense_has_shown_nothing_and_the_next_notice_is_tried(
    private_bus: str,
) -> None:
    with closing(FakeNotifications(private_bus, odd=True)) as service:
        async with telling(private_bus) as told:
            told.notices.show(ASKS)
            assert await asyncio.wait_for(told.lost.get(), 20) == ASKS
            service.odd = False
            told.notices.show(replace(ASKS, title="half a sign \ud83d and a \0 end"))
            titles = [(await next_of(service.shown))[3] for _ in range(2)]
            assert titles == [ASKS.title, "half a sign ? and a  end"]


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
