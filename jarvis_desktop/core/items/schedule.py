"""Work that is due by the clock: jobs, when they run, what became of each run, and what people are told."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType, TypeAlias

from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, SessionId, TurnId

JobId = NewType("JobId", str)
"""The name of the job's file without its ending."""

SCHEDULE_TOOL = "schedule"
GOAL_JOB = "goal-"
"""The job that turns goal ``abc`` is called ``goal-abc`` (G-016)."""
_NAME = re.compile(r"[\w][\w.-]{0,99}")


def is_job_name(name: str) -> bool:
    """A job can be called that: a file of that name lies in its folder, wherever it is."""
    return _NAME.fullmatch(name) is not None


class JobKind(StrEnum):
    """What a job does when it is due."""

    TASK = "task"
    """A fixed thing: ``Job.task`` is asked of the agent."""
    GOAL = "goal"
    """The goal advances by one step."""


@dataclass(frozen=True, slots=True)
class Job:
    """One file in ``~/.jarvis/schedules``. It runs by ``cron`` again and again, or once at ``at``."""

    job_id: JobId
    kind: JobKind = JobKind.TASK
    task: str = ""
    """What is asked; of a goal its sentence, as people read it."""
    cron: str = ""
    """Five fields, or a name such as ``@hourly``; empty for a job that runs once."""
    at: datetime | None = None
    """Timezone-aware; None for a job that runs by ``cron``."""
    zone: str = ""
    """IANA name; empty: wherever the machine is."""
    agent_id: AgentId = MAIN_AGENT
    enabled: bool = True

    @property
    def goal_id(self) -> str:
        """Of a job of the kind ``goal``."""
        return self.job_id.removeprefix(GOAL_JOB)


class RunEnd(StrEnum):
    """How one run of a job ended."""

    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """The program ended, or a person stopped it."""
    MISSED = "missed"
    """It never began: the machine was off or asleep, and its hours were over."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run came to."""

    end: RunEnd
    text: str = ""
    """For people, in the app's language; of a task the whole answer."""
    again: bool = False
    """Of a failed run: nothing was changed yet, so the same may be tried again after a while (1, 5, 15, 60
    minutes); otherwise it waits for its next time."""
    session_id: SessionId | None = None
    """Where it can be read."""
    turn_id: TurnId | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a job as the ledger keeps it."""

    job_id: JobId
    due_at: datetime
    """UTC; with the job it names the run."""
    began_at: datetime
    end: RunEnd | None = None
    """None while it runs."""
    text: str = ""
    ended_at: datetime | None = None
    session_id: SessionId | None = None


@dataclass(frozen=True, slots=True)
class JobAdded:
    """A job was made by a model or a person; it can be taken back by one click (decision 16)."""

    job: Job
    when: str
    """The understood time, in the app's language."""


@dataclass(frozen=True, slots=True)
class JobRan:
    """A run is over; front ends tell it, and it is no answer in the open conversation."""

    job: Job
    run: Run


ScheduleEvent: TypeAlias = JobAdded | JobRan


class ScheduleOrder:
    """Base of what windows tell the clock that turns schedules."""

    __slots__ = ()


class AgendaOrder:
    """Base of what windows ask of goals and schedules."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class RemoveJob(AgendaOrder):
    """Its file goes."""

    job_id: JobId


@dataclass(frozen=True, slots=True)
class Typing(ScheduleOrder):
    """A person types: what can wait lets them go first."""


ScheduleCommand: TypeAlias = Typing
