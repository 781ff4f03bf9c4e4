"""A scheduler with the real ledger, work that counts, and a clock that the test sets."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.schedule import Job, JobId, JobKind, JobRan, RunEnd, RunResult
from jarvis_desktop.core.scheduler.scheduler import Scheduler, SchedulerParts
from tests.fakes.clock import settle
from tests.fakes.schedule import FakeJobs, MemoryStore, Wall, zone_by_name
from tests.fakes.texts import PlainTexts

TICK = timedelta(seconds=30)


def at(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


class Stage:
    """One start of the program after another, on one database."""

    def __init__(self, now: str, *jobs: Job, zone: str = "UTC") -> None:
        self.clock, self.jobs, self.zone = Wall(at(now)), FakeJobs(*jobs), zone
        self.store = MemoryStore()
        self.on = self.may_begin = True
        self.told: list[JobRan] = []
        self.problems: list[Sequence[str]] = []
        self.done: Counter[tuple[JobId, datetime]] = Counter()
        self.began: list[tuple[JobId, datetime]] = []
        """Each job with the wall clock at which its work began."""
        self.results: list[RunResult] = []
        """What the next works come to; done when empty."""
        self.hold: asyncio.Event | None = None
        """While it is there and not set, works go on."""
        self.most = self.now_running = 0
        self.scheduler = self._started()

    def _started(self) -> Scheduler:
        return Scheduler(
            SchedulerParts(
                self.jobs,
                SqliteSchedule(self.store),
                {JobKind.TASK: self._work, JobKind.GOAL: self._work},
                self._zone,
                lambda: self.on,
                lambda: self.may_begin,
                self.clock,
                PlainTexts(),
                self._emit,
                self._problems,
            )
        )

    def _zone(self, name: str) -> ZoneInfo:
        return zone_by_name(self.zone)(name)

    async def _problems(self, problems: Sequence[str]) -> None:
        self.problems.append(problems)

    async def _emit(self, event: Event) -> None:
        assert isinstance(event, JobRan)
        if not self.store.dead:
            self.told.append(event)

    async def _work(self, job: Job, due_at: datetime) -> RunResult:
        if self.store.dead:
            return RunResult(RunEnd.INTERRUPTED)
        self.done[job.job_id, due_at] += 1
        self.began.append((job.job_id, self.clock.at))
        self.now_running += 1
        self.most = max(self.most, self.now_running)
        try:
            if self.hold is not None:
                await self.hold.wait()
            await asyncio.sleep(0)
            return self.results.pop(0) if self.results else RunResult(RunEnd.DONE, "done")
        finally:
            self.now_running -= 1

    async def tick(self, now: str | datetime | None = None) -> None:
        """The clock says ``now``, or half a minute more."""
        self.clock.at = self.clock.at + TICK if now is None else at(now) if isinstance(now, str) else now
        await self.scheduler.tick()
        await settle(8)

    async def until(self, end: str, step: timedelta = TICK) -> None:
        while self.clock.at < at(end):
            await self.tick(self.clock.at + step)

    async def restart(self, now: str | datetime | None = None) -> None:
        """Kill -9 and a new start."""
        self.store.dead = True
        await self.scheduler.close()
        if now is not None:
            self.clock.at = at(now) if isinstance(now, str) else now
        self.store = self.store.restarted()
        self.scheduler = self._started()
        await self.scheduler.recover()

    @property
    def ends(self) -> list[tuple[str, RunEnd | None]]:
        return [(event.run.due_at.isoformat(timespec="minutes")[:16], event.run.end) for event in self.told]


def daily(job_id: str = "tea", cron: str = "0 8 * * *", **rest: str) -> Job:
    return Job(JobId(job_id), task="Say hello.", cron=cron, **rest)  # type: ignore[arg-type]  # texts only
