"""Schedules where the program has them: a file, a tick, a turn of its own, and what the person sees of it."""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.compose import run_core
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.core.items.commands import Command, Quit, SubmitTurn, Tick
from jarvis_desktop.core.items.events import (
    Event,
    ReplyDelta,
    TroubleNoted,
    TurnEnded,
    TurnStarted,
)
from jarvis_desktop.core.items.schedule import JobAdded, JobRan, RemoveJob, RunEnd, Typing
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin
from tests.fakes.ollama_script import call, say
from tests.fakes.ollama_server import ScriptedOllama

E = TypeVar("E", bound=Event)
SETTINGS = "model: {backend: ollama, host: '%s', name: '%s', calls: schema}\nagent: {working_directory: %s}\n"


@dataclass
class Running:
    """The core, and what it says."""

    home: Path
    inbox: "asyncio.Queue[Command]" = field(default_factory=asyncio.Queue)
    events: "asyncio.Queue[Event]" = field(default_factory=asyncio.Queue)
    seen: list[Event] = field(default_factory=list)

    async def ask(self, command: Command | None, kind: type[E]) -> E:
        """The next event of a kind, after ``command`` if there is one."""
        if command is not None:
            self.inbox.put_nowait(command)
        async with asyncio.timeout(60):
            while True:
                event = await self.events.get()
                self.seen.append(event)
                if isinstance(event, kind):
                    return event

    def job(self, name: str, text: str) -> Path:
        folder = self.home / "schedules"
        folder.mkdir(exist_ok=True)
        path = folder / f"{name}.yaml"
        path.write_text(text, "utf-8")
        return path

    async def serve(self) -> None:
        settings, problems = load_settings(self.home)
        start = Start(self.home, settings, Catalog(Language.ENGLISH), problems, voice=False)
        surface = Surface(self.events.put_nowait, self.inbox.put_nowait)
        await run_core(self.inbox, start, SystemClock(), surface)


def tick() -> Tick:
    return Tick(datetime.now(UTC), 600.0)


def just_now() -> str:
    return (datetime.now(UTC) - timedelta(seconds=20)).isoformat(timespec="seconds")


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    with ScriptedOllama() as fake:
        yield fake


@pytest.fixture
async def running(tmp_path: Path, server: ScriptedOllama) -> AsyncIterator[Running]:
    home = tmp_path / ".jarvis"
    home.mkdir(mode=0o700)
    text = SETTINGS % (server.host, "gemma4:e2b", tmp_path / "work")
    (home / "settings.yaml").write_text(text, "utf-8")
    running = Running(home)
    core = asyncio.create_task(running.serve())
    yield running
    running.inbox.put_nowait(Quit())
    async with asyncio.timeout(30):
        await core


async def test_a_file_that_is_due_runs_in_a_conversation_of_its_own_and_only_its_outcome_is_told(
    running: Running, server: ScriptedOllama
) -> None:
    server.add(say("Drink some water.", when="drink water"))
    running.job("water", f"# mine\ntask: drink water\nat: {just_now()}\n")

    ran = await running.ask(tick(), JobRan)

    assert (ran.run.end, ran.run.text) == (RunEnd.DONE, "Drink some water.")
    assert not [event for event in running.seen if isinstance(event, ReplyDelta | TurnStarted | TurnEnded)]
    assert not (running.home / "schedules" / "water.yaml").exists()
    with closing(sqlite3.connect(running.home / "jarvis.db")) as db:
        stored = db.execute(
            "SELECT kind, origin, text, reply, state FROM turns JOIN conversations c ON c.id = conversation"
        ).fetchall()
        kinds = db.execute("SELECT kind FROM episodes").fetchall()
    assert stored == [("schedule", "schedule", "drink water", "Drink some water.", "ended")]
    assert kinds in ([("schedule",)], [])  # it is written right behind
    listed = await running.ask(SubmitTurn("/history", Origin.TYPED), SlashAnswered)
    assert "drink water" in listed.answer


async def test_while_a_person_types_nothing_that_is_due_begins(running: Running) -> None:
    job = running.job("water", f"task: drink water\nat: {just_now()}\n")
    for command in (Typing(), tick(), Typing(), tick()):
        running.inbox.put_nowait(command)
    listed = await running.ask(SubmitTurn("/schedule", Origin.TYPED), SlashAnswered)
    assert "drink water" in listed.answer
    assert not [event for event in running.seen if isinstance(event, JobRan)]
    assert job.exists()


async def test_what_is_due_may_schedule_nothing_and_is_asked_nothing(
    running: Running, server: ScriptedOllama
) -> None:
    server.add(say("Done.", when="every Monday"))
    running.job("monday", f"task: every Monday tell me\nat: {just_now()}\n")

    ran = await running.ask(tick(), JobRan)

    assert ran.run.end is RunEnd.DONE
    asked = str(server.chats[-1].body)
    assert "is due now" in asked
    assert "daily_at" not in asked, "the tool schedule is not offered"


async def test_a_mistake_in_a_file_is_told_with_its_line(running: Running) -> None:
    running.job("tea", 'task: tea\ncorn: "0 8 * * *"\n')

    trouble = await running.ask(tick(), TroubleNoted)

    assert 'schedules/tea.yaml, line 2: a job has no line "corn". Did you mean "cron"?' in trouble.text


async def test_a_model_schedules_and_one_order_takes_it_back(
    running: Running, server: ScriptedOllama
) -> None:
    server.add(call("schedule", {"task": "날씨 알려줘", "daily_at": "08:00"}, when="매일"))

    added = await running.ask(SubmitTurn("매일 8시에 날씨 알려줘", Origin.TYPED), JobAdded)
    ended = await running.ask(None, TurnEnded)

    assert added.when == "every day at 08:00"
    assert "every day at 08:00" in ended.text
    file = running.home / "schedules" / f"{added.job.job_id}.yaml"
    assert file.name == "날씨-알려줘.yaml"
    assert file.exists()
    running.inbox.put_nowait(RemoveJob(added.job.job_id))
    async with asyncio.timeout(30):
        while file.exists():
            await running.events.get()


async def test_the_slash_command_adds_lists_and_removes(running: Running) -> None:
    async def said(text: str) -> str:
        return (await running.ask(SubmitTurn(text, Origin.TYPED), SlashAnswered)).answer

    assert "every day at 08:00" in await said("/schedule add daily 08:00 Weather please")
    assert "weather-please" in await said("/schedule")
    await said("/schedule pause weather-please")
    assert "paused" in await said("/schedule")
    await said("/schedule remove weather-please")
    assert "Nothing is scheduled" in await said("/schedule")


@pytest.mark.goal_bug("cron", "Users expect day-of-month AND")
async def test_two_restricted_day_fields_are_read_back_with_the_next_times_and_what_they_mean(
    running: Running,
) -> None:
    said = await running.ask(SubmitTurn("/schedule add 0 9 13 * 5 call mum", Origin.TYPED), SlashAnswered)

    assert "a day that fits either counts" in said.answer
    found = re.findall(r"\d{4}-\d\d-\d\d 09:00", said.answer)
    times = [datetime.fromisoformat(one) for one in found]
    assert len(times) == 5
    assert all(one.day == 13 or one.weekday() == 4 for one in times)
