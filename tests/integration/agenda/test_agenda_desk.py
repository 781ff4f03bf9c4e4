"""What windows see of goals and schedules, and what they can do with them, over real files and a database."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from jarvis_desktop.adapters.schedule_files import ScheduleFiles
from jarvis_desktop.adapters.sqlite_agenda import SqliteAgenda
from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule
from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.app.agenda_desk import AgendaDesk, AgendaDeskParts
from jarvis_desktop.app.agenda_look import AgendaLook, AgendaLookParts
from jarvis_desktop.app.goal_keeping import GoalKeeping, KeepingParts
from jarvis_desktop.core.items.agenda import (
    Agenda,
    AgendaChanged,
    AgendaCommand,
    AgendaLooked,
    AgendaRefused,
    CueGoal,
    EditGoal,
    Effort,
    GoalEnded,
    JobRemoved,
    LookAtAgenda,
    PauseJob,
    RunGoal,
    RunJob,
    ToldKey,
    UndoEndGoal,
    UndoRemoveJob,
)
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.goals import GoalCue, GoalId, GoalOutcome, GoalRun, GoalState
from jarvis_desktop.core.items.schedule import Job, JobId, JobKind, RemoveJob, RunEnd, RunResult
from jarvis_desktop.core.scheduler.scheduler import Scheduler, SchedulerParts
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts
from tests.integration.goals.house import GOAL, House

ZONE = ZoneInfo("UTC")
MINE = "# mine\ntask: drink water # a glass\ncron: 0 8 * * *\n"
WATER = JobId("water")


@dataclass
class Panel:
    """A window's side of the desk."""

    house: House
    desk: AgendaDesk
    jobs: ScheduleFiles
    ledger: SqliteSchedule
    told: list[Event] = field(default_factory=list)
    ran: list[JobId] = field(default_factory=list)
    on: bool = True

    async def ask(self, *commands: AgendaCommand) -> list[Event]:
        """Everything that the desk told because of these."""
        self.told.clear()
        for command in commands:
            self.desk.obey(command)
        async with asyncio.timeout(30):
            await self.desk.close()
        return list(self.told)

    async def look(self, wish: LookAtAgenda | None = None) -> Agenda:
        (looked,) = await self.ask(wish or LookAtAgenda(1))
        assert isinstance(looked, AgendaLooked)
        return looked.agenda

    def file(self, text: str = MINE, name: str = "water") -> Path:
        path = self.house.home / "schedules" / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return path


def zone(name: str) -> ZoneInfo:
    return ZoneInfo(name) if name else ZONE


@pytest.fixture
async def panel(tmp_path: Path) -> AsyncIterator[Panel]:
    clock, texts = FakeClock(), PlainTexts()
    opened = await open_store(tmp_path / "jarvis.db", clock, texts)
    house = House(tmp_path, opened.store, clock)
    made = _panel(house, opened.store)
    house.files.give(GOAL)
    yield made
    await made.desk.close()
    await opened.store.close()


def _panel(house: House, store: SqliteStore) -> Panel:
    jobs, ledger = ScheduleFiles(house.home, zone, house.texts), SqliteSchedule(store)
    keeping = GoalKeeping(
        KeepingParts(
            house.book,
            house.history,
            house.costs,
            lambda: jobs,
            house.turns,
            lambda: "UTC",
            house.clock,
            house.texts,
        )
    )

    async def work(job: Job, due_at: datetime) -> RunResult:
        del due_at
        made.ran.append(job.job_id)
        return RunResult(RunEnd.DONE, "Drank it.")

    async def nothing(_: object) -> None:
        pass

    async def emit(event: Event) -> None:
        made.told.append(event)

    scheduler = Scheduler(
        SchedulerParts(
            jobs,
            ledger,
            {JobKind.TASK: work},
            zone,
            lambda: True,
            lambda: True,
            house.clock,
            house.texts,
            nothing,
            nothing,
        )
    )
    look = AgendaLook(
        AgendaLookParts(
            keeping,
            lambda: house.turns.going,
            house.history,
            SqliteAgenda(store),
            jobs,
            ledger,
            lambda: made.on,
            lambda ids: dict.fromkeys(ids, "JARVIS"),
            zone,
            house.clock,
            house.texts,
        )
    )
    desk = AgendaDesk(
        AgendaDeskParts(
            look, keeping, lambda: house.turns.going, jobs, lambda: scheduler, house.clock, house.texts, emit
        )
    )
    made = Panel(house, desk, jobs, ledger)
    return made


def run(outcome: GoalOutcome, minutes: int, model_turns: int = 0, tokens: int = 0) -> GoalRun:
    at = START + timedelta(minutes=minutes)
    return GoalRun(GOAL.goal_id, at, outcome, model_turns=model_turns, took_s=2.0, tokens=tokens)


async def test_a_goal_is_told_with_its_agent_times_next_look_and_last_result(panel: Panel) -> None:
    await panel.house.history.add_run(run(GoalOutcome.NOTHING, 0, model_turns=1, tokens=300))
    (fact,) = (await panel.look()).goals
    assert (fact.goal, fact.agent, fact.working) == (panel.house.goal, "JARVIS", False)
    assert fact.when == "every hour from 9 to 21 (Asia/Seoul)"
    assert fact.next_at is not None
    assert fact.next_at > panel.house.clock.now()
    assert fact.last is not None
    assert fact.last.outcome is GoalOutcome.NOTHING


async def test_the_one_that_is_looked_at_is_told_with_history_keys_records_and_effort(panel: Panel) -> None:
    history = panel.house.history
    yesterday = replace(run(GoalOutcome.TOLD, 0, model_turns=1, tokens=900), at=START - timedelta(days=1))
    for one in (
        yesterday,
        run(GoalOutcome.NOTHING, 0, model_turns=1, tokens=300),
        run(GoalOutcome.SKIPPED_UNCHANGED, 1),
        run(GoalOutcome.SKIPPED_BUDGET, 2),
    ):
        await history.add_run(one)
    await history.add_record(GOAL.goal_id, "looked at page 2")
    await history.saw(GOAL.goal_id, ["n1", "n2"])
    await history.mute(GOAL.goal_id, "n1", on=True)

    agenda = await panel.look(LookAtAgenda(1, goal_id=GOAL.goal_id))

    today = Effort(turns=2, without_model=1, tokens=300, took_s=4.0)
    assert agenda.today == today
    detail = agenda.goal
    assert detail is not None
    assert [one.outcome for one in detail.runs] == [
        GoalOutcome.SKIPPED_BUDGET,
        GoalOutcome.SKIPPED_UNCHANGED,
        GoalOutcome.NOTHING,
        GoalOutcome.TOLD,
    ]
    assert (detail.told, detail.records) == ((ToldKey("n1", "", None, muted=True),), ("looked at page 2",))
    assert (detail.today, detail.ever) == (today, Effort(3, 1, 1200, 6.0))


async def test_a_goal_is_paused_rests_goes_on_and_is_ended_and_each_can_be_taken_back(panel: Panel) -> None:
    house, until = panel.house, panel.house.clock.now() + timedelta(hours=3)

    assert AgendaChanged() in await panel.ask(CueGoal(GOAL.goal_id, GoalCue.PAUSE))
    assert house.goal.state is GoalState.PAUSED
    assert (await panel.look()).goals[0].next_at is None

    await panel.ask(CueGoal(GOAL.goal_id, GoalCue.SNOOZE, for_s=3 * 3600))
    assert (house.goal.state, house.goal.snoozed_until) == (GoalState.SNOOZED, until)
    soon = (await panel.look()).goals[0].next_at
    assert soon is not None
    assert soon > until

    told = await panel.ask(CueGoal(GOAL.goal_id, GoalCue.STOP))
    (ended,) = [event.goal for event in told if isinstance(event, GoalEnded)]
    assert (house.goal.state, (await panel.look()).goals, (await panel.look()).ended) == (
        GoalState.STOPPED,
        (),
        1,
    )
    assert len((await panel.look(LookAtAgenda(1, ended=True))).goals) == 1

    await panel.ask(UndoEndGoal(ended.goal_id, ended.state, ended.snoozed_until))
    assert (house.goal.state, house.goal.snoozed_until) == (GoalState.SNOOZED, until)


async def test_a_rest_that_is_over_already_is_refused_with_what_to_do(panel: Panel) -> None:
    past = panel.house.clock.now() - timedelta(minutes=1)
    told = await panel.ask(CueGoal(GOAL.goal_id, GoalCue.SNOOZE, until=past))
    reason = "A goal rests until a time that is still to come. Choose a later one."
    assert told == [AgendaRefused(reason), AgendaChanged()]
    assert panel.house.goal.state is GoalState.ACTIVE


async def test_a_goal_is_edited_in_place_and_what_is_gone_is_said(panel: Panel) -> None:
    await panel.ask(EditGoal(GOAL.goal_id, "  other words "))
    assert panel.house.goal.sentence == "other words"
    assert AgendaRefused("A goal needs a sentence; it stays as it was.") in await panel.ask(
        EditGoal(GOAL.goal_id, " ")
    )
    gone = AgendaRefused("This goal is not there any more.")
    assert gone in await panel.ask(RunGoal(GoalId("nothing")))


async def test_a_file_that_cannot_be_read_is_named_with_its_line_and_the_others_are_shown(
    panel: Panel,
) -> None:
    (panel.house.home / "goals" / "broken.json").write_text('{\n"goal": 7,,\n}', "utf-8")
    panel.file("task: tea\ncorn: 0 8 * * *\n", "tea")
    agenda = await panel.look()
    assert len(agenda.goals) == 1
    assert agenda.goal_problems[0].startswith("goals/broken.json, line 2: ")
    assert "schedules/tea.yaml, line 2" in agenda.job_problems[0]


async def test_a_job_is_told_paused_run_removed_and_back_to_the_byte(panel: Panel) -> None:
    file = panel.file()
    (fact,) = (await panel.look()).jobs
    assert (fact.job.task, fact.when, fact.last) == ("drink water", "every day at 08:00", None)
    assert fact.next_at is not None

    await panel.ask(PauseJob(WATER, paused=True))
    assert (await panel.look()).jobs[0].next_at is None
    await panel.ask(PauseJob(WATER, paused=False))

    await panel.ask(RunJob(WATER))
    async with asyncio.timeout(30):
        while not (await panel.look(LookAtAgenda(1, job_id=WATER))).job:
            pass
        while (last := (await panel.look()).jobs[0].last) is None or last.end is None:
            pass
    assert (panel.ran, last.text) == ([WATER], "Drank it.")

    before = file.read_bytes()
    told = await panel.ask(RemoveJob(WATER))
    assert [event.job.job_id for event in told if isinstance(event, JobRemoved)] == [WATER]
    assert not file.exists()
    await panel.ask(UndoRemoveJob(WATER))
    assert file.read_bytes() == before
    assert "# a glass" in before.decode()


async def test_a_job_of_the_same_name_that_came_meanwhile_is_not_written_over(panel: Panel) -> None:
    panel.file()
    await panel.ask(RemoveJob(WATER))
    other = panel.file("task: other\ncron: 0 9 * * *\n")
    told = await panel.ask(UndoRemoveJob(WATER))
    assert any(isinstance(event, AgendaRefused) for event in told)
    assert "other" in other.read_text("utf-8")


async def test_with_schedules_switched_off_nothing_has_a_next_time(panel: Panel) -> None:
    panel.file()
    panel.on = False
    agenda = await panel.look()
    assert (agenda.on, agenda.goals[0].next_at, agenda.jobs[0].next_at) == (False, None, None)


async def test_a_next_time_that_was_worked_out_counts_until_it_has_come(panel: Panel) -> None:
    panel.file()
    first = (await panel.look()).jobs[0].next_at
    assert first is not None
    assert (await panel.look()).jobs[0].next_at == first
    await panel.house.clock.advance((first - panel.house.clock.now()).total_seconds())
    later = (await panel.look()).jobs[0].next_at
    assert later == first + timedelta(days=1)
