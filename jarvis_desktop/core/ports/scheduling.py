"""Work that is due by the clock: where jobs are kept, which runs there were, and who does them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from jarvis_desktop.core.items.schedule import Job, JobId, Run, RunResult


class GoalRunner(Protocol):
    """Does the jobs of the kind ``goal``."""

    async def run(self, goal_id: str, due_at: datetime) -> RunResult:
        """One turn of that goal, over when this returns.

        due_at: UTC; no other call ever comes with the same goal and instant, unless a run that failed said
            that it may be done ``again``. At most one call per goal goes on at a time.

        Cancelling stops it: the program ends. It must leave what was found undelivered on disk.
        """


@dataclass(frozen=True, slots=True)
class JobsRead:
    """All jobs as their files say."""

    jobs: tuple[Job, ...]
    problems: tuple[str, ...] = ()
    """One sentence for each mistake, with file and line."""


class Jobs(Protocol):
    """The files in ``~/.jarvis/schedules``. Raises UserFixableError when a file cannot be written."""

    async def look(self) -> JobsRead:
        """As the files say now. Never raises."""

    async def add(self, job: Job) -> Job:
        """The job with the name that its file got: its own, or one made from its task where it has none.

        One of the same name is replaced; what a person wrote around its lines stays.
        """

    async def remove(self, job_id: JobId) -> bool:
        """Its file is gone; False when there was none."""

    async def set_enabled(self, job_id: JobId, *, enabled: bool) -> bool:
        """It is paused, or goes on; False when there is none."""


@dataclass(frozen=True, slots=True)
class JobState:
    """How far a job has come."""

    since: datetime
    """Its due times up to then are dealt with."""
    not_before: datetime | None = None
    """After failures: nothing of it begins sooner."""
    retry: datetime | None = None
    """A due time whose run failed and may be done again."""


class RunLedger(Protocol):
    """Every run of every job, on disk before it begins; unique per job and instant. Raises StorageError."""

    async def recover(self, now: datetime) -> Sequence[Run]:
        """Runs that an earlier start of the program was cut off in, which have ended as interrupted by now.

        One whose work had not begun is given back: its time is due once more.
        """

    async def states(self, rules: Mapping[JobId, str], now: datetime) -> Mapping[JobId, JobState]:
        """How far each of these jobs has come.

        rules: how each is due. One that is new, or was changed, counts from ``now`` on; so does one whose
            clock was set back.
        """

    async def claim(self, job_id: JobId, due_at: datetime, now: datetime) -> bool:
        """The run is ours and on disk; False when it was taken before. Due times up to it are dealt with."""

    async def work_begins(self, job_id: JobId, due_at: datetime) -> None:
        """From now on the run may have changed something: it is never given back."""

    async def miss(self, job_id: JobId, due_at: datetime, now: datetime) -> bool:
        """The run is written down as missed; False when it was taken before."""

    async def end(self, job_id: JobId, due_at: datetime, result: RunResult, now: datetime) -> None:
        """What it came to. A failure keeps the job waiting: 1, 5, 15, then 60 minutes."""

    async def runs(self, job_id: JobId | None = None, limit: int = 50) -> Sequence[Run]:
        """The newest first."""

    async def crashed_twice(self, job_id: JobId) -> bool:
        """The program ended unforeseen in the middle of its last run, and of the one before."""


class Clockwork(Protocol):
    """The scheduler, as far as others steer it."""

    async def run_now(self, job_id: JobId) -> bool:
        """Begin a run at once, whatever its times; False when there is no such job or it runs already."""

    def next_due(self, job: Job, count: int = 1) -> tuple[datetime, ...]:
        """Its next times from now on, timezone-aware in its zone; fewer when there are no more."""
