"""Five cron fields and the instants they mean in a zone; refused where programs disagree (decision 24)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import NoReturn
from zoneinfo import ZoneInfo

from croniter import CroniterError, croniter

from jarvis_desktop.core.items.errors import CronError
from jarvis_desktop.core.ports import Texts

MOST_CHARS = 200
HORIZON_YEARS = 9
"""29 February may be eight years away: 2096 to 2104."""
NAMED: Mapping[str, str] = MappingProxyType(
    {
        "@hourly": "0 * * * *",
        "@daily": "0 0 * * *",
        "@midnight": "0 0 * * *",
        "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *",
        "@yearly": "0 0 1 1 *",
        "@annually": "0 0 1 1 *",
    }
)
_BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
"""What may stand in each field."""
_MOST = (59, 23, 31, 12, 6)
"""The last value of each field; of weekdays the one before Sunday comes round again."""
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WORDS: tuple[tuple[str, ...], ...] = ((), (), (), _MONTHS, WEEKDAYS)
_FIELD = re.compile(r"[0-9A-Za-z*,/#-]+", re.ASCII)
_START_STEP = re.compile(r"([0-9]+)/([0-9]+)", re.ASCII)
_CLOSER = (timedelta(hours=2), timedelta(days=2), timedelta(days=70), timedelta(days=366 * HORIZON_YEARS))
MOST_STEPS = 30
"""Of times that were passed over; for more of them the search begins close to now."""
_SECOND = timedelta(seconds=1)
_EPOCH = datetime(2001, 1, 1)  # noqa: DTZ001 - a time on the wall, of no zone
"""A Monday; where the search for a first match begins."""


@dataclass(frozen=True, slots=True)
class Cron:
    """A checked expression. Made by ``read_cron``."""

    text: str
    """As it was written, blanks put in order."""
    plain: str
    """The same in five fields that croniter reads as everybody else does."""
    hours: frozenset[int]

    @property
    def floats(self) -> bool:
        """It follows real time over a change of the clock; fixed times follow the clock on the wall."""
        minute, hour, *_ = self.plain.split()
        return minute.startswith("*") or hour.startswith("*")

    def next_after(self, instant: datetime, zone: ZoneInfo) -> datetime | None:
        """The first time after ``instant``, in ``zone``; None when there is none within nine years."""
        step = self._next_floating if self.floats else self._next_fixed
        try:
            return step(instant.astimezone(zone), zone)
        except OverflowError:  # time itself ends
            return None

    def times_after(self, instant: datetime, zone: ZoneInfo) -> Iterator[datetime]:
        """All times after ``instant``, strictly rising."""
        found = self.next_after(instant, zone)
        while found is not None:
            yield found
            found = self.next_after(found, zone)

    def last_until(self, since: datetime, until: datetime, zone: ZoneInfo) -> datetime | None:
        """The newest time after ``since`` and not after ``until``; None when there is none."""
        last, later = None, _first_after(self, since, zone)
        for _ in range(MOST_STEPS):
            if later is None or later > until:
                return last.astimezone(zone) if last is not None else None
            last, later = later, _first_after(self, later, zone)
        for back in _CLOSER:
            start = max(since, until - back)
            last = None
            for last_or_later in self.times_after(start, zone):
                if last_or_later > until:
                    break
                last = last_or_later
            if last is not None or start == since:
                return last
        return None

    def own_hours(self, instant: datetime, zone: ZoneInfo) -> bool:
        """What was missed may be made up for then.

        With several hours a day: between the first and the last of them, on a day that has any. With one
        hour, or hours all around the clock: at any time.
        """
        first_last = _span(self.hours)
        if first_last is None:
            return True
        local = instant.astimezone(zone)
        first, last = first_last
        inside = first <= local.hour <= last if first <= last else not last < local.hour < first
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0) - _SECOND
        today = self.next_after(midnight, zone)
        return inside and today is not None and today.date() == local.date()

    def _next_fixed(self, local: datetime, zone: ZoneInfo) -> datetime | None:
        """Times on the wall: one that is missing is at the end of the gap, one that comes twice its first."""
        wall = local.replace(tzinfo=None)
        for found in self.walls_after(wall):
            real = first_instant(found, zone)
            if real > local.astimezone(UTC):
                return real.astimezone(zone)
        return None

    def _next_floating(self, local: datetime, zone: ZoneInfo) -> datetime | None:
        """Every real instant whose time on the wall fits."""
        start, inclusive = local.astimezone(UTC), False
        while True:
            offset = start.astimezone(zone).utcoffset() or timedelta()
            wall = (start + offset).replace(tzinfo=None)
            found = next(self.walls_after(wall - _SECOND if inclusive else wall), None)
            if found is None:
                return None
            real = found.replace(tzinfo=timezone(offset)).astimezone(UTC)
            if real.astimezone(zone).utcoffset() == offset:
                return real.astimezone(zone)
            # The clock changes in between: from that very instant on, the wall shows something else.
            start, inclusive = _change_between(start, real, zone), True

    def walls_after(self, wall: datetime) -> Iterator[datetime]:
        """What a clock on the wall shows when it is time, whatever the zone; naive."""
        times = croniter(self.plain, wall, max_years_between_matches=HORIZON_YEARS)
        while True:
            try:
                yield times.get_next(datetime)
            except (CroniterError, OverflowError):  # there is none, or time itself ends
                return


@lru_cache(maxsize=4096)
def _first_after(cron: Cron, instant: datetime, zone: ZoneInfo) -> datetime | None:
    """As ``next_after``, in UTC; remembered, since each tick asks it of every job that is not due yet."""
    found = cron.next_after(instant, zone)
    return None if found is None else found.astimezone(UTC)


def read_cron(text: str, texts: Texts) -> Cron:
    """The expression, checked.

    Raises:
        CronError: it is none, or one that programs read in different ways; the text says what to write.
    """
    shown = " ".join(text.split())[:MOST_CHARS]

    def refuse(reason: str) -> NoReturn:
        raise CronError(texts('"{cron}" cannot be used: {reason}').format(cron=shown, reason=reason))

    if shown.startswith("@"):
        if shown.lower() not in NAMED:
            refuse(texts("the names are {names}.").format(names=", ".join(NAMED)))
        plain = NAMED[shown.lower()]
        return Cron(shown.lower(), plain, _hours(plain))
    fields = shown.split(" ")
    if len(text) > MOST_CHARS or len(fields) != 5:
        refuse(texts("five fields are needed: minute, hour, day of the month, month, day of the week."))
    _check_fields(fields, refuse, texts)
    plain = " ".join(_without_start_step(field, most) for field, most in zip(fields, _MOST, strict=True))
    try:
        hours = _hours(plain)
        first = next(Cron(shown, plain, hours).walls_after(_EPOCH), None)
    except (CroniterError, ValueError, KeyError) as error:
        raise CronError(
            texts('"{cron}" cannot be used: {reason}').format(cron=shown, reason=_odd_field(fields, texts))
        ) from error
    if first is None:
        refuse(texts("this day never comes."))
    return Cron(shown, plain, hours)


def _check_fields(fields: list[str], refuse: Callable[[str], NoReturn], texts: Texts) -> None:
    day, weekday = fields[2], fields[4]
    if "?" in "".join(fields):
        refuse(texts("write * where ? stands."))
    for field in fields:
        if not _FIELD.fullmatch(field):
            refuse(texts("{field} is not a field of numbers, names, *, comma, - and /.").format(field=field))
    if re.search(r"l\d|\dl", weekday, re.IGNORECASE):
        refuse(texts("programs disagree about L behind a weekday. Name the days of the month instead."))
    if re.search(r"[hr]", re.sub(r"(?i)(mar|apr|thu|fri)", "", "".join(fields)), re.IGNORECASE):
        refuse(texts("random times are not known here."))
    stepped = (day.startswith("*/") and weekday != "*") or (weekday.startswith("*/") and day != "*")
    if stepped:
        refuse(
            texts(
                "programs disagree about {field} in one day field while the other is restricted too. Write "
                "the days out, or leave one of the two at *."
            ).format(field=day if day.startswith("*/") else weekday)
        )


def _odd_field(fields: list[str], texts: Texts) -> str:
    """Which field holds something that is no such time, and what may stand there."""
    names = (
        texts("the minute"),
        texts("the hour"),
        texts("the day of the month"),
        texts("the month"),
        texts("the day of the week"),
    )
    text = texts("{field} is {found}; it goes from {least} to {most}.")
    named = texts("{field} is {found}; it goes from {least} to {most}, or is one of {names}.")
    for name, field, (least, most), words in zip(names, fields, _BOUNDS, _WORDS, strict=True):
        for part in filter(None, re.split("[,#-]", re.sub("/[0-9]+", "", field.lower()))):
            if part == "*" or part in words or (part.isdigit() and least <= int(part) <= most):
                continue
            said = named if words else text
            return said.format(field=name, found=part, least=least, most=most, names=", ".join(words))
    for name, field in zip(names, fields, strict=True):
        if re.search(r"/0+(?![0-9])", field):
            return texts("{field} is {found}; a step is at least 1.").format(field=name, found=field)
    return texts("a field holds something that is no such time.")


def _without_start_step(field: str, most: int) -> str:
    """``5/15`` as ``5-59/15``: with the end written out, everybody reads the same."""

    def written_out(part: str) -> str:
        found = _START_STEP.fullmatch(part)
        if found is None:
            return part
        start = int(found[1])
        return found[1] if start >= most else f"{start}-{most}/{found[2]}"

    return ",".join(written_out(part) for part in field.split(","))


def _hours(plain: str) -> frozenset[int]:
    """The hours of a day in which it runs."""
    values = croniter.expand(plain)[0][1]
    return frozenset(range(24)) if "*" in values else frozenset(int(value) for value in values)


def _span(hours: frozenset[int]) -> tuple[int, int] | None:
    """First and last of the hours; behind the longest pause comes the first. None: there is no such pause."""
    order = sorted(hours)
    if len(order) < 2:
        return None
    pauses = [later - sooner for sooner, later in pairwise([*order, order[0] + 24])]
    longest = max(pauses)
    if pauses.count(longest) > 1 or longest == 1:
        return None
    place = pauses.index(longest)
    return order[(place + 1) % len(order)], order[place]


def first_instant(wall: datetime, zone: ZoneInfo) -> datetime:
    """When the wall first shows ``wall`` or, if it never does, something later; UTC."""
    first = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if first.astimezone(zone).replace(tzinfo=None) == wall:
        return first
    other = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return _change_between(min(first, other), max(first, other), zone)


def _change_between(early: datetime, late: datetime, zone: ZoneInfo) -> datetime:
    """The first whole second, UTC, at which the zone's offset is not what it is at ``early``."""
    offset = early.astimezone(zone).utcoffset()
    early = early.replace(microsecond=0)
    while late - early > _SECOND:
        middle = early + timedelta(seconds=int((late - early).total_seconds()) // 2)
        if middle.astimezone(zone).utcoffset() == offset:
            early = middle
        else:
            late = middle
    return late
