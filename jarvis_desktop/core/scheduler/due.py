"""Which run of a job is due now: pure, from its times, how far it has come, and the clock."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from jarvis_desktop.core.items.schedule import Job
from jarvis_desktop.core.ports import JobState
from jarvis_desktop.core.scheduler.cron import Cron

LATE = timedelta(minutes=2)
"""Later than that, something was missed: ticks come twice a minute."""
ONCE_GOOD_FOR = timedelta(hours=24)
"""What was to be done once at a time is made up for within a day; later a person is told instead."""


@dataclass(frozen=True, slots=True)
class Due:
    """A run that belongs to ``at``."""

    at: datetime
    """UTC."""
    late: bool = False
    """It is made up for; such runs are spread out."""
    missed: bool = False
    """It is only written down."""


@dataclass(frozen=True, slots=True)
class Timing:
    """When a job is due, as far as the clock is concerned."""

    cron: Cron | None
    """None: once, at ``once``."""
    once: datetime | None
    zone: ZoneInfo

    def next_after(self, instant: datetime) -> datetime | None:
        """The first time after ``instant``, in the job's zone."""
        if self.cron is not None:
            return self.cron.next_after(instant, self.zone)
        return self.once.astimezone(self.zone) if self.once is not None and self.once > instant else None


def rule_of(job: Job, timing: Timing) -> str:
    """How a job is due, in one line: when it changes, its times are counted anew from that moment."""
    when = job.cron or (job.at.astimezone(UTC).isoformat() if job.at is not None else "")
    return f"{when} {timing.zone.key} {'on' if job.enabled else 'off'}"


def due_now(job: Job, timing: Timing, state: JobState, now: datetime) -> Due | None:
    """What is due now; None when nothing is. However many times were passed over, it is one run."""
    if not job.enabled or (state.not_before is not None and now < state.not_before):
        return None
    if timing.cron is None:
        return _once(timing.once, state, now)
    newest = timing.cron.last_until(state.since, now, timing.zone)
    if newest is None:
        return None if state.retry is None else Due(state.retry)
    late = now - newest > LATE
    missed = late and not timing.cron.own_hours(now, timing.zone)
    return Due(newest.astimezone(UTC), late, missed)


def _once(at: datetime | None, state: JobState, now: datetime) -> Due | None:
    if state.retry is not None:
        return Due(state.retry)
    if at is None or at > now:
        return None
    # Whether it ran, the ledger knows: a file may be older than what is remembered of it.
    return Due(at.astimezone(UTC), now - at > LATE, now - at > ONCE_GOOD_FOR)


ZoneOf = Callable[[str], ZoneInfo]
"""The zone of that name; of the machine for an empty one. Raises KeyError or ValueError for any other."""
