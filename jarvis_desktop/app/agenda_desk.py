"""The agenda's desk: tells windows all goals and jobs as they are, and does what people want of them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import assert_never

from jarvis_desktop.adapters.schedule_files import ScheduleFiles
from jarvis_desktop.app.agenda_look import AgendaLook
from jarvis_desktop.app.goal_keeping import GoalKeeping
from jarvis_desktop.app.task_desk import TaskDesk
from jarvis_desktop.core.items.agenda import (
    AgendaChanged,
    AgendaCommand,
    AgendaLooked,
    AgendaRefused,
    CueGoal,
    EditGoal,
    GoalEnded,
    JobRemoved,
    LookAtAgenda,
    PauseJob,
    RunGoal,
    RunJob,
    UndoEndGoal,
    UndoRemoveJob,
)
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted
from jarvis_desktop.core.items.goals import Goal, GoalCue, GoalId, GoalState
from jarvis_desktop.core.items.schedule import Job, JobId, RemoveJob
from jarvis_desktop.core.ports import Clock, Clockwork, Emit, Texts


@dataclass(frozen=True, slots=True)
class AgendaDeskParts:
    """What the desk works with."""

    look: AgendaLook
    goals: GoalKeeping
    going: Callable[[], frozenset[GoalId]]
    """The goals that are having a turn."""
    jobs: ScheduleFiles
    clockwork: Callable[[], Clockwork]
    clock: Clock
    texts: Texts
    emit: Emit


class AgendaDesk(TaskDesk[AgendaCommand]):
    """Obeys ``AgendaCommand``s."""

    def __init__(self, parts: AgendaDeskParts) -> None:
        super().__init__()
        self._parts = parts

    async def _do(self, command: AgendaCommand) -> None:
        try:
            async with self._changing:
                if isinstance(command, LookAtAgenda):
                    agenda = await self._parts.look.at(command)
                    await self._parts.emit(AgendaLooked(command.number, agenda, self._parts.clock.now()))
                    return
                await self._change(command)
        except UserFixableError as error:
            await self._parts.emit(AgendaRefused(str(error)))
        await self._parts.emit(AgendaChanged())

    async def _change(self, command: AgendaCommand) -> None:
        match command:
            case CueGoal() | UndoEndGoal() | RunGoal() | EditGoal():
                await self._change_goal(command)
            case PauseJob() | RunJob() | RemoveJob() | UndoRemoveJob():
                await self._change_job(command)
            case LookAtAgenda():
                pass  # changes nothing
            case _:
                assert_never(command)

    # --- goals --------------------------------------------------------------------------------

    async def _change_goal(self, command: CueGoal | UndoEndGoal | RunGoal | EditGoal) -> None:
        goal = await self._goal(command.goal_id)
        match command:
            case CueGoal():
                await self._cue(goal, command)
            case UndoEndGoal():
                await self._undo_end(goal, command)
            case RunGoal():
                await self._run_goal(goal)
            case EditGoal(sentence=sentence):
                await self._edit(goal, sentence)

    async def _goal(self, goal_id: GoalId) -> Goal:
        found = (one for one in (await self._parts.goals.look()).goals if one.goal_id == goal_id)
        goal = next(found, None)
        if goal is None:
            raise UserFixableError(self._parts.texts("This goal is not there any more."))
        return goal

    async def _cue(self, goal: Goal, wish: CueGoal) -> None:
        until = self._until(wish) if wish.cue is GoalCue.SNOOZE else None
        await self._parts.goals.cue(goal, wish.cue, until)
        if wish.cue is GoalCue.STOP:
            await self._parts.emit(GoalEnded(goal))

    def _until(self, wish: CueGoal) -> datetime:
        now = self._parts.clock.now()
        until = now + timedelta(seconds=wish.for_s) if wish.for_s else wish.until
        if until is None or until <= now:
            text = self._parts.texts("A goal rests until a time that is still to come. Choose a later one.")
            raise UserFixableError(text)
        return until

    async def _undo_end(self, goal: Goal, wish: UndoEndGoal) -> None:
        goals = self._parts.goals
        goal = await goals.cue(goal, GoalCue.RESUME)
        if wish.state is GoalState.PAUSED:
            await goals.cue(goal, GoalCue.PAUSE)
        elif wish.state is GoalState.SNOOZED and wish.snoozed_until is not None:
            await goals.cue(goal, GoalCue.SNOOZE, wish.snoozed_until)

    async def _run_goal(self, goal: Goal) -> None:
        if goal.goal_id in self._parts.going():
            raise UserFixableError(self._parts.texts("This goal is being looked after at this moment."))
        self._parts.goals.begin(goal.goal_id)

    async def _edit(self, goal: Goal, sentence: str) -> None:
        if not sentence.strip():
            raise UserFixableError(self._parts.texts("A goal needs a sentence; it stays as it was."))
        await self._parts.goals.edit(goal, sentence)

    # --- jobs ---------------------------------------------------------------------------------

    async def _change_job(self, command: PauseJob | RunJob | RemoveJob | UndoRemoveJob) -> None:
        match command:
            case PauseJob(job_id, paused):
                await self._pause(await self._job(job_id), paused=paused)
            case RunJob(job_id):
                await self._run_job(await self._job(job_id))
            case RemoveJob(job_id):
                await self._remove(job_id)
            case UndoRemoveJob(job_id):
                await self._undo_remove(job_id)

    async def _job(self, job_id: JobId) -> Job:
        found = (one for one in (await self._parts.jobs.look()).jobs if one.job_id == job_id)
        job = next(found, None)
        if job is None:
            text = self._parts.texts("There is no job called {name} any more.")
            raise UserFixableError(text.format(name=job_id))
        return job

    async def _pause(self, job: Job, *, paused: bool) -> None:
        await self._parts.jobs.set_enabled(job.job_id, enabled=not paused)

    async def _run_job(self, job: Job) -> None:
        if not await self._parts.clockwork().run_now(job.job_id):
            text = self._parts.texts("{name} cannot run now: it is running already.")
            raise UserFixableError(text.format(name=job.job_id))

    async def _remove(self, job_id: JobId) -> None:
        """Also a file that cannot be read goes when a person wants that."""
        texts, jobs = self._parts.texts, self._parts.jobs
        found = next((one for one in (await jobs.look()).jobs if one.job_id == job_id), Job(job_id))
        if not await jobs.remove(job_id):
            raise UserFixableError(texts("{job} was gone already.").format(job=job_id))
        await self._parts.emit(JobRemoved(found))
        await self._note(texts("{job} is scheduled no more.").format(job=job_id))

    async def _undo_remove(self, job_id: JobId) -> None:
        texts = self._parts.texts
        if not await self._parts.jobs.put_back(job_id):
            text = texts("{job} cannot be put back: there is another of that name, or it is too long ago.")
            raise UserFixableError(text.format(job=job_id))
        await self._note(texts("{job} is scheduled again.").format(job=job_id))

    async def _note(self, line: str) -> None:
        await self._parts.emit(ActivityNoted(ActivityKind.TURN, line, self._parts.clock.now()))
