"""Memory where the program has it: behind the same loop as turns, and forgotten while it runs."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app import memory_desk
from jarvis_desktop.app.compose import run_core
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.core.items.commands import Command, Quit, SubmitTurn
from jarvis_desktop.core.items.events import ConversationOpened, Event, TurnEnded
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.memory import Recall
from jarvis_desktop.core.items.memory_desk import (
    ChangePattern,
    Erased,
    ForgetBegun,
    ForgetEpisode,
    ForgetEverything,
    ForgetUndone,
    LookAtMemory,
    MemoryLooked,
    MemoryWishRefused,
    PatternChanged,
    PatternsUsed,
    UndoForget,
)
from jarvis_desktop.core.items.setup import ChangeSetting, SettingsChanged
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from tests.parts.memory import files_with, pattern

E = TypeVar("E", bound=Event)
SETTINGS = "model: {backend: ollama, host: 'http://127.0.0.1:9'}\nagent: {working_directory: %s}\n"
SECRET = "뷁쀍꿹 xylomarzipan"
PARTS = ("뷁쀍", "쀍꿹", "xylomarzipan")


@dataclass
class Running:
    """The core, and what it says. No model answers, so every turn fails: that is a turn like any other."""

    home: Path
    inbox: "asyncio.Queue[Command]" = field(default_factory=asyncio.Queue)
    events: "asyncio.Queue[Event]" = field(default_factory=asyncio.Queue)
    seen: list[Event] = field(default_factory=list)

    async def ask(self, command: Command | None, kind: type[E]) -> E:
        """The next event of a kind, after ``command`` if there is one."""
        if command is not None:
            self.inbox.put_nowait(command)
        async with asyncio.timeout(30):
            while True:
                event = await self.events.get()
                self.seen.append(event)
                if isinstance(event, kind):
                    return event

    async def say(self, text: str) -> TurnEnded:
        return await self.ask(SubmitTurn(text, Origin.TYPED), TurnEnded)

    async def look(self, count: int, wanted: Recall | None = None) -> MemoryLooked:
        """What is remembered, once it is so many episodes."""
        async with asyncio.timeout(30):
            while True:
                looked = await self.ask(LookAtMemory(1, wanted or Recall(limit=20)), MemoryLooked)
                if looked.found.total == count:
                    return looked

    async def serve(self) -> None:
        settings, problems = load_settings(self.home)
        start = Start(self.home, settings, Catalog(Language.ENGLISH), problems, voice=False)
        surface = Surface(self.events.put_nowait, self.inbox.put_nowait)
        await run_core(self.inbox, start, SystemClock(), surface)


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Running]:
    home = tmp_path / ".jarvis"
    home.mkdir(mode=0o700)
    (home / "settings.yaml").write_text(SETTINGS % (tmp_path / "work"), "utf-8")
    running = Running(home)
    core = asyncio.create_task(running.serve())
    yield running
    running.inbox.put_nowait(Quit())
    async with asyncio.timeout(30):
        await core


async def test_a_turn_is_remembered_and_forgotten_out_of_the_conversation_and_every_file(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_desk, "UNDO_S", 0)
    await running.say("hello")
    ended = await running.say(f"note {SECRET}")
    episodes = (await running.look(2)).found.episodes
    assert [(str(one.request), one.outcome) for one in episodes] == [
        (f"note {SECRET}", TurnEnd.FAILED),
        ("hello", TurnEnd.FAILED),
    ]
    assert files_with(running.home, SECRET, *PARTS)
    await running.ask(ForgetEpisode(episodes[0].number), ForgetBegun)
    opened = await running.ask(None, ConversationOpened)
    assert "hello" in [line.text for line in opened.lines]
    assert not [line for line in opened.lines if SECRET in line.text]
    assert (await running.ask(None, Erased)).turn_ids == (ended.turn_id,)
    assert files_with(running.home, SECRET, *PARTS) == []


async def test_forgetting_is_taken_back_and_what_was_forgotten_cannot_be(running: Running) -> None:
    await running.say(f"note {SECRET}")
    (episode,) = (await running.look(1)).found.episodes
    wish = ForgetEpisode(episode.number)
    await running.ask(wish, ForgetBegun)
    await running.look(0)
    await running.ask(UndoForget(wish), ForgetUndone)
    await running.look(1)
    await running.ask(ForgetEverything(), Erased)
    assert "there" in (await running.ask(UndoForget(wish), MemoryWishRefused)).reason
    assert files_with(running.home, SECRET, *PARTS) == []


async def test_what_was_let_go_right_before_the_end_is_gone_after_it(tmp_path: Path) -> None:
    home = tmp_path / ".jarvis"
    home.mkdir(mode=0o700)
    (home / "settings.yaml").write_text(SETTINGS % (tmp_path / "work"), "utf-8")
    running = Running(home)
    core = asyncio.create_task(running.serve())
    await running.say(f"note {SECRET}")
    await running.look(1)
    await running.ask(ForgetEpisode(1), ForgetBegun)
    running.inbox.put_nowait(Quit())
    async with asyncio.timeout(30):
        await core
    assert files_with(home, SECRET, *PARTS) == []


async def test_a_pattern_stands_before_the_turn_it_fits_unless_memory_is_off(running: Running) -> None:
    made = await running.ask(ChangePattern(pattern("Weather", "날씨", "weather")), PatternChanged)
    await running.say("오늘 날씨 어때?")
    used = [event for event in running.seen if isinstance(event, PatternsUsed)]
    assert [one.name for event in used for one in event.patterns] == [made.pattern.name]
    await running.look(1)
    await running.ask(ChangeSetting("memory.enabled", False), SettingsChanged)
    await running.say("내일 날씨는?")
    looked = await running.look(1)
    assert (looked.enabled, looked.names) == (False, {MAIN_AGENT: looked.names[MAIN_AGENT]})
    assert len([event for event in running.seen if isinstance(event, PatternsUsed)]) == 1


async def test_a_shorter_time_forgets_at_once_what_is_older(running: Running) -> None:
    await running.say(f"note {SECRET}")
    await running.say("hello")
    await running.look(2)
    with closing(sqlite3.connect(running.home / "jarvis.db", timeout=20)) as connection, connection:
        connection.execute("UPDATE turns SET asked_at = '2020-01-01T00:00:00+00:00' WHERE number = 1")
    running.inbox.put_nowait(ChangeSetting("memory.retention_days", 365))
    await running.ask(None, Erased)
    looked = await running.look(1)
    assert ([str(one.request) for one in looked.found.episodes], looked.retention_days) == (["hello"], 365)
    assert files_with(running.home, SECRET, *PARTS) == []
