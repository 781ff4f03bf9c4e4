"""Times that can be counted with: zones are put on them and spans added without leaving the calendar."""

from datetime import datetime
from zoneinfo import ZoneInfo

from jarvis_desktop.core.scheduler.cron import first_instant

FIRST_YEAR, LAST_YEAR = 1000, 8999
"""The calendar itself goes from 1 to 9999; a day off either end every zone fails."""


def is_countable(at: datetime) -> bool:
    """Its year leaves room on both sides."""
    return FIRST_YEAR <= at.year <= LAST_YEAR


def moment_of(said: datetime, zone: ZoneInfo) -> datetime | None:
    """The time that is meant, timezone-aware; without an offset it is on the wall of ``zone``.

    None: it is too close to an end of the calendar.
    """
    if not is_countable(said):
        return None
    return said if said.tzinfo is not None else first_instant(said, zone).astimezone(zone)
