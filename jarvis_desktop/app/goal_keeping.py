"""What people do with goals, from wherever they do it: each goal has a file, and a job that turns it."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from jarvis_desktop.core.goals import life
from jarvis_desktop.core.goals.naming import MOST_CHARS, folded, goal_id, one_line
from jarvis_desktop.core.items.errors import JarvisError, UserFixableError
from jarvis_desktop.core.items.goals import (
    Goal,
    GoalCue,
    GoalId,
    GoalOutcome,
    GoalRun,
    GoalsRead,
    GoalState,
    goal_file,
)
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.schedule import GOAL_JOB, Job, JobId, JobKind
from jarvis_desktop.core.ports import Clock, Texts
from jarvis_desktop.core.ports.goals import GoalBook, GoalCosts, GoalHistory
from jarvis_desktop.core.ports.scheduling import Jobs
from jarvis_desktop.core.turn.goal_turn import GoalTurns

log = logging.getLogger(__name__)

_FIRST_RUNS = 5
"""After so many that were cut off a goal waits for its times, as any other."""


@dataclass(frozen=True, slots=True)
class KeepingParts:
    """What goals are kept with."""

    book: GoalBook
    history: GoalHistory
    costs: GoalCosts
    jobs: Callable[[], Jobs]
    turns: GoalTurns
    zone: Callable[[], str]
    """Where the machine is, as an IANA name."""
    clock: Clock
    texts: Texts
    stays: bool = True
    """A single request of the command line is over before a turn could be."""


class GoalKeeping:
    """Fills ``GoalShelf``."""

    def __init__(self, parts: KeepingParts) -> None:
        self._parts = parts
        self._running: dict[asyncio.Task[None], GoalId] = {}
        self._one = asyncio.Lock()
        """A goal's file and its job change together: whoever compares them sees no half of it."""

    @property
    def looks_now(self) -> bool:
        """Turns begin here; else they wait for a program that stays."""
        return self._parts.stays

    async def look(self) -> GoalsRead:
        """All of them as they are now, and the files that do not count."""
        read, now = await self._parts.book.look(), self._parts.clock.now()
        return GoalsRead(tuple(life.at(one, now) for one in read.goals), read.problems)

    async def give(self, agent_id: AgentId, sentence: str, cron: str = "") -> tuple[Goal, bool]:
        """The goal, and whether it is a new one; its first turn begins at once (G-026)."""
        sentence = one_line(sentence)
        if not sentence or len(sentence) > MOST_CHARS:
            text = self._parts.texts("A goal is a sentence of at most {count} characters.")
            raise UserFixableError(text.format(count=MOST_CHARS))
        parts = self._parts
        made = Goal(goal_id(agent_id, sentence), agent_id, sentence, parts.zone(), parts.clock.now())
        async with self._one:
            goal, new = await parts.book.give(replace(made, cron=cron) if cron else made)
            if cron and goal.cron != cron:
                goal = await parts.book.change(goal.goal_id, lambda one: replace(one, cron=cron)) or goal
            if not new:
                await parts.costs.renew(goal.goal_id)
            await self._schedule(goal)
        self.begin(goal.goal_id)
        return goal, new

    async def cue(self, goal: Goal, cue: GoalCue, until: datetime | None = None) -> Goal:
        """The goal after that."""
        async with self._one:
            return await self._cue(goal, cue, until)

    async def _cue(self, goal: Goal, cue: GoalCue, until: datetime | None = None) -> Goal:
        changed = await self._parts.book.change(goal.goal_id, lambda one: life.after(one, cue, until))
        if changed is None:
            raise UserFixableError(self._parts.texts("This goal is not there any more."))
        if cue in (GoalCue.STOP, GoalCue.PAUSE):
            self._end_turn(goal.goal_id)
        if cue is GoalCue.RESUME:
            await self._parts.costs.renew(goal.goal_id)
        await self._schedule(changed)
        return changed

    def _end_turn(self, goal_id: GoalId) -> None:
        """It looks no more, also where its turn has only just been wished for."""
        if goal_id in self._parts.turns.going:
            self._parts.turns.stop(goal_id)
            return
        for task, whose in self._running.items():
            if whose == goal_id:
                task.cancel()

    async def edit(self, goal: Goal, sentence: str) -> Goal:
        """The same goal in other words; what was told stays told."""
        sentence = one_line(sentence)
        others = (one for one in (await self.look()).goals if one.goal_id != goal.goal_id)
        if any((one.agent_id, folded(one.sentence)) == (goal.agent_id, folded(sentence)) for one in others):
            raise UserFixableError(self._parts.texts("There is a goal in these words already."))
        async with self._one:
            changed = await self._parts.book.change(
                goal.goal_id, lambda one: replace(one, sentence=sentence[:MOST_CHARS])
            )
            if changed is None:
                raise UserFixableError(self._parts.texts("This goal is not there any more."))
            await self._schedule(changed)
            return changed

    async def runs(self, goal: Goal, limit: int) -> tuple[GoalRun, ...]:
        """Its history, the newest first."""
        return await self._parts.history.runs(goal.goal_id, limit)

    async def mute(self, goal: Goal, key: str, *, on: bool) -> None:
        """Nobody is told of that key any more; or, not ``on``, is told again."""
        if not await self._parts.history.mute(goal.goal_id, key, on=on):
            text = self._parts.texts("This goal has told nothing by the key {key}.")
            raise UserFixableError(text.format(key=key))

    async def keys(self, goal: Goal) -> Sequence[str]:
        """The keys of everything that it ever had to tell, the newest first."""
        seen = await self._parts.history.first_seen(goal.goal_id)
        return sorted(seen, key=lambda key: seen[key], reverse=True)

    async def muted(self, goal: Goal) -> Mapping[str, str]:
        """The keys that nobody is told of, each with the line that waits, or an empty one."""
        return await self._parts.history.muted(goal.goal_id)

    async def ids_of(self, agent_id: AgentId | None) -> tuple[GoalId, ...]:
        """Those of that agent; None for all."""
        goals = (await self.look()).goals
        return tuple(one.goal_id for one in goals if agent_id in (None, one.agent_id))

    async def forget_turns(self, agent_id: AgentId | None) -> None:
        """Their files hold nothing of what their turns did: the next turn begins as the first one did."""
        for one_id in await self.ids_of(agent_id):
            await self._parts.book.change(one_id, lambda one: replace(one, last_calls=(), seen=""))

    def begin(self, goal_id: GoalId) -> None:
        """A turn of it begins now, beside whatever runs; not in a program that does not stay."""
        if not self._parts.stays:
            return
        task = asyncio.ensure_future(self._advance(goal_id))
        self._running[task] = goal_id
        task.add_done_callback(self._running.pop)

    async def tend(self) -> None:
        """Each goal has the job that turns it, however its file came or changed.

        What a person pauses in either file is paused.
        """
        async with self._one:
            await self._tend()

    async def _tend(self) -> None:
        jobs = {one.job_id: one for one in (await self._parts.jobs().look()).jobs}
        read = await self.look()
        goals = {_job_id(one): one for one in read.goals}
        broken = {one.file for one in read.problems}
        for job_id, goal in goals.items():
            job = jobs.get(job_id)
            with _others_go_on():
                if job is not None and not job.enabled and goal.state is GoalState.ACTIVE:
                    await self._cue(goal, GoalCue.PAUSE)
                elif job != (job_of(goal) if life.is_open(goal) else None):
                    await self._schedule(goal)
        for job_id, job in jobs.items():
            if job.kind is JobKind.GOAL and job_id not in goals and goal_file(job.goal_id) not in broken:
                with _others_go_on():
                    await self._parts.jobs().remove(job_id)

    async def start(self) -> None:
        """As ``tend``; and a goal that never had a whole turn has its first one now (G-026)."""
        await self.tend()
        for goal in (await self.look()).goals:
            with _others_go_on():
                runs = await self._parts.history.runs(goal.goal_id, _FIRST_RUNS)
                cut = len(runs) < _FIRST_RUNS and all(one.outcome is GoalOutcome.INTERRUPTED for one in runs)
                # The turns of those before it take minutes, in which a person may have ended this one.
                now = await self._parts.book.find(goal.goal_id) if cut else None
                if now is not None and life.runs(now, self._parts.clock.now()):
                    await self._advance(goal.goal_id)

    async def close(self) -> None:
        """No turn of a goal runs."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _advance(self, goal_id: GoalId) -> None:
        try:
            await self._parts.turns.advance(goal_id, by_hand=True)
        except JarvisError as error:
            log.warning("a goal's turn failed", extra={"error": type(error).__name__})

    async def _schedule(self, goal: Goal) -> None:
        if life.is_open(goal):
            await self._parts.jobs().add(job_of(goal))
        else:
            await self._parts.jobs().remove(_job_id(goal))


@contextmanager
def _others_go_on() -> Iterator[None]:
    """What fails for one goal is for the log; a job's file that cannot be read is told by its schedule."""
    try:
        yield
    except JarvisError as error:
        log.warning("a goal could not be tended", extra={"error": type(error).__name__})


def _job_id(goal: Goal) -> JobId:
    return JobId(f"{GOAL_JOB}{goal.goal_id}")


def job_of(goal: Goal) -> Job:
    """The job that turns it. A snoozed goal keeps its job: the turn that is due after the snooze wakes it."""
    return Job(
        _job_id(goal),
        JobKind.GOAL,
        goal.sentence,
        goal.cron,
        zone=goal.zone,
        agent_id=goal.agent_id,
        enabled=goal.state is not GoalState.PAUSED,
    )
