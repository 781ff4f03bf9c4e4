"""What slash commands and windows reach of schedules."""

from collections.abc import Callable
from dataclasses import dataclass

from jarvis_desktop.core.ports import Clockwork, Jobs, RunLedger
from jarvis_desktop.core.scheduler.due import ZoneOf


@dataclass(frozen=True, slots=True)
class ScheduleShelf:
    """Jobs, their runs, and the clockwork that turns them."""

    jobs: Jobs
    ledger: RunLedger
    clockwork: Clockwork
    zone: ZoneOf
    on: Callable[[], bool]
    """The scheduler is switched on (T-049)."""
