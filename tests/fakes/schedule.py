"""Jobs and a ledger for tests of the clock."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule
from jarvis_desktop.adapters.sqlite_schema import migrate, transaction
from jarvis_desktop.core.items.schedule import Job, JobId, JobKind, RunEnd, RunResult
from jarvis_desktop.core.ports import JobsRead
from jarvis_desktop.core.scheduler.scheduler import Scheduler, SchedulerParts
from jarvis_desktop.core.scheduler.shelf import ScheduleShelf
from tests.fakes.clock import START
from tests.fakes.texts import PlainTexts

T = TypeVar("T")


class FakeJobs:
    """Fills ``Jobs`` with jobs that the test names."""

    def __init__(self, *jobs: Job) -> None:
        self.by_id = {job.job_id: job for job in jobs}
        self.problems: tuple[str, ...] = ()

    async def look(self) -> JobsRead:
        return JobsRead(tuple(self.by_id.values()), self.problems)

    async def add(self, job: Job) -> Job:
        named = job if job.job_id else replace(job, job_id=JobId(f"job-{len(self.by_id)}"))
        self.by_id[named.job_id] = named
        return named

    async def remove(self, job_id: JobId) -> bool:
        return self.by_id.pop(job_id, None) is not None

    async def set_enabled(self, job_id: JobId, *, enabled: bool) -> bool:
        if job_id not in self.by_id:
            return False
        self.by_id[job_id] = replace(self.by_id[job_id], enabled=enabled)
        return True


class KilledError(Exception):
    """The program is dead: nothing of it reaches the disk any more."""


class MemoryStore:
    """Fills ``Commits`` with a database in memory, and dies at the commit that the test names."""

    def __init__(self, connection: sqlite3.Connection | None = None) -> None:
        self.connection = connection or sqlite3.connect(":memory:", isolation_level=None)
        migrate(self.connection)
        self.commits = 0
        self.dies_before = self.dies_after = 0
        self.dead = False

    async def commit(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self.commits += 1
        self.dead = self.dead or self.commits == self.dies_before
        if self.dead:
            raise KilledError
        with transaction(self.connection) as connection:
            result = work(connection)
        if self.commits == self.dies_after:
            self.dead = True
            raise KilledError
        return result

    def restarted(self) -> "MemoryStore":
        return MemoryStore(self.connection)


class Wall:
    """Fills ``Clock`` with a wall clock that is set by hand."""

    def __init__(self, now: datetime) -> None:
        self.at = now

    def now(self) -> datetime:
        return self.at

    def monotonic_s(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        del seconds


def zone_by_name(local: str = "UTC") -> Callable[[str], ZoneInfo]:
    return lambda name: ZoneInfo(name or local)


class FakeSchedule:
    """A shelf whose jobs come to nothing but their end."""

    def __init__(self, *jobs: Job) -> None:
        self.jobs, self.store = FakeJobs(*jobs), MemoryStore()
        self.on = True
        self.ran: list[JobId] = []

    @property
    def shelf(self) -> ScheduleShelf:
        zone, ledger = zone_by_name(), SqliteSchedule(self.store)
        scheduler = Scheduler(
            SchedulerParts(
                self.jobs,
                ledger,
                {JobKind.TASK: self._work},
                zone,
                lambda: self.on,
                lambda: True,
                Wall(START.astimezone(UTC)),
                PlainTexts(),
                self._nothing,
                self._nothing,
            )
        )
        return ScheduleShelf(self.jobs, ledger, scheduler, zone, lambda: self.on)

    async def _work(self, job: Job, due_at: datetime) -> RunResult:
        del due_at
        self.ran.append(job.job_id)
        return RunResult(RunEnd.DONE, "done")

    async def _nothing(self, _: object) -> None:
        """Nobody listens."""
