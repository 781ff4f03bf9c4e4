"""``jarvis-desktop schedule``: what is due by the clock, and when a cron expression is."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from jarvis_desktop.adapters.call_kin import came_from_a_call
from jarvis_desktop.adapters.home_dir import home_dir
from jarvis_desktop.adapters.local_zone import zone_named
from jarvis_desktop.adapters.schedule_files import ScheduleFiles
from jarvis_desktop.adapters.schedule_text import instant_of
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.cli_home import CliHome, cli_home
from jarvis_desktop.app.main import from_a_call_text
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.schedule import Job, JobId
from jarvis_desktop.core.ports import Clock
from jarvis_desktop.core.scheduler.scheduler import timing_of
from jarvis_desktop.core.scheduler.typed_when import typed_when
from jarvis_desktop.core.scheduler.when_words import either_day, next_text, when_text
from jarvis_desktop.ui.visible_text import visible

NO_ZONE = (KeyError, ValueError, OSError)


@dataclass(frozen=True, slots=True)
class Wish:
    """A job as it was typed."""

    text: str
    """What is to be done; behind a time where neither ``cron`` nor ``at`` is given."""
    cron: str = ""
    at: str = ""
    zone: str = ""
    agent: str = ""


def list_jobs(*, as_json: bool) -> int:
    """Print every job; the exit status comes back."""
    return _run(lambda home, files: _list(home, files, as_json=as_json))


def add_job(wish: Wish) -> int:
    """Make a job and read its time back; the exit status comes back."""
    home = cli_home()
    if came_from_a_call(os.getpid()):
        return _refused(from_a_call_text(home.texts))
    return _run(lambda home, files: _add(home, files, wish))


def remove_job(name: str) -> int:
    """Take a job away; the exit status comes back."""
    home = cli_home()
    if came_from_a_call(os.getpid()):
        return _refused(from_a_call_text(home.texts))
    return _run(lambda home, files: _remove(home, files, name))


def next_times(
    count: int, cron: str, zone: str, start: str, *, as_json: bool, clock: Clock | None = None
) -> int:
    """Print when a cron expression, or what is scheduled, is due next; the exit status comes back.

    start: ISO time after which is looked, on the wall of ``zone`` without an offset; now where it is empty.
    """
    now = (clock or SystemClock()).now()

    async def work(home: CliHome, files: ScheduleFiles) -> int:
        after = _instant(start, zone, home) if start else now
        if cron:
            timing = timing_of(Job(JobId("next"), cron=cron, zone=zone), zone_named, home.texts)
            assert timing.cron is not None  # it has a cron expression
            times = [("", at) for at in islice(timing.cron.times_after(after, timing.zone), count)]
        else:
            times = await _all_times(home, files, after, count)
        for name, at in times:
            _say(
                json.dumps({"at": at.isoformat(), **({"job": name} if name else {})})
                if as_json
                else _row(name, at)
            )
        return 0

    return _run(work)


async def _all_times(
    home: CliHome, files: ScheduleFiles, after: datetime, count: int
) -> list[tuple[str, datetime]]:
    """Of all jobs that are not paused, the soonest first."""
    found = []
    for job in (await files.look()).jobs:
        timing, at = timing_of(job, zone_named, home.texts), after
        while job.enabled and (soon := timing.next_after(at)) is not None:
            found.append((str(job.job_id), soon))
            at = soon
            if sum(name == job.job_id for name, _ in found) == count:
                break
    return sorted(found, key=lambda one: one[1])[:count]


def _row(name: str, at: datetime) -> str:
    return f"{at.isoformat()}  {name}".rstrip()


async def _list(home: CliHome, files: ScheduleFiles, *, as_json: bool) -> int:
    read, texts, now = await files.look(), home.texts, SystemClock().now()
    for job in read.jobs:
        timing = timing_of(job, zone_named, texts)
        soon = timing.next_after(now) if job.enabled else None
        if as_json:
            _say(json.dumps(_as_json(job, soon)))
        else:
            state = next_text([soon] if soon else [], texts) if job.enabled else texts("paused")
            _say(f"{job.job_id}: {when_text(job, texts)}; {state}: {job.task}")
    if not read.jobs and not as_json:
        _say(texts("Nothing is scheduled."))
    for problem in read.problems:
        print(visible(problem), file=sys.stderr)  # noqa: T201 - the command line speaks here
    return 1 if read.problems else 0


def _as_json(job: Job, soon: datetime | None) -> dict[str, object]:
    return {
        "name": job.job_id,
        "kind": job.kind.value,
        "task": job.task,
        "cron": job.cron,
        "at": job.at.isoformat() if job.at else None,
        "zone": job.zone,
        "agent": job.agent_id,
        "enabled": job.enabled,
        "next": soon.isoformat() if soon else None,
    }


async def _add(home: CliHome, files: ScheduleFiles, wish: Wish) -> int:
    texts, now = home.texts, SystemClock().now()
    job = _job(home, wish, now)
    soon = timing_of(job, zone_named, texts).next_after(now)
    if soon is None:
        return _refused(texts("That time is past; nothing was scheduled."))
    await asyncio.to_thread(home_dir, texts)
    kept = await files.add(job)
    line = texts("Scheduled {when} ({next}): {task}")
    _say(line.format(when=when_text(kept, texts), next=next_text([soon], texts), task=kept.task))
    if note := either_day(kept.cron, texts):
        _say(note)
    undo = f"jarvis-desktop schedule remove {kept.job_id}"
    _say(texts("{command} takes it back.").format(command=undo))
    return 0


def _job(home: CliHome, wish: Wish, now: datetime) -> Job:
    """The job that is meant.

    Raises:
        UserFixableError: no time, or none that can be used.
    """
    agent_id = AgentId(wish.agent or MAIN_AGENT)
    text = wish.text.strip()
    if wish.cron:
        return Job(JobId(""), task=text, cron=wish.cron, zone=wish.zone, agent_id=agent_id)
    if wish.at:
        at = _instant(wish.at, wish.zone, home)
        return Job(JobId(""), task=text, at=at, zone=wish.zone, agent_id=agent_id)
    try:
        zone = zone_named(wish.zone)
    except NO_ZONE:
        zone = timing_of(Job(JobId("zone"), zone=wish.zone), zone_named, home.texts).zone
    typed = typed_when(text, now, zone)
    if typed is None:
        hint = home.texts(
            "No time was recognised. Give one with --cron or --at, or begin with one: {example}."
        )
        raise UserFixableError(hint.format(example="daily 08:00 …"))
    return Job(JobId(""), task=typed.task, cron=typed.cron, at=typed.at, zone=wish.zone, agent_id=agent_id)


def _instant(text: str, zone: str, home: CliHome) -> datetime:
    timing_of(Job(JobId("zone"), zone=zone), zone_named, home.texts)
    at = instant_of(text, zone, zone_named)
    if at is None:
        wrong = home.texts("{text} is no time; write it like 2026-12-24T18:00.")
        raise UserFixableError(wrong.format(text=text))
    return at


async def _remove(home: CliHome, files: ScheduleFiles, name: str) -> int:
    if await files.remove(JobId(name)):
        _say(home.texts("{job} is scheduled no more.").format(job=name))
        return 0
    return _refused(home.texts("There is no job called {name}.").format(name=name))


def _run(work: Callable[[CliHome, ScheduleFiles], Awaitable[int]]) -> int:
    home = cli_home()
    files = ScheduleFiles(Path(home.folder), zone_named, home.texts)

    async def told() -> int:
        try:
            return await work(home, files)
        except UserFixableError as error:
            return _refused(str(error))

    return asyncio.run(told())


def _refused(text: str) -> int:
    print(text, file=sys.stderr)  # noqa: T201 - the command line speaks here
    return 1


def _say(text: str) -> None:
    # A file that somebody dropped must not steer the terminal.
    print(visible(text))  # noqa: T201 - the answer of the command
