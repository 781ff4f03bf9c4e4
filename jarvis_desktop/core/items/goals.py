"""Goals: work that a person leaves with an agent, what its turns come to, and what is told about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType, TypeAlias

from jarvis_desktop.core.items.calls import Json, ResultStatus
from jarvis_desktop.core.items.ids import AgentId, SessionId, TurnId

GoalId = NewType("GoalId", str)
"""The name of its file, without ``.json``."""

GOAL_TOOL = "goal"
EVERY_HOUR = "0 9-21 * * *"
"""When a goal has its turns if nobody says otherwise: every hour on the hour, 9 to 21 (G-025)."""


def goal_file(goal_id: str) -> str:
    """Where the goal of that id lies, below the home folder."""
    return f"goals/{goal_id}.json"


class GoalState(StrEnum):
    """What is to become of a goal."""

    ACTIVE = "active"
    PAUSED = "paused"
    """No turn until a person resumes it."""
    SNOOZED = "snoozed"
    """No turn until a time."""
    DONE = "done"
    """Its agent says that it is reached."""
    STOPPED = "stopped"
    """A person ended it; it can be given again, and what was told stays told."""


class GoalCue(StrEnum):
    """What can happen to a goal."""

    GIVE = "give"
    PAUSE = "pause"
    RESUME = "resume"
    SNOOZE = "snooze"
    WAKE = "wake"
    """The time of a snooze is over."""
    FINISH = "finish"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class PastCall:
    """A tool call of the last turn, to be made again before the model is asked."""

    name: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal, as its file says."""

    goal_id: GoalId
    agent_id: AgentId
    sentence: str
    """In the person's words."""
    zone: str
    """IANA name; the times of ``cron`` are meant there."""
    created_at: datetime
    cron: str = EVERY_HOUR
    state: GoalState = GoalState.ACTIVE
    snoozed_until: datetime | None = None
    """Set while, and only while, it is snoozed."""
    last_calls: tuple[PastCall, ...] = ()
    seen: str = ""
    """Fingerprint of what ``last_calls`` came to; empty: the next turn asks the model."""

    @property
    def file(self) -> str:
        """Where it lies, below the home folder."""
        return goal_file(self.goal_id)


@dataclass(frozen=True, slots=True)
class GoalProblem:
    """A goal's file that does not count, and why."""

    file: str
    line: int
    """From 1; 0 where no line is meant."""
    found: str
    """What is wrong, in English; for people it is worded by the app."""


@dataclass(frozen=True, slots=True)
class GoalsRead:
    """All goals as their files say, the oldest first, and the files that do not count."""

    goals: tuple[Goal, ...]
    problems: tuple[GoalProblem, ...]


OWN_ASKING = "ask-jarvis-"
"""Keys of what we ask ourselves begin so; what tools and models say gets no such key."""


@dataclass(frozen=True, slots=True)
class GoalItem:
    """One thing to tell."""

    key: str
    line: str
    version: str = ""
    """The same key with another version is told once more, as changed (decision 22)."""

    @property
    def asks(self) -> bool:
        """It asks for a permission or a value that only the person can give (G-036)."""
        return self.key.startswith("ask-")


class GoalOutcome(StrEnum):
    """What a turn of a goal came to; one row of its history."""

    TOLD = "told"
    NOTHING = "nothing"
    ASKED = "asked"
    """It only asked."""
    SKIPPED_UNCHANGED = "skipped-unchanged"
    """The tools said what they had said before, so no model was asked."""
    SKIPPED_WINDOW = "skipped-window"
    SKIPPED_BUDGET = "skipped-budget"
    UNDELIVERED = "undelivered"
    """There was something to tell, and nobody could be told yet: it waits."""
    ERROR = "error"
    INTERRUPTED = "interrupted"
    """It did not come to its end."""


@dataclass(frozen=True, slots=True)
class GoalRun:
    """One row of a goal's history."""

    goal_id: GoalId
    at: datetime
    """When it began."""
    outcome: GoalOutcome
    told: int = 0
    """Items that were told."""
    model_turns: int = 0
    """How often the model was put to work; 0 for a turn without it."""
    took_s: float = 0.0
    why: str = ""
    """A plain sentence where the outcome needs one."""
    number: int = 0
    """Given by the database; 0 before that."""
    tokens: int = 0
    """That the model read and wrote, as far as it tells."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What turns have cost."""

    turns: int = 0
    """In which the model was asked."""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class GoalCall:
    """A tool call of a goal's turn."""

    call: PastCall
    status: ResultStatus
    ahead: bool
    """It was made before the model was asked."""


class HeldWhy(StrEnum):
    """Why an item was not told in a turn."""

    TOLD_BEFORE = "told-before"
    TOO_MANY = "too-many"
    """More than five were new; it comes with the next turn."""
    BUSY = "busy"
    """Neither the conversation could take it, since the person is being answered or wants to be left alone,
    nor a notification."""
    QUIET = "quiet"
    """Quiet hours: it comes in one bundle when they end."""
    ENDED = "ended"
    """The goal was ended while its turn ran: it comes when that is taken back."""
    MUTED = "muted"
    """A person wants to hear no more of its key."""


@dataclass(frozen=True, slots=True)
class HeldItem:
    """An item that was not told, and why."""

    item: GoalItem
    why: HeldWhy


@dataclass(frozen=True, slots=True)
class GoalReport:
    """Everything that a turn did."""

    run: GoalRun
    calls: tuple[GoalCall, ...] = ()
    told: tuple[GoalItem, ...] = ()
    text: str = ""
    """What the agent said in the conversation."""
    held: tuple[HeldItem, ...] = ()
    record: str = ""
    """The line that later turns read; empty where none was kept."""


# --- events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GoalAdvanced:
    """A turn of a goal is over."""

    report: GoalReport


@dataclass(frozen=True, slots=True)
class GoalGiven:
    """An agent was given a goal; it can be taken back."""

    goal: Goal


@dataclass(frozen=True, slots=True)
class GoalSpoke:
    """An agent said in a conversation what came of a goal; it is stored, and what it told counts as told."""

    turn_id: TurnId
    session_id: SessionId
    agent_id: AgentId
    goal_id: GoalId
    sentence: str
    text: str
    at: datetime
    items: int
    news: tuple[GoalItem, ...] = ()
    """Those of them that nobody was told before, by a notification either."""
    aloud: str = ""
    """What is read out of it; empty where nothing is."""
    asks: tuple[GoalItem, ...] = ()
    """Those of them that ask the person something."""


@dataclass(frozen=True, slots=True)
class GoalSuggested:
    """A request was meant for good and was only answered; a person may want to keep it as a goal."""

    turn_id: TurnId
    """In which it was answered."""
    session_id: SessionId
    agent_id: AgentId
    sentence: str
    """In one line, and no longer than a goal may be."""


GoalEvent: TypeAlias = GoalAdvanced | GoalGiven | GoalSpoke | GoalSuggested
