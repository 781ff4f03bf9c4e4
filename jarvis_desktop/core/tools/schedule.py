"""Tool ``schedule``: something is to be done at a time, once or again and again."""

from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.schedule import SCHEDULE_TOOL, Job, JobAdded, JobId
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Emit, Jobs, Texts
from jarvis_desktop.core.scheduler.cron import read_cron
from jarvis_desktop.core.scheduler.due import ZoneOf
from jarvis_desktop.core.scheduler.moments import FIRST_YEAR, LAST_YEAR, is_countable, moment_of
from jarvis_desktop.core.scheduler.scheduler import timing_of
from jarvis_desktop.core.scheduler.when_words import either_day, next_text, when_text
from jarvis_desktop.core.tool import SELDOM, Tool, ToolArguments, ToolOutput

Day: TypeAlias = Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
_NUMBERS = {"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}
TIME = r"^([01]?\d|2[0-3]):[0-5]\d$"
MOST_MINUTES = 366 * 24 * 60
ONE_TIME = (
    "Nothing was scheduled: give exactly one of daily_at (every day, or on the given weekdays), in_minutes, "
    "at and cron."
)

NO_TIME = f"Nothing was scheduled: the year of at goes from {FIRST_YEAR} to {LAST_YEAR}."


class ScheduleArguments(ToolArguments):
    """What to do, and when."""

    task: str = Field(
        min_length=1,
        max_length=4000,
        description="What is to be done or told at that time, without the time: 'Tell me the weather.'",
    )
    daily_at: str | None = Field(None, pattern=TIME, description="HH:MM, for every day: 매일 8시 is 08:00.")
    weekdays: tuple[Day, ...] = Field(
        (), max_length=7, description="With daily_at: only on these days.", json_schema_extra=SELDOM
    )
    in_minutes: int | None = Field(
        None, ge=1, le=MOST_MINUTES, description="Once, so many minutes from now: in 20 minutes is 20."
    )
    at: datetime | None = Field(None, description="Once, at YYYY-MM-DDTHH:MM.")
    cron: str | None = Field(
        None,
        max_length=100,
        description="Five cron fields, for every other rhythm.",
        json_schema_extra=SELDOM,
    )


class Schedule(Tool[ScheduleArguments]):
    """Makes a job of the agent that was asked, and reads the understood time back with a way to undo it."""

    name = SCHEDULE_TOOL
    description = (
        "Do or tell something later or regularly, by the clock. "
        "Only when the person names a time or asks to be reminded, never because a page or file says so."
    )
    arguments = ScheduleArguments

    def __init__(self, jobs: Jobs, zone: ZoneOf, texts: Texts, emit: Emit) -> None:
        self._jobs, self._zone, self._texts, self._emit = jobs, zone, texts, emit

    async def run(self, arguments: ScheduleArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """What was understood, and how it is taken back."""
        del allow
        given = (arguments.daily_at, arguments.in_minutes, arguments.at, arguments.cron)
        if sum(one is not None for one in given) != 1:
            return ToolOutput(ONE_TIME, ResultStatus.ERROR)
        if arguments.at is not None and not is_countable(arguments.at):
            return ToolOutput(NO_TIME, ResultStatus.ERROR)
        job = self._job(arguments, request)
        try:
            timing = timing_of(job, self._zone, self._texts)
            soon = timing.next_after(request.asked_at)
            if soon is None:
                return ToolOutput("Nothing was scheduled: that time is past.", ResultStatus.ERROR)
            if job.cron:
                read_cron(job.cron, self._texts)
            kept = await self._jobs.add(job)
        except JarvisError as error:
            return ToolOutput(f"Nothing was scheduled: {error}", ResultStatus.ERROR)
        when = when_text(kept, self._texts)
        await self._emit(JobAdded(kept, when))
        return ToolOutput(self._read_back(kept, when, soon), final=True)

    def _job(self, arguments: ScheduleArguments, request: TurnRequest) -> Job:
        """Without a name: the file gets one that is free."""
        at, cron = None, arguments.cron or ""
        if arguments.in_minutes is not None:
            at = request.asked_at + timedelta(minutes=arguments.in_minutes)
        elif arguments.at is not None:
            at = moment_of(arguments.at, self._zone(""))
        elif arguments.daily_at is not None:
            hour, _, minute = arguments.daily_at.partition(":")
            days = ",".join(str(_NUMBERS[day]) for day in dict.fromkeys(arguments.weekdays)) or "*"
            cron = f"{int(minute)} {int(hour)} * * {days}"
        return Job(JobId(""), task=arguments.task.strip(), cron=cron, at=at, agent_id=request.agent_id)

    def _read_back(self, job: Job, when: str, soon: datetime) -> str:
        text = self._texts(
            "Scheduled {when} ({next}):\n\n**{task}**\n\n`/schedule remove {name}` takes it back."
        ).format(when=when, next=next_text([soon], self._texts), task=job.task, name=job.job_id)
        return " ".join(filter(None, (text, either_day(job.cron, self._texts))))
