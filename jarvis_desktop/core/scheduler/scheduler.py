"""The scheduler: at each tick it looks which jobs are due, claims their runs and begins them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from jarvis_desktop.core.items.errors import JarvisError, StorageError, UserFixableError
from jarvis_desktop.core.items.schedule import Job, JobId, JobKind, JobRan, Run, RunEnd, RunResult
from jarvis_desktop.core.ports import Clock, Emit, Jobs, JobsRead, RunLedger, Texts
from jarvis_desktop.core.scheduler.cron import Cron, read_cron
from jarvis_desktop.core.scheduler.due import Due, Timing, ZoneOf, due_now, rule_of

log = logging.getLogger(__name__)

SIDE_BY_SIDE = 2
"""Runs at once."""
LATE_AT_ONCE = 1
"""Runs that are made up for, begun at one tick: after a night they come one after another."""

Work = Callable[[Job, datetime], Awaitable[RunResult]]


@dataclass(frozen=True, slots=True)
class SchedulerParts:
    """What the scheduler works with."""

    jobs: Jobs
    ledger: RunLedger
    work: Mapping[JobKind, Work]
    """Who does jobs of a kind; those of other kinds are left alone."""
    zone: ZoneOf
    on: Callable[[], bool]
    """Asked at every tick (T-049)."""
    may_begin: Callable[[], bool]
    """Nobody talks, types or waits for an answer now."""
    clock: Clock
    texts: Texts
    emit: Emit
    problems: Callable[[Sequence[str]], Awaitable[None]]
    """Told at each look what is wrong with the files; nothing, as a rule."""


class Scheduler:
    """Fills ``Clockwork``. Ticks come from outside; runs are tasks that nobody waits for."""

    def __init__(self, parts: SchedulerParts) -> None:
        self._parts = parts
        self._running: dict[JobId, asyncio.Task[None]] = {}
        self._crons: dict[str, Cron] = {}
        """As they were read; as many as people write."""
        self._turn = asyncio.Lock()
        """One look at a time: a tick that comes while another is looking waits for it."""

    @property
    def running(self) -> frozenset[JobId]:
        """Jobs that are being done."""
        return frozenset(self._running)

    async def recover(self) -> None:
        """Runs that the end of an earlier start cut off have ended, and are told.

        A job in whose middle the program ended twice in a row may be why, and is paused.
        """
        read = await self._parts.jobs.look()
        by_id = {job.job_id: job for job in read.jobs}
        for run in await self._parts.ledger.recover(self._parts.clock.now()):
            job = by_id.get(run.job_id, Job(run.job_id))
            await self._parts.emit(JobRan(job, replace(run, text=await self._paused_after_crashes(job))))

    async def _paused_after_crashes(self, job: Job) -> str:
        """What is said of a job that was paused; empty for one that goes on."""
        if not job.enabled or not await self._parts.ledger.crashed_twice(job.job_id):
            return ""
        try:
            if not await self._parts.jobs.set_enabled(job.job_id, enabled=False):
                return ""
        except UserFixableError as error:
            return str(error)
        resume = (
            f"/goal resume {job.goal_id}" if job.kind is JobKind.GOAL else f"/schedule resume {job.job_id}"
        )
        text = self._parts.texts(
            "Jarvis ended in the middle of it twice in a row, so it is paused. {command} lets it go on."
        )
        return text.format(command=resume)

    async def tick(self) -> None:
        """Begin what is due, as far as there is room and the person wants nothing; returns at once after."""
        async with self._turn:
            try:
                await self._look()
            except StorageError as error:
                # Without the ledger nothing runs: better late than twice.
                log.warning("the ledger of runs cannot be read", extra={"error": type(error).__name__})

    async def run_now(self, job_id: JobId) -> bool:
        """Begin a run at once, whatever its times; False when there is no such job or it runs already."""
        async with self._turn:
            job = next((one for one in (await self._parts.jobs.look()).jobs if one.job_id == job_id), None)
            if job is None or job_id in self._running or job.kind not in self._parts.work:
                return False
            now = self._parts.clock.now()
            await self._parts.ledger.states({job_id: rule_of(job, self.timing(job))}, now)
            return await self._begin(job, Due(now.astimezone(UTC)), now)

    def timing(self, job: Job) -> Timing:
        """When the job is due.

        Raises:
            UserFixableError: its cron expression or its zone is none.
        """
        timing = timing_of(replace(job, cron=""), self._parts.zone, self._parts.texts)
        if job.cron and job.cron not in self._crons:
            self._crons[job.cron] = read_cron(job.cron, self._parts.texts)
        return replace(timing, cron=self._crons.get(job.cron))

    def next_due(self, job: Job, count: int = 1) -> tuple[datetime, ...]:
        """Its next times from now on; none while it is paused or cannot be read."""
        try:
            timing = self.timing(job)
        except UserFixableError:
            return ()
        found: list[datetime] = []
        at: datetime | None = self._parts.clock.now()
        while job.enabled and len(found) < count and at is not None:
            at = timing.next_after(at)
            found += [at] if at is not None else []
        return tuple(found)

    async def close(self) -> None:
        """What runs is stopped, and that is on disk."""
        tasks = tuple(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look(self) -> None:
        parts = self._parts
        read = await parts.jobs.look()
        await parts.problems(read.problems)
        if not parts.on():
            return
        now = parts.clock.now()
        late = 0
        for job, due in await self._due(read, now):
            if due.missed:
                await self._miss(job, due, now)
            elif self._has_room and (not due.late or late < LATE_AT_ONCE):
                late += await self._begin(job, due, now) and due.late

    async def _due(self, read: JobsRead, now: datetime) -> list[tuple[Job, Due]]:
        """All that is due, what is on time first; among them the oldest first."""
        ours = [job for job in read.jobs if job.kind in self._parts.work]
        idle = [job for job in ours if job.job_id not in self._running]
        timed = [(job, timing) for job in idle if (timing := self._known_timing(job)) is not None]
        rules = {job.job_id: rule_of(job, timing) for job, timing in timed}
        states = await self._parts.ledger.states(rules, now)
        all_due = [(job, due_now(job, timing, states[job.job_id], now)) for job, timing in timed]
        found = [(job, due) for job, due in all_due if due is not None]
        return sorted(found, key=lambda one: (one[1].late, one[1].at, one[0].job_id))

    def _known_timing(self, job: Job) -> Timing | None:
        """None for a job that has none: the others go on."""
        try:
            timing = self.timing(job)
            rule_of(job, timing)
        except (UserFixableError, OverflowError) as error:
            log.warning("a job's times cannot be told", extra={"error": type(error).__name__})
            return None
        return timing

    @property
    def _has_room(self) -> bool:
        return len(self._running) < SIDE_BY_SIDE and self._parts.may_begin()

    async def _miss(self, job: Job, due: Due, now: datetime) -> None:
        if await self._parts.ledger.miss(job.job_id, due.at, now):
            run = Run(job.job_id, due.at, now, RunEnd.MISSED, ended_at=now)
            await self._parts.emit(JobRan(job, run))

    async def _begin(self, job: Job, due: Due, now: datetime) -> bool:
        if not await self._parts.ledger.claim(job.job_id, due.at, now):
            return False
        log.info("a job begins", extra={"kind": job.kind.value, "late": due.late})
        task = asyncio.create_task(self._run(job, due.at, now))
        self._running[job.job_id] = task
        task.add_done_callback(lambda done: self._over(job.job_id, done))
        return True

    def _over(self, job_id: JobId, task: "asyncio.Task[None]") -> None:
        del self._running[job_id]
        if not task.cancelled() and task.exception():
            log.error("the end of a run could not be kept", exc_info=task.exception())

    async def _run(self, job: Job, due_at: datetime, began_at: datetime) -> None:
        result = RunResult(RunEnd.INTERRUPTED)
        try:
            await self._parts.ledger.work_begins(job.job_id, due_at)
            result = await self._parts.work[job.kind](job, due_at)
        except JarvisError as error:
            result = RunResult(RunEnd.FAILED, str(error))
        except Exception as error:  # rim: the loop. A bug in one run ends that run, not the scheduler.
            log.error("a run broke", exc_info=error)
            broken = self._parts.texts("Something in Jarvis itself broke; the details are in the log.")
            result = RunResult(RunEnd.FAILED, broken)
        finally:
            await asyncio.shield(self._end(job, Run(job.job_id, due_at, began_at), result))

    async def _end(self, job: Job, run: Run, result: RunResult) -> None:
        parts, now = self._parts, self._parts.clock.now()
        await parts.ledger.end(job.job_id, run.due_at, result, now)
        if job.at is not None and result.end is RunEnd.DONE:
            await parts.jobs.remove(job.job_id)
        ended = Run(run.job_id, run.due_at, run.began_at, result.end, result.text, now, result.session_id)
        await parts.emit(JobRan(job, ended))


def timing_of(job: Job, zone: ZoneOf, texts: Texts) -> Timing:
    """When the job is due.

    Raises:
        UserFixableError: its cron expression or its zone is none.
    """
    try:
        found = zone(job.zone)
    except (KeyError, ValueError, OSError) as error:
        text = texts('There is no time zone called "{zone}". They are called like Asia/Seoul.')
        raise UserFixableError(text.format(zone=job.zone)) from error
    return Timing(read_cron(job.cron, texts) if job.cron else None, job.at, found)
