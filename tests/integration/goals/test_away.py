"""Closed at due time, asleep for a night, moved two time zones: what the pages promise."""

import asyncio
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from jarvis_desktop.adapters.schedule_files import ScheduleFiles
from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule
from jarvis_desktop.app.goal_keeping import GoalKeeping, KeepingParts
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.schedule import Job, JobKind, JobRan, RunEnd, RunResult
from jarvis_desktop.core.scheduler.scheduler import Scheduler, SchedulerParts
from tests.fakes.chat_model import ScriptedModel
from tests.fakes.schedule import Wall, zone_by_name
from tests.integration.goals.house import LOOKS, House, answer

SEOUL = ZoneInfo("Asia/Seoul")


class Away:
    """The real files, database, scheduler and turns of goals; the clock and the place are set by the test."""

    def __init__(self, house: House, now: str) -> None:
        self.house, self.clock, self.zone = house, Wall(seoul(now)), "Asia/Seoul"
        self.files = ScheduleFiles(house.home, self._zone, house.texts)
        self.ran: list[tuple[str, str, RunEnd | None]] = []
        self.began: list[str] = []
        self.scheduler = self.started()
        self.keeping = GoalKeeping(
            KeepingParts(
                book=house.book,
                history=house.history,
                costs=house.costs,
                jobs=lambda: self.files,
                turns=house.turns,
                zone=lambda: self.zone,
                clock=house.clock,
                texts=house.texts,
            )
        )

    def started(self) -> Scheduler:
        parts = SchedulerParts(
            jobs=self.files,
            ledger=SqliteSchedule(self.house.store),
            work={JobKind.GOAL: self._goal, JobKind.TASK: self._task},
            zone=self._zone,
            on=lambda: True,
            may_begin=lambda: True,
            clock=self.clock,
            texts=self.house.texts,
            emit=self._emit,
            problems=self._problems,
        )
        return Scheduler(parts)

    async def tick(self, now: str) -> None:
        self.clock.at = seoul(now)
        await self.scheduler.tick()
        async with asyncio.timeout(20):
            while self.scheduler.running:
                await asyncio.sleep(0)

    def _zone(self, name: str) -> ZoneInfo:
        return zone_by_name(self.zone)(name)

    async def _goal(self, job: Job, due_at: datetime) -> RunResult:
        self.began.append(f"goal {self.clock.at:%d %H:%M}")
        return await self.house.turns.run(job.goal_id, due_at)

    async def _task(self, job: Job, due_at: datetime) -> RunResult:
        del due_at
        self.began.append(f"{job.job_id} {self.clock.at:%d %H:%M}")
        return RunResult(RunEnd.DONE)

    async def _emit(self, event: Event) -> None:
        assert isinstance(event, JobRan)
        kind = event.job.kind.value
        self.ran.append((kind, f"{event.run.due_at.astimezone(SEOUL):%d %H:%M}", event.run.end))

    async def _problems(self, problems: object) -> None:
        assert not problems


def seoul(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-12-{text}").replace(tzinfo=SEOUL)


def promised(page: str, sentence: str) -> bool:
    text = (Path(__file__).parents[3] / f"docs/{page}.md").read_text("utf-8")
    return sentence in " ".join(text.split())


@pytest.fixture
async def away(house: House) -> Away:
    """A goal that has its turns from 9 to 21, and a task each day at 8, wherever the machine is."""
    made = Away(house, "01T10:30")
    house.model = ScriptedModel(LOOKS, answer())  # nothing changes afterwards
    await made.keeping.tend()
    (house.home / "schedules" / "tea.yaml").write_text("task: tea\ncron: 0 8 * * *\n", "utf-8")
    await made.tick("01T10:30")
    assert made.began == []
    return made


async def test_closed_at_due_time_it_is_made_up_for_once_at_the_next_start(away: Away) -> None:
    assert promised("schedules", "What came due while it was off or the machine slept is made up for once")
    assert promised("goals", "missed inside its hours is made up for once")
    away.scheduler = away.started()
    await away.tick("02T12:20")
    await away.tick("02T12:21")
    await away.tick("02T12:22")
    assert away.began == ["tea 02 12:20", "goal 02 12:21"], "one after another, and each once"
    assert [due for _, due, _ in away.ran] == ["02 08:00", "02 12:00"]


async def test_asleep_for_a_night_it_is_silent_until_its_hours_and_says_what_it_missed(away: Away) -> None:
    assert promised("goals", "What was missed outside of them is shown as missed")
    await away.tick("02T07:00")
    assert away.began == []
    assert away.ran == [("goal", "01 21:00", RunEnd.MISSED)]
    await away.tick("02T08:00")
    await away.tick("02T09:00")
    assert away.began == ["tea 02 08:00", "goal 02 09:00"]


async def test_moved_two_time_zones_a_goal_keeps_its_hours_and_a_job_without_a_zone_moves_along(
    away: Away,
) -> None:
    assert promised("goals", "A goal keeps the time zone in which you gave it")
    assert promised("schedules", "left out: wherever the machine is")
    assert promised("schedules", "its hour comes a second time that day, and the job runs at it")
    await away.tick("02T08:00")
    away.zone = "Asia/Bangkok"
    for hour in range(9, 12):
        await away.tick(f"02T{hour:02}:00")
    tea = [one for one in away.began if one.startswith("tea")]
    goal = [one for one in away.began if one.startswith("goal")]
    assert goal == [f"goal 02 {hour:02}:00" for hour in range(9, 12)]
    assert tea == ["tea 02 08:00", "tea 02 10:00"]  # eight, here and there
    await away.tick("03T08:00")  # six in the morning, there
    await away.tick("03T10:00")
    assert [one for one in away.began if one.startswith("tea 03")] == ["tea 03 10:00"]
