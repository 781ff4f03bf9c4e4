"""Goals where the program has them: given by a command, turned beside the conversation, told into it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.goal_files import GoalFiles
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.sqlite_goals import SqliteGoals
from jarvis_desktop.adapters.sqlite_store import open_store
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.compose import run_core
from jarvis_desktop.app.options import DATABASE_NAME, Start, Surface
from jarvis_desktop.core.items.commands import Attach, Command, Quit, SubmitTurn, Tick
from jarvis_desktop.core.items.events import ConversationOpened, Event
from jarvis_desktop.core.items.goals import GoalAdvanced, GoalItem, GoalOutcome, GoalSpoke, GoalState
from jarvis_desktop.core.items.ids import WindowId
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, Role
from tests.integration.goals.house import GOAL

E = TypeVar("E", bound=Event)
SETTINGS = "model: {backend: ollama, host: '%s'}\nagent: {working_directory: %s}\n"


class JumpingClock(SystemClock):
    """The machine's clock, set ahead by the test; it begins at 8:00, before the hours of a goal."""

    def __init__(self) -> None:
        now = super().now()
        self.shift = now.replace(hour=8, minute=0, second=0) - now

    def now(self) -> datetime:
        return super().now() + self.shift


@dataclass
class Running:
    """The core, and what it says."""

    home: Path
    inbox: "asyncio.Queue[Command]" = field(default_factory=asyncio.Queue)
    events: "asyncio.Queue[Event]" = field(default_factory=asyncio.Queue)
    clock: JumpingClock = field(default_factory=JumpingClock)

    async def ask(self, command: Command | None, kind: type[E]) -> E:
        """The next event of a kind, after ``command`` if there is one."""
        if command is not None:
            self.inbox.put_nowait(command)
        async with asyncio.timeout(30):
            while True:
                event = await self.events.get()
                if isinstance(event, kind):
                    return event

    async def ticked(self, kind: type[E]) -> E:
        """The next event of a kind, while hours pass; a job counts from the tick that saw it first."""
        waiting = asyncio.ensure_future(self.ask(None, kind))
        while not waiting.done():
            self.inbox.put_nowait(Tick(self.clock.now(), 600.0))
            await asyncio.wait([waiting], timeout=0.5)
            self.clock.shift += timedelta(hours=1)
        return await waiting

    async def type(self, text: str) -> SlashAnswered:
        return await self.ask(SubmitTurn(text, Origin.TYPED), SlashAnswered)

    async def serve(self) -> None:
        settings, problems = load_settings(self.home)
        start = Start(self.home, settings, Catalog(Language.ENGLISH), problems, voice=False)
        surface = Surface(self.events.put_nowait, self.inbox.put_nowait)
        await run_core(self.inbox, start, self.clock, surface)


async def found_before(home: Path) -> None:
    """An earlier run found something that it could not tell any more; the goal rests since then."""
    clock, texts = SystemClock(), Catalog(Language.ENGLISH)
    GoalFiles(home).give(replace(GOAL, state=GoalState.PAUSED))
    store = (await open_store(home / DATABASE_NAME, clock, texts)).store
    await SqliteGoals(store, clock, texts).hold(GOAL.goal_id, [GoalItem("n1", "마곡 행복주택")])
    await store.close()


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Running]:
    """No model answers, so every turn that needs one fails."""
    home = tmp_path / ".jarvis"
    home.mkdir(mode=0o700)
    (home / "settings.yaml").write_text(SETTINGS % ("http://127.0.0.1:9", tmp_path / "work"), "utf-8")
    await found_before(home)
    one = Running(home)
    serving = asyncio.create_task(one.serve())
    yield one
    one.inbox.put_nowait(Quit())
    async with asyncio.timeout(30):
        await serving


async def test_a_goal_given_by_a_command_is_a_file_with_a_turn_at_once_and_a_row(running: Running) -> None:
    said = await running.type("/goal tell me only when something changes")
    assert said.answer.startswith("From now on I look after this")
    advanced = await running.ask(None, GoalAdvanced)
    assert advanced.report.run.outcome is GoalOutcome.ERROR  # there is no model here
    files = [file.read_text("utf-8") for file in (running.home / "goals").glob("*.json")]
    assert sum("tell me only when something changes" in text for text in files) == 1
    assert len(list((running.home / "schedules").glob("goal-*.yaml"))) == 2
    log = await running.type("/goal log something")
    assert "It failed." in log.answer
    assert "looked after" in (await running.type("/goal")).answer
    assert "ended" in (await running.type("/goal stop changes")).answer
    assert "something changes" not in (await running.type("/goal")).answer


async def test_what_waited_is_told_at_the_start_and_every_later_window_shows_it(running: Running) -> None:
    spoke = await running.ask(None, GoalSpoke)
    assert (spoke.goal_id, spoke.text) == (GOAL.goal_id, "마곡 행복주택")
    opened = await running.ask(Attach(WindowId("w")), ConversationOpened)
    while not opened.lines:  # the conversation is shown once more when it was told
        opened = await running.ask(Attach(WindowId("w")), ConversationOpened)
    assert [(line.role, line.text) for line in opened.lines] == [(Role.ASSISTANT, "마곡 행복주택")]


async def test_the_clock_turns_a_goal_when_its_time_has_come(running: Running) -> None:
    await running.type("/goal tell me only when something changes")
    first = await running.ask(None, GoalAdvanced)
    second = await running.ticked(GoalAdvanced)
    assert second.report.run.goal_id == first.report.run.goal_id
    assert second.report.run.at - first.report.run.at > timedelta(minutes=50)
