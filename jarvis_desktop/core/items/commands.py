"""Orders from people and the clock to the core: a short closed list."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from jarvis_desktop.core.items.agenda import AgendaCommand
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy
from jarvis_desktop.core.items.extensions import ExtensionCommand
from jarvis_desktop.core.items.goal_notices import GoalCommand
from jarvis_desktop.core.items.ids import AgentId, QuestionId, WindowId
from jarvis_desktop.core.items.memory_desk import MemoryCommand
from jarvis_desktop.core.items.rule_desk import RuleCommand
from jarvis_desktop.core.items.schedule import ScheduleCommand
from jarvis_desktop.core.items.settings_desk import SettingsCommand
from jarvis_desktop.core.items.setup import SetupCommand
from jarvis_desktop.core.items.slash import SlashOrder
from jarvis_desktop.core.items.team_desk import TeamDeskCommand
from jarvis_desktop.core.items.turn import Origin


@dataclass(frozen=True, slots=True)
class SubmitTurn:
    """Work on this text in the open conversation."""

    text: str
    origin: Origin
    errand: str = ""
    """Names the request for whoever waits for what comes of it; comes back with the answer."""


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """A person's answer to one open question."""

    question_id: QuestionId
    digest: str
    """The digest of what was shown; anything else changes nothing."""
    answer: Answer
    by: AnsweredBy
    window_id: WindowId | None = None
    desktop: bool = False
    """The call may use the desktop, for this once; only with ALLOW from a window."""


@dataclass(frozen=True, slots=True)
class DecideSaving:
    """What a person said to the rule that was read back after a spoken ALWAYS (decision 19)."""

    question_id: QuestionId
    """The question that was answered; its call was allowed once."""
    digest: str
    save: bool
    by: AnsweredBy = AnsweredBy.VOICE


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Stop speaking and stop the running turn; waiting turns stay."""


@dataclass(frozen=True, slots=True)
class TalkNow:
    """Listen for a request without the wake word."""


@dataclass(frozen=True, slots=True)
class SetMuted:
    """Turn the microphone off or on for everything."""

    muted: bool


@dataclass(frozen=True, slots=True)
class NewConversation:
    """Begin a fresh conversation; the old one stays stored."""


@dataclass(frozen=True, slots=True)
class SwitchAgent:
    """Talk with this agent from now on: its own conversation is opened again, where it was left."""

    agent_id: AgentId


@dataclass(frozen=True, slots=True)
class Attach:
    """A place where a person can see questions and answer them is open."""

    window_id: WindowId


@dataclass(frozen=True, slots=True)
class Detach:
    """That place is gone."""

    window_id: WindowId


@dataclass(frozen=True, slots=True)
class Tick:
    """The idle clock, from the front end's timer."""

    now: datetime
    idle_s: float


@dataclass(frozen=True, slots=True)
class Quit:
    """Stop everything and end the process."""


WindowCommand: TypeAlias = (
    SetupCommand
    | RuleCommand
    | MemoryCommand
    | SettingsCommand
    | ExtensionCommand
    | TeamDeskCommand
    | AgendaCommand
    | GoalCommand
    | ScheduleCommand
)
"""What windows ask for beside the conversation."""

Command: TypeAlias = (
    SubmitTurn
    | AnswerQuestion
    | DecideSaving
    | Interrupt
    | TalkNow
    | SetMuted
    | NewConversation
    | SwitchAgent
    | Attach
    | Detach
    | Tick
    | Quit
    | SlashOrder
    | WindowCommand
)
