"""Times as a model writes them: a date, a date with a time, or how long ago."""

import re
from datetime import date, datetime, time, timedelta, tzinfo

_AGO = re.compile(r"(\d{1,4})\s*(h|d|w|m|y)", re.IGNORECASE)
_UNITS = {
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "m": timedelta(days=30),
    "y": timedelta(days=365),
}
ACCEPTED = "write YYYY-MM-DD, YYYY-MM-DDTHH:MM, or how long ago such as 12h, 2d, 3w, 1m or 1y"


def moment(text: str, now: datetime, *, end: bool) -> datetime:
    """The instant that ``text`` means.

    now: timezone-aware; its zone is that of times without one.
    end: a bare date means the end of that day.

    Raises:
        ValueError: it means none; its text is ``ACCEPTED``.
    """
    said = text.strip()
    ago = _AGO.fullmatch(said)
    try:
        if ago:
            return now - int(ago[1]) * _UNITS[ago[2].lower()]
        if len(said) == 10:
            return _day(date.fromisoformat(said), now.tzinfo, end=end)
        found = datetime.fromisoformat(said)
    except (ValueError, OverflowError):
        raise ValueError(ACCEPTED) from None
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)


def _day(day: date, zone: tzinfo | None, *, end: bool) -> datetime:
    return datetime.combine(day, time.max if end else time.min, zone)
