"""The desk on a real database and a clock that the test moves: seconds to take it back, hours to look."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TypeVar

import pytest

from jarvis_desktop.app.memory_desk import LOOK_S, UNDO_S, MemoryDesk, MemoryDeskParts
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.memory import Recall
from jarvis_desktop.core.items.memory_desk import (
    ChangeEpisode,
    ChangePattern,
    EpisodeChanged,
    Erased,
    ForgetBegun,
    ForgetEpisode,
    ForgetEverything,
    ForgetPattern,
    ForgetUndone,
    LookAtMemory,
    MemoryCommand,
    MemoryLooked,
    MemoryWishRefused,
    PatternChanged,
    UndoForget,
)
from jarvis_desktop.core.settings import MemorySettings
from tests.fakes.texts import PlainTexts
from tests.parts.memory import Past, files_with, pattern

E = TypeVar("E", bound=Event)
SECRET = "뷁쀍꿹 xylomarzipan"


@dataclass
class Desk:
    """A desk, what it told, and what it did to the open conversations."""

    past: Past
    days: int = 0
    told: list[Event] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    quieted: int = 0
    forgotten: list[frozenset[TurnId] | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk = MemoryDesk(
            MemoryDeskParts(
                self.past.memory,
                lambda: MemorySettings(enabled=True, retention_days=self.days),
                lambda ids: {one: str(one) for one in ids},
                self.past.clock,
                PlainTexts(),
                self.emit,
            )
        )
        self.desk.attach(self)

    async def emit(self, event: Event) -> None:
        self.told.append(event)
        self.news.set()

    async def quiet(self) -> None:
        self.quieted += 1

    async def forget(self, turn_ids: frozenset[TurnId] | None) -> None:
        self.forgotten.append(turn_ids)

    async def until(self, kind: type[E]) -> E:
        """The newest event of a kind, once there is one."""
        async with asyncio.timeout(30):
            while True:
                found = [event for event in self.told if isinstance(event, kind)]
                if found:
                    return found[-1]
                self.news.clear()
                await self.news.wait()

    async def ask(self, command: MemoryCommand, kind: type[E]) -> E:
        self.told.clear()
        self.desk.obey(command)
        return await self.until(kind)


@pytest.fixture
async def desk(past: Past) -> AsyncIterator[Desk]:
    await past.turn(f"note {SECRET}")
    await past.turn("hello")
    desk = Desk(past)
    yield desk
    await desk.desk.close()


async def test_after_the_seconds_it_is_erased_and_windows_and_models_forget_it(desk: Desk) -> None:
    begun = await desk.ask(ForgetEpisode(1), ForgetBegun)
    assert begun.seconds == UNDO_S
    assert desk.forgotten == []
    await desk.past.clock.advance(UNDO_S)
    erased = await desk.until(Erased)
    assert erased == Erased((TurnId("turn-1"),), (ForgetEpisode(1),))
    assert desk.forgotten == [frozenset({TurnId("turn-1")})]
    assert files_with(desk.past.folder, SECRET) == []


async def test_until_then_it_can_be_taken_back_and_the_seconds_do_not_come_later(desk: Desk) -> None:
    await desk.ask(ForgetEpisode(1), ForgetBegun)
    await desk.ask(UndoForget(ForgetEpisode(1)), ForgetUndone)
    await desk.past.clock.advance(UNDO_S * 2)
    assert (await desk.ask(LookAtMemory(1, Recall()), MemoryLooked)).found.total == 2
    assert not [event for event in desk.told if isinstance(event, Erased)]


async def test_each_of_several_has_its_own_seconds(desk: Desk) -> None:
    await desk.ask(ForgetEpisode(1), ForgetBegun)
    await desk.past.clock.advance(UNDO_S - 1)
    await desk.ask(ForgetEpisode(2), ForgetBegun)
    desk.told.clear()
    await desk.past.clock.advance(1)
    assert (await desk.until(Erased)).wishes == (ForgetEpisode(1),)
    await desk.ask(UndoForget(ForgetEpisode(2)), ForgetUndone)
    assert (await desk.ask(LookAtMemory(1, Recall()), MemoryLooked)).found.total == 1


async def test_the_end_of_the_program_erases_what_was_let_go(desk: Desk) -> None:
    await desk.ask(ForgetEpisode(1), ForgetBegun)
    await desk.desk.close()
    assert files_with(desk.past.folder, SECRET) == []


async def test_everything_is_forgotten_when_no_turn_runs_any_more(desk: Desk) -> None:
    erased = await desk.ask(ForgetEverything(), Erased)
    assert (desk.quieted, desk.forgotten, erased.everything) == (1, [None], True)
    assert files_with(desk.past.folder, SECRET, "hello") == []


async def test_beside_another_program_nothing_of_it_is_erased(desk: Desk) -> None:
    await desk.ask(ForgetEpisode(1), ForgetBegun)
    other = Desk(desk.past)
    other.desk.attach(other, beside=True)
    await other.desk.run()
    await other.desk.close()
    await desk.ask(UndoForget(ForgetEpisode(1)), ForgetUndone)


async def test_every_few_hours_what_is_too_old_goes(desk: Desk) -> None:
    running = asyncio.create_task(desk.desk.run())
    await desk.past.turn("a week ago", days_ago=7)
    desk.days = 3
    # The first look has to be over before the clock moves.
    async with asyncio.timeout(30):
        while not desk.past.clock._sleepers:
            await asyncio.sleep(0.01)
    await desk.past.clock.advance(LOOK_S)
    assert (await desk.until(Erased)).turn_ids == (TurnId("turn-3"),)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_what_a_person_writes_is_kept_and_what_is_gone_is_said(desk: Desk) -> None:
    assert (
        str((await desk.ask(ChangeEpisode(2, "good day", "yes"), EpisodeChanged)).episode.request)
        == "good day"
    )
    made = (await desk.ask(ChangePattern(pattern("Greeting", "안녕", "hello")), PatternChanged)).pattern
    assert made.number
    await desk.ask(ForgetPattern(made.number), ForgetBegun)
    for wish in (ChangeEpisode(99, "", ""), ForgetEpisode(99), UndoForget(ForgetEpisode(99))):
        assert "forgotten meanwhile" in (await desk.ask(wish, MemoryWishRefused)).reason


async def test_a_disk_in_trouble_is_told_and_the_desk_goes_on(desk: Desk) -> None:
    with closing(sqlite3.connect(desk.past.folder / "jarvis.db", isolation_level=None)) as other:
        await desk.past.store.alone(lambda connection: connection.execute("PRAGMA busy_timeout = 10"))
        other.execute("BEGIN IMMEDIATE")
        assert "another program holds it" in (await desk.ask(ForgetEpisode(1), MemoryWishRefused)).reason
    await desk.ask(ForgetEpisode(1), ForgetBegun)
