"""The agenda: every goal and job with its next time and last result, as windows show and steer it."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from jarvis_desktop.core.items.goals import Goal, GoalCue, GoalId, GoalRun, GoalState
from jarvis_desktop.core.items.schedule import AgendaOrder, Job, JobId, RemoveJob, Run


@dataclass(frozen=True, slots=True)
class Effort:
    """What a number of turns took."""

    turns: int = 0
    without_model: int = 0
    """Of them: no model was asked."""
    tokens: int = 0
    took_s: float = 0.0


@dataclass(frozen=True, slots=True)
class ToldKey:
    """Something that was told, or that a person does not want to hear of."""

    key: str
    version: str
    told_at: datetime | None
    """None: never, since a person did not want to hear of it."""
    muted: bool = False
    """A person wants to hear no more of it."""


@dataclass(frozen=True, slots=True)
class GoalFact:
    """One goal in the list."""

    goal: Goal
    agent: str
    """What people call its agent."""
    when: str
    """Its times, in the app's language."""
    next_at: datetime | None
    """None: it has no turn by itself now."""
    last: GoalRun | None
    working: bool = False
    """A turn of it is going on."""


@dataclass(frozen=True, slots=True)
class JobFact:
    """One job in the list; jobs that turn goals are not shown beside their goals."""

    job: Job
    agent: str
    when: str
    next_at: datetime | None
    last: Run | None


@dataclass(frozen=True, slots=True)
class GoalDetail:
    """The rest of the goal that is looked at."""

    goal_id: GoalId
    runs: tuple[GoalRun, ...]
    """Its history, the newest first."""
    told: tuple[ToldKey, ...]
    """The newest first."""
    records: tuple[str, ...]
    """What its next turns read, the newest last."""
    waiting: int
    """Things that wait to be told."""
    today: Effort
    ever: Effort
    """As far back as its history is kept."""


@dataclass(frozen=True, slots=True)
class JobDetail:
    """The rest of the job that is looked at."""

    job_id: JobId
    runs: tuple[Run, ...]
    """The newest first."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """All there is, as the files and the database say now."""

    goals: tuple[GoalFact, ...] = ()
    """Those that go on first; among them the oldest first."""
    ended: int = 0
    """How many goals are reached or were ended, shown or not."""
    jobs: tuple[JobFact, ...] = ()
    goal_problems: tuple[str, ...] = ()
    """Files that cannot be read, each in a sentence with its line."""
    job_problems: tuple[str, ...] = ()
    today: Effort = Effort()
    """Of all goals, since midnight here."""
    on: bool = True
    """The scheduler is switched on."""
    goal: GoalDetail | None = None
    """None where none is looked at, or the one that was is gone."""
    job: JobDetail | None = None


# --- events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AgendaLooked:
    """The answer to ``LookAtAgenda``."""

    number: int
    agenda: Agenda
    at: datetime
    """When that was so."""


@dataclass(frozen=True, slots=True)
class AgendaChanged:
    """A person's wish was done; whoever shows the agenda looks again."""


@dataclass(frozen=True, slots=True)
class AgendaRefused:
    """A wish was not done."""

    reason: str
    """In the app's language: what happened, where, what to do."""


@dataclass(frozen=True, slots=True)
class GoalEnded:
    """A person ended a goal; ``UndoEndGoal`` takes that back."""

    goal: Goal
    """As it was before."""


@dataclass(frozen=True, slots=True)
class JobRemoved:
    """A job's file is gone; ``UndoRemoveJob`` brings it back to the byte."""

    job: Job


AgendaEvent: TypeAlias = AgendaLooked | AgendaChanged | AgendaRefused | GoalEnded | JobRemoved

# --- commands --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LookAtAgenda(AgendaOrder):
    """Tell all there is by ``AgendaLooked``."""

    number: int
    goal_id: GoalId | None = None
    """The goal of which everything is told."""
    job_id: JobId | None = None
    ended: bool = False
    """Goals that are over belong to it."""


@dataclass(frozen=True, slots=True)
class CueGoal(AgendaOrder):
    """Pause, resume, snooze or stop a goal."""

    goal_id: GoalId
    cue: GoalCue
    for_s: int = 0
    """Of a snooze: how long, from now on."""
    until: datetime | None = None
    """Of a snooze: when it is over, where no length is given; timezone-aware."""


@dataclass(frozen=True, slots=True)
class UndoEndGoal(AgendaOrder):
    """A goal that was ended goes on as it was."""

    goal_id: GoalId
    state: GoalState
    snoozed_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class RunGoal(AgendaOrder):
    """A turn of it begins now."""

    goal_id: GoalId


@dataclass(frozen=True, slots=True)
class EditGoal(AgendaOrder):
    """The same goal in other words."""

    goal_id: GoalId
    sentence: str


@dataclass(frozen=True, slots=True)
class PauseJob(AgendaOrder):
    """It waits until a person lets it go on."""

    job_id: JobId
    paused: bool
    """False: it goes on."""


@dataclass(frozen=True, slots=True)
class RunJob(AgendaOrder):
    """It runs now, whatever its times."""

    job_id: JobId


@dataclass(frozen=True, slots=True)
class UndoRemoveJob(AgendaOrder):
    """A job that was removed is there again."""

    job_id: JobId


AgendaCommand: TypeAlias = (
    LookAtAgenda | CueGoal | UndoEndGoal | RunGoal | EditGoal | PauseJob | RunJob | UndoRemoveJob | RemoveJob
)
