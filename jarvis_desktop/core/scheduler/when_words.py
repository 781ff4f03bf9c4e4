"""When a job is due, in words: what was understood is read back before it counts (decision 16)."""

from collections.abc import Sequence
from datetime import datetime

from jarvis_desktop.core.items.schedule import Job
from jarvis_desktop.core.ports import Texts


def when_text(job: Job, texts: Texts) -> str:
    """In the app's language: "every day at 08:00", "once, on …", or the expression itself."""
    if job.at is not None:
        at = job.at if job.zone else job.at.astimezone()
        return texts("once, on {day} at {time}").format(day=f"{at:%Y-%m-%d}", time=f"{at:%H:%M}")
    said = _in_words(job.cron, texts)
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


def _in_words(cron: str, texts: Texts) -> str:
    fields = cron.split()
    if len(fields) == 5:
        minute, hour, day, month, weekday = fields
        if minute.isdigit() and hour.isdigit() and (day, month) == ("*", "*"):
            time = f"{int(hour):02}:{int(minute):02}"
            if weekday == "*":
                return texts("every day at {time}").format(time=time)
            if (days := _weekdays(weekday, texts)) is not None:
                return texts("every {days} at {time}").format(days=days, time=time)
        if minute.isdigit() and (hour, day, month, weekday) == ("*", "*", "*", "*"):
            return texts("every hour at minute {minute}").format(minute=int(minute))
        if minute.startswith("*/") and (hour, day, month, weekday) == ("*", "*", "*", "*"):
            return texts("every {count} minutes").format(count=minute[2:])
    return texts('by the cron expression "{cron}"').format(cron=cron)


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
    parts = field.split(",")
    if all(part.isdigit() and int(part) <= 7 for part in parts):
        return ", ".join(names[int(part) % 7] for part in parts)
    first, dash, last = field.partition("-")
    if dash and first.isdigit() and last.isdigit() and max(int(first), int(last)) <= 7:
        return texts("{first} to {last}").format(first=names[int(first) % 7], last=names[int(last) % 7])
    return None
