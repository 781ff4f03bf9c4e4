"""A time at the beginning of a typed line: Korean, English or cron, and what is to be done then."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from jarvis_desktop.core.scheduler.moments import moment_of


@dataclass(frozen=True, slots=True)
class TypedWhen:
    """What was understood."""

    cron: str
    at: datetime | None
    task: str


_CLOCK = (
    r"(?P<half>오전|오후)?\s*(?P<hour>\d{1,2})(?::(?P<minute>\d{2})|\s*시(?:\s*(?P<kominute>\d{1,2})\s*분|"
    r"\s*(?P<thirty>반))?)\s*(?P<ampm>am|pm)?(?:에)?"
)
_CRON = re.compile(r"((?:[\d*][\d*,/#-]*)\s+(?:[\w*,/#?-]+\s+){3}[\w*,/#?-]+|@\w+)\s+(.+)", re.DOTALL)
_IN = re.compile(
    r"(?:in\s+)?(?P<count>\d{1,5})\s*(?P<unit>minutes?|mins?|hours?|days?|분|시간|일)\s*(?:뒤에?|후에?)?\s+(?P<task>.+)",
    re.IGNORECASE | re.DOTALL,
)
_DAILY = re.compile(
    rf"(?:every\s+day(?:\s+at)?|daily(?:\s+at)?|매일)\s+{_CLOCK}\s+(?P<task>.+)", re.IGNORECASE | re.DOTALL
)
_DAY = re.compile(
    rf"(?P<day>today|tomorrow|오늘|내일|모레|\d{{4}}-\d{{2}}-\d{{2}})(?:\s+at)?[\sT]+{_CLOCK}\s+(?P<task>.+)",
    re.IGNORECASE | re.DOTALL,
)
_DAYS = {"today": 0, "오늘": 0, "tomorrow": 1, "내일": 1, "모레": 2}


def typed_when(text: str, now: datetime, zone: ZoneInfo) -> TypedWhen | None:
    """The time and the task; None when no time was recognised, or it is none, such as 25:00.

    A cron expression is taken as it stands; whether it is one is checked by ``read_cron``.
    """
    if found := _CRON.fullmatch(text):
        return TypedWhen(" ".join(found[1].split()), None, found[2].strip())
    if (found := _IN.fullmatch(text)) and _says_later(text):
        return TypedWhen("", now + _span(found["count"], found["unit"].lower()), found["task"].strip())
    if found := _DAILY.fullmatch(text):
        clock = _clock(found)
        cron = "" if clock is None else f"{clock[1]} {clock[0]} * * *"
        return TypedWhen(cron, None, found["task"].strip()) if cron else None
    if found := _DAY.fullmatch(text):
        return _on_a_day(found, now.astimezone(zone), zone)
    return None


def _says_later(text: str) -> bool:
    return text.lower().startswith("in ") or re.match(r"\d+\s*\S+\s*(뒤|후)", text) is not None


def _span(count: str, unit: str) -> timedelta:
    if unit.startswith("h") or unit == "시간":
        return timedelta(hours=int(count))
    return (
        timedelta(days=int(count)) if unit.startswith("d") or unit == "일" else timedelta(minutes=int(count))
    )


def _clock(found: "re.Match[str]") -> tuple[int, int] | None:
    hour = int(found["hour"])
    minute = 30 if found["thirty"] else int(found["minute"] or found["kominute"] or 0)
    half = (found["half"] or found["ampm"] or "").lower()
    if half in ("오후", "pm") and hour < 12:
        hour += 12
    if half in ("오전", "am") and hour == 12:
        hour = 0
    return (hour, minute) if hour < 24 and minute < 60 else None


def _on_a_day(found: "re.Match[str]", now: datetime, zone: ZoneInfo) -> TypedWhen | None:
    clock, said = _clock(found), found["day"].lower()
    if clock is None:
        return None
    try:
        day = (
            now.date() + timedelta(days=_DAYS[said]) if said in _DAYS else datetime.fromisoformat(said).date()
        )
    except ValueError:
        return None
    wall = datetime(day.year, day.month, day.day, *clock)  # noqa: DTZ001 - a time on the wall
    at = moment_of(wall, zone)
    return None if at is None else TypedWhen("", at, found["task"].strip())
