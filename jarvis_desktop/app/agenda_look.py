"""One look at everything that is due: files, ledger and history, put together for windows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from jarvis_desktop.adapters.sqlite_agenda import EVER, Overview, SqliteAgenda
from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule
from jarvis_desktop.app.goal_book import problem_sentence
from jarvis_desktop.app.goal_keeping import GoalKeeping, job_of
from jarvis_desktop.core.goals import life
from jarvis_desktop.core.goals.asking import MOST_RECORDS
from jarvis_desktop.core.items.agenda import (
    Agenda,
    GoalDetail,
    GoalFact,
    JobDetail,
    JobFact,
    LookAtAgenda,
)
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.goals import Goal, GoalId, GoalState
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.schedule import Job, JobId, JobKind, Run
from jarvis_desktop.core.ports import Clock, Jobs, Texts
from jarvis_desktop.core.ports.goals import GoalHistory
from jarvis_desktop.core.scheduler.due import ZoneOf
from jarvis_desktop.core.scheduler.scheduler import timing_of
from jarvis_desktop.core.scheduler.when_words import when_text

ROWS = 50
"""Of history and told keys of the one that is looked at."""
_KEPT_TIMES = 500


@dataclass(frozen=True, slots=True)
class AgendaLookParts:
    """What is looked at."""

    goals: GoalKeeping
    going: Callable[[], frozenset[GoalId]]
    history: GoalHistory
    database: SqliteAgenda
    jobs: Jobs
    ledger: SqliteSchedule
    on: Callable[[], bool]
    """The scheduler is switched on."""
    names: Callable[[Sequence[AgentId]], Mapping[AgentId, str]]
    zone: ZoneOf
    clock: Clock
    texts: Texts


class AgendaLook:
    """Looks when it is asked to; keeps next times, since a cron expression is slow to work out."""

    def __init__(self, parts: AgendaLookParts) -> None:
        self._parts = parts
        self._next: dict[tuple[str, str], tuple[datetime, datetime]] = {}
        """By expression and zone: from when on it counts, and the time that was still to come then."""

    async def at(self, wish: LookAtAgenda) -> Agenda:
        """All there is.

        Raises:
            UserFixableError: files or database cannot be read.
        """
        parts = self._parts
        now = parts.clock.now()
        midnight = now.astimezone(parts.zone("")).replace(hour=0, minute=0, second=0, microsecond=0)
        read, jobs = await parts.goals.look(), await parts.jobs.look()
        overview = await parts.database.overview(midnight)
        tasks = [one for one in jobs.jobs if one.kind is JobKind.TASK]
        names = parts.names([*(one.agent_id for one in read.goals), *(one.agent_id for one in tasks)])
        last = await parts.ledger.last_runs()
        shown = [one for one in read.goals if wish.ended or life.is_open(one)]
        goals = sorted(
            (self._goal_fact(one, overview, names, now) for one in shown),
            key=lambda one: not life.is_open(one.goal),
        )
        return Agenda(
            tuple(goals),
            sum(not life.is_open(one) for one in read.goals),
            tuple(self._job_fact(one, last, names, now) for one in tasks),
            tuple(problem_sentence(one, parts.texts) for one in read.problems),
            jobs.problems,
            overview.today,
            parts.on(),
            await self._goal(wish.goal_id, [one.goal_id for one in shown], midnight),
            await self._job(wish.job_id, [one.job_id for one in tasks]),
        )

    # --- the lists ----------------------------------------------------------------------------

    def _goal_fact(
        self, goal: Goal, overview: Overview, names: Mapping[AgentId, str], now: datetime
    ) -> GoalFact:
        job = job_of(goal)
        soon = self._next_at(job, now, goal.snoozed_until) if goal.state in _GOES_ON else None
        return GoalFact(
            goal,
            names.get(goal.agent_id, goal.agent_id),
            self._when(job),
            soon,
            overview.last.get(goal.goal_id),
            goal.goal_id in self._parts.going(),
        )

    def _job_fact(
        self, job: Job, last: Mapping[JobId, Run], names: Mapping[AgentId, str], now: datetime
    ) -> JobFact:
        return JobFact(
            job,
            names.get(job.agent_id, job.agent_id),
            self._when(job),
            self._next_at(job, now),
            last.get(job.job_id),
        )

    def _when(self, job: Job) -> str:
        """The zone is worth a word where it is another one than here."""
        here = job.zone == self._parts.zone("").key
        return when_text(replace(job, zone="") if here and job.cron else job, self._parts.texts)

    def _next_at(self, job: Job, now: datetime, rests_until: datetime | None = None) -> datetime | None:
        parts = self._parts
        if not (job.enabled and parts.on()):
            return None
        try:
            zone = parts.zone(job.zone).key
            known = self._next.get((job.cron, zone))
            if job.cron and rests_until is None and known is not None and known[0] <= now < known[1]:
                return known[1]
            soon = timing_of(job, parts.zone, parts.texts).next_after(max(now, rests_until or now))
        except (UserFixableError, KeyError, ValueError, OSError):
            return None  # what is wrong with it is told where its file is read
        if job.cron and rests_until is None and soon is not None:
            if len(self._next) >= _KEPT_TIMES:
                self._next.clear()
            self._next[job.cron, zone] = now, soon
        return soon

    # --- the one that is looked at ------------------------------------------------------------

    async def _goal(
        self, goal_id: GoalId | None, shown: Sequence[GoalId], midnight: datetime
    ) -> GoalDetail | None:
        if goal_id is None or goal_id not in shown:
            return None
        history, database = self._parts.history, self._parts.database
        return GoalDetail(
            goal_id,
            await history.runs(goal_id, ROWS),
            await database.told(goal_id, ROWS),
            await history.records(goal_id, MOST_RECORDS),
            len(await history.held(goal_id)),
            await database.effort(goal_id, midnight),
            await database.effort(goal_id, EVER),
        )

    async def _job(self, job_id: JobId | None, shown: Sequence[JobId]) -> JobDetail | None:
        if job_id is None or job_id not in shown:
            return None
        return JobDetail(job_id, tuple(await self._parts.ledger.runs(job_id, limit=ROWS)))


_GOES_ON = (GoalState.ACTIVE, GoalState.SNOOZED)
