"""Schedules as the program has them: files, ledger, the clock that turns them, and who does the work."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from jarvis_desktop.adapters.local_zone import zone_named
from jarvis_desktop.adapters.schedule_files import ScheduleFiles
from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.app.agent_models import AgentModelParts, AgentModels
from jarvis_desktop.app.idle_loop import IdleLoop, IdleParts
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.app.person_first import PersonFirst, YieldingModel
from jarvis_desktop.app.quiet_turns import QuietTelling, QuietTurns
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.app.schedule_turns import TaskRuns
from jarvis_desktop.app.work_folder import work_folder
from jarvis_desktop.core.items.commands import Tick
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    Event,
    Part,
    TroubleCleared,
    TroubleNoted,
)
from jarvis_desktop.core.items.schedule import Job, JobKind, JobRan, RunEnd, RunResult, ScheduleCommand
from jarvis_desktop.core.ports import Clock, Emit, GoalRunner, Team
from jarvis_desktop.core.scheduler.scheduler import Scheduler, SchedulerParts, Work
from jarvis_desktop.core.scheduler.shelf import ScheduleShelf
from jarvis_desktop.core.settings import ModelSettings
from jarvis_desktop.core.turn.tool_registry import AnyTool, schedule_tools
from jarvis_desktop.ui.schedule_words import job_title, ran_line

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ScheduleNeighbours:
    """What of the program schedules work with."""

    live: LiveSettings
    store: SqliteStore
    recorder: Recorder
    surface: Surface


async def nothing_added() -> None:
    """There are no tools but our own."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does what is due; made after the tools, which schedules bring one of."""

    team: Team
    models: AgentModelParts
    only_reads: Callable[[str], bool]
    """A tool of that name changes nothing."""
    goals: GoalRunner | None = None
    """None: jobs of the kind ``goal`` wait."""
    look_at_goals: Callable[[], Awaitable[None]] | None = None
    """Called at each tick, beside the scheduler: their files may have changed unnoticed."""
    ready: Callable[[], Awaitable[None]] = nothing_added
    """Tools that people added have begun, or are not waited for any longer."""


class Schedules:
    """Everything about schedules of this start. ``attach`` comes before anything runs."""

    def __init__(self, start: Start, clock: Clock, near: ScheduleNeighbours) -> None:
        self._start, self._clock, self._near = start, clock, near
        self._emit: Emit = near.recorder.emit
        self.jobs = ScheduleFiles(start.home, zone_named, start.texts)
        self.ledger = SqliteSchedule(near.store)
        self.person = PersonFirst(clock)
        self.telling = QuietTelling(near.recorder.emit, near.recorder)
        self.turns = QuietTurns(lambda: self._models, near.recorder, self.telling, start.texts)
        """For everybody who runs turns that nobody waits for."""
        self._problems: Sequence[str] = ()

    @property
    def tools(self) -> tuple[AnyTool, ...]:
        """The tool by which models make jobs."""
        return schedule_tools(self.jobs, zone_named, self._start.texts, self._emit)

    @property
    def models(self) -> AgentModels:
        """What runs turns that nobody waits for: they let the person go first."""
        return self._models

    @property
    def on(self) -> bool:
        """The scheduler is switched on (T-049)."""
        return self._near.live.now.schedule.enabled

    def attach(self, workers: Workers) -> None:
        """Who does what is due."""
        start, live = self._start, self._near.live
        engine = workers.models.engine
        yielding = replace(workers.models, engine=lambda model: engine(YieldingModel(model, self.person)))
        self._models = AgentModels(start.settings.model, yielding)
        self.ready = workers.ready
        tasks = TaskRuns(
            workers.team,
            self.ledger,
            self.turns,
            workers.ready,
            workers.only_reads,
            lambda: work_folder(live.now.agent.working_directory, start.texts, self._emit),
            self._clock,
            start.texts,
        )
        work: dict[JobKind, Work] = {JobKind.TASK: tasks.run}
        if workers.goals is not None:
            work[JobKind.GOAL] = _goal_work(workers.goals)
        scheduler = Scheduler(self._parts(work))
        self.shelf = ScheduleShelf(self.jobs, self.ledger, scheduler, zone_named, lambda: self.on)
        surface = self._near.surface
        works = surface.waits_for_disk and not surface.fresh_conversation
        beside = (workers.look_at_goals,) if workers.look_at_goals is not None else ()
        self._idle = IdleLoop(IdleParts(scheduler, self.person, self._clock, works, beside))

    def _parts(self, work: dict[JobKind, Work]) -> SchedulerParts:
        return SchedulerParts(
            jobs=self.jobs,
            ledger=self.ledger,
            work=work,
            zone=zone_named,
            on=lambda: self.on,
            may_begin=lambda: not self.person.busy,
            clock=self._clock,
            texts=self._start.texts,
            emit=self._told,
            problems=self._tell_problems,
        )

    def on_event(self, event: Event) -> None:
        """Follow what the person does."""
        self.person.on_event(event)

    def configure(self, settings: ModelSettings) -> None:
        """Another server or model counts from the next turn on."""
        self._models.configure(settings)

    def obey(self, command: ScheduleCommand) -> None:
        """A person types; returns at once."""
        del command
        self.person.typed()

    def ticked(self, tick: Tick) -> None:
        """The front end's timer; returns at once."""
        self._idle.ticked(tick)

    async def run(self) -> None:
        """Time passes, without end."""
        await self._idle.run()

    async def close(self) -> None:
        """What runs is stopped, and that is on disk."""
        await self._idle.close()
        await self.person.close()
        await self._models.close()

    async def _told(self, event: Event) -> None:
        await self._emit(event)
        if not isinstance(event, JobRan):
            return
        if event.job.kind is JobKind.TASK:
            well = event.run.end is RunEnd.DONE
            kind = ActivityKind.TURN if well else ActivityKind.TROUBLE
            await self._note(kind, ran_line(event, self._start.texts))
        if event.run.end is RunEnd.INTERRUPTED and event.run.text:
            await self._note(ActivityKind.TROUBLE, f"{job_title(event.job)}: {event.run.text}")

    async def _note(self, kind: ActivityKind, line: str) -> None:
        await self._emit(ActivityNoted(kind, line, self._clock.now()))

    async def _tell_problems(self, problems: Sequence[str]) -> None:
        """What is wrong stands in one notice; only what is new becomes a line of the activity."""
        before, self._problems = self._problems, problems
        if before and not problems:
            await self._emit(TroubleCleared(Part.SCHEDULES))
        if problems and problems != before:
            await self._emit(TroubleNoted(Part.SCHEDULES, "\n".join(problems)))
        for one in problems:
            if one not in before:
                await self._note(ActivityKind.TROUBLE, one)


def _goal_work(goals: GoalRunner) -> Work:
    async def work(job: Job, due_at: datetime) -> RunResult:
        return await goals.run(job.goal_id, due_at)

    return work
