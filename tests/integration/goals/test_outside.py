"""Notices of goals between core and front end: asked for, settled once, and pushed to other devices."""

import asyncio
from dataclasses import dataclass, field

import pytest

from jarvis_desktop.app.goal_outside import ANSWER_S, GoalOutside
from jarvis_desktop.app.goal_push import GoalPush
from jarvis_desktop.core.items.events import ActivityNoted, Event
from jarvis_desktop.core.items.goal_notices import GoalNews, GoalNotice, NoticeFate, SettleNotice
from jarvis_desktop.core.items.goals import GoalId, GoalItem
from jarvis_desktop.core.items.ids import MAIN_AGENT, SessionId
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts

NEWS = (GoalNews(GoalId("g1"), MAIN_AGENT, "tell me", (GoalItem("n1", "One is new."),)),)
STANDS = (GoalNews(GoalId("g1"), MAIN_AGENT, "tell me", NEWS[0].items, SessionId("s")),)


@dataclass
class Devices:
    """Fills ``Push``: some addresses take messages."""

    take: frozenset[str] = frozenset()
    got: list[tuple[str, str, str]] = field(default_factory=list)

    async def push(self, addresses: list[str], title: str, text: str) -> int:
        self.got += [(one, title, text) for one in addresses]
        return len(self.take & set(addresses))


class Front:
    """A front end that does the same with every notice."""

    def __init__(self, fate: NoticeFate | None, *taking: str, addresses: str = "", windowed: bool = True):
        self.fate, self.clock, self.events = fate, FakeClock(), list[Event]()
        self.devices = Devices(frozenset(taking))
        push = GoalPush(self.devices, lambda: addresses, self.clock, PlainTexts(), self.emit)
        self.outside = GoalOutside(self.emit, self.clock, push.tell, windowed=windowed)

    async def emit(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, GoalNotice) and self.fate is not None:
            for _ in range(2):  # the second one is nobody's any more
                self.outside.settle(SettleNotice(event.notice_id, self.fate))


@pytest.mark.promise("G-048", "G-050")
@pytest.mark.parametrize(
    ("fate", "told"), [(NoticeFate.SHOWN, True), (NoticeFate.SEEN, True), (NoticeFate.LOST, False)]
)
async def test_people_are_told_when_it_was_shown_or_is_looked_at(fate: NoticeFate, *, told: bool) -> None:
    front = Front(fate)
    assert await front.outside.tell(NEWS) is told
    (notice,) = front.events
    assert isinstance(notice, GoalNotice)
    assert notice.news == NEWS
    front.outside.settle(SettleNotice(notice.notice_id, NoticeFate.SHOWN))  # late: it changes nothing


async def test_a_front_end_that_says_nothing_shows_nothing() -> None:
    front = Front(None)
    telling = asyncio.ensure_future(front.outside.tell(NEWS))
    await front.clock.advance(ANSWER_S - 1)
    assert not telling.done()
    await front.clock.advance(1)
    assert await telling is False


async def test_on_a_terminal_a_conversation_is_seen_and_nothing_else_is() -> None:
    front = Front(None, windowed=False)
    assert await front.outside.tell(STANDS)
    assert not await front.outside.tell(NEWS)
    assert front.events == []


@pytest.mark.promise("G-046", "G-048")
@pytest.mark.goal_bug("lost", "When one notification URL")
async def test_other_devices_settle_what_the_desktop_lost_and_one_of_them_is_enough() -> None:
    front = Front(NoticeFate.LOST, "json://b", addresses="json://a  json://b")
    assert await front.outside.tell(NEWS)
    assert front.devices.got == [(one, "💭 tell me", "One is new.") for one in ("json://a", "json://b")], (
        "each of them once"
    )
    note = front.events[-1]
    assert isinstance(note, ActivityNoted)
    assert note.text == "💭 1 of 2 addresses did not take a message. See notify.push_to."


async def test_nobody_is_pushed_what_is_being_looked_at() -> None:
    front = Front(NoticeFate.SEEN, "json://a", addresses="json://a")
    assert await front.outside.tell(STANDS)
    assert front.devices.got == []


async def test_refused_by_the_desktop_and_every_device_it_is_told_to_nobody() -> None:
    front = Front(NoticeFate.LOST, addresses="json://a")
    assert not await front.outside.tell(NEWS)
