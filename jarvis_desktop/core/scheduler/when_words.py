"""When a job is due, in words: what was understood is read back before it counts (decision 16)."""

from collections.abc import Sequence
from datetime import datetime

from jarvis_desktop.core.items.schedule import Job
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.scheduler.cron import NAMED, WEEKDAYS


def when_text(job: Job, texts: Texts) -> str:
    """In the app's language: "every day at 08:00", "once, on …", or the expression itself."""
    if job.at is not None:
        at = job.at if job.zone else job.at.astimezone()
        return texts("once, on {day} at {time}").format(day=f"{at:%Y-%m-%d}", time=f"{at:%H:%M}")
    said = cron_text(job.cron, texts)
    return f"{said} ({job.zone})" if job.zone else said


def next_text(times: Sequence[datetime], texts: Texts) -> str:
    """The next times in one line."""
    if not times:
        return texts("not due any more")
    return texts("next: {times}").format(times=", ".join(f"{at:%Y-%m-%d %H:%M}" for at in times))


def either_day(cron: str, texts: Texts) -> str:
    """What people do not expect of two restricted day fields; empty for all others."""
    fields = cron.split()
    if len(fields) != 5 or "*" in (fields[2], fields[4]):
        return ""
    return texts("Day of the month and day of the week are both restricted: a day that fits either counts.")


def cron_text(cron: str, texts: Texts) -> str:
    """A cron expression in words: "every hour from 9 to 21"; the expression itself where no words fit."""
    fields = NAMED.get(cron.lower(), cron).lower().split()
    said = _in_words(fields, texts) if len(fields) == 5 else ""
    return said or texts('by the cron expression "{cron}"').format(cron=cron)


def _in_words(fields: Sequence[str], texts: Texts) -> str:
    """Empty where no words fit, as in everything below."""
    minute, hour, day, month, weekday = fields
    if minute.isdigit() and hour.isdigit() and day.isdigit() and (month, weekday) == ("*", "*"):
        text = texts("every month on day {day} at {time}")
        return text.format(day=int(day), time=_clock(hour, minute))
    days = _days(day, month, weekday, texts)
    if days is None:
        return ""
    times = _hourly(minute, hour, texts) if minute.isdigit() else _often(minute, hour, texts)
    if times:
        return texts("{times}, every {days}").format(times=times, days=days) if days else times
    if not (minute.isdigit() and all(one.isdigit() for one in hour.split(","))):
        return ""
    clock = ", ".join(_clock(one, minute) for one in hour.split(","))
    if days:
        return texts("every {days} at {time}").format(days=days, time=clock)
    return texts("every day at {time}").format(time=clock)


def _often(minute: str, hour: str, texts: Texts) -> str:
    """Several times an hour, each as far from the next."""
    step = "1" if minute == "*" else minute.removeprefix("*/")
    if not (minute.startswith("*") and step.isdigit() and int(step) and 60 % int(step) == 0):
        return ""
    every = texts.plural("every minute", "every {count} minutes", int(step)).format(count=step)
    if hour == "*":
        return every
    first, dash, last = hour.partition("-")
    if not (dash and first.isdigit() and last.isdigit()):
        return ""
    text, end = texts("{every} from {first} to {last}"), _clock(last, str(60 - int(step)))
    return text.format(every=every, first=_clock(first, "0"), last=end)


def _hourly(minute: str, hour: str, texts: Texts) -> str:
    """Once an hour, or every few hours."""
    past = int(minute)
    if hour == "*":
        return texts("every hour at minute {minute}").format(minute=past) if past else texts("every hour")
    first, dash, last = hour.partition("-")
    count = hour.removeprefix("*/")
    if dash and first.isdigit() and last.isdigit():
        said = texts("every hour from {first} to {last}").format(first=int(first), last=int(last))
    elif count != hour and count.isdigit() and int(count) > 1 and 24 % int(count) == 0:
        said = texts("every {count} hours").format(count=int(count))
    else:
        return ""
    return texts("{times}, at minute {minute}").format(times=said, minute=past) if past else said


def _days(day: str, month: str, weekday: str, texts: Texts) -> str | None:
    """The weekdays by name, empty for every day; None where the days are others."""
    if (day, month) != ("*", "*"):
        return None
    return "" if weekday == "*" else _weekdays(weekday, texts)


def _clock(hour: str, minute: str) -> str:
    return f"{int(hour):02}:{int(minute):02}"


def _weekdays(field: str, texts: Texts) -> str | None:
    """The days by name; None for a field that says them in another way than by a list or one range."""
    names = [
        texts("Sunday"),
        texts("Monday"),
        texts("Tuesday"),
        texts("Wednesday"),
        texts("Thursday"),
        texts("Friday"),
        texts("Saturday"),
    ]
    for at, short in enumerate(WEEKDAYS):
        field = field.replace(short, str(at))
    parts = field.split(",")
    if all(part.isdigit() and int(part) <= 7 for part in parts):
        return ", ".join(names[int(part) % 7] for part in parts)
    first, dash, last = field.partition("-")
    if dash and first.isdigit() and last.isdigit() and max(int(first), int(last)) <= 7:
        return texts("{first} to {last}").format(first=names[int(first) % 7], last=names[int(last) % 7])
    return None
