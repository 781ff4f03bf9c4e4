"""A turn: what was asked, the messages that the model reads, how it ended."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.calls import ResultStatus, ToolCall
from jarvis_desktop.core.items.ids import AgentId, CallId, SessionId, TurnId
from jarvis_desktop.core.items.speech import Language


class Origin(StrEnum):
    """Where a request came from."""

    TYPED = "typed"
    SPOKEN = "spoken"
    """Its questions are read aloud and may be answered by voice."""
    COMMAND_LINE = "command_line"
    SLASH = "slash"
    """A slash command, stored with its answer; no model reads either."""
    SCHEDULE = "schedule"
    """The clock: a job that was due; its text is what the person wants done."""
    GOAL = "goal"
    """Nobody: an agent told what came of a goal, whose sentence stands where requests do."""


class Situation(StrEnum):
    """Who is there while a turn runs."""

    CONVERSATION = "conversation"
    """A person ordered it and can be asked."""
    GOAL = "goal"
    SCHEDULE = "schedule"
    PROACTIVE = "proactive"
    """Something done ahead, on the assistant's own account."""


class Role(StrEnum):
    """Whose message it is, in the words of chat models."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    """Calls that an assistant message asks for."""
    call_id: CallId | None = None
    """The call that a tool message answers."""
    tool_name: str | None = None
    status: ResultStatus = ResultStatus.OK
    """How the call ended that a tool message answers; people see it, the model does not."""
    typed: str = ""
    """As a person typed it, where a skill made the text of it; no model is shown it."""
    replaced: str | None = None
    """What the model had said before a plugin put ``text`` in its place; kept, and read by no model."""


@dataclass(frozen=True, slots=True)
class Errand:
    """Where a turn comes from that another agent asked for; its session is of the kind ``delegation``."""

    root_id: TurnId
    """The person's turn for which all this is done."""
    call_id: CallId
    """The call by which it was asked."""
    chain: tuple[AgentCard, ...]
    """Who asked whom: the agent that the person talks with first, the one that asked last."""
    task: str
    """What was asked, without what other agents had found for it."""
    heard: tuple[Message, ...] = ()
    """What those who asked may have read before. No model is shown it; it decides what counts as foreign."""

    @property
    def asker(self) -> AgentCard:
        """The agent that asked."""
        return self.chain[-1]


@dataclass(frozen=True, slots=True)
class TurnBudget:
    """What a turn that nobody waits for may take."""

    steps: int
    """How often the model may ask for tools."""
    tokens: int = 0
    """That it may read and write; 0: no limit. Counted after each of its answers, so one may go beyond."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One request of a person, or of an agent on the way to one, ready to be worked on."""

    turn_id: TurnId
    session_id: SessionId
    agent_id: AgentId
    text: str
    """What the model reads."""
    origin: Origin
    language: Language
    """Language of the app's own texts in this turn."""
    cwd: Path
    """Working directory of the conversation; absolute."""
    asked_at: datetime
    situation: Situation = Situation.CONVERSATION
    card: AgentCard | None = None
    """The agent as it was when the turn began: a file that changes meanwhile counts from the next turn."""
    errand: Errand | None = None
    """None: a person asked."""
    typed: str = ""
    """As the person typed it, where a skill made ``text`` of it."""
    budget: TurnBudget | None = None
    """None: a person waits, and can stop it."""

    @property
    def shown(self) -> str:
        """What people see of it."""
        return self.typed or self.text

    @property
    def expansion(self) -> str:
        """What a skill made of it; empty for all others."""
        return self.text if self.typed else ""

    @property
    def agent(self) -> AgentCard:
        """The card; where nobody gave one, an agent that is nothing but its id."""
        return self.card or AgentCard(self.agent_id, self.agent_id)


class TurnEnd(StrEnum):
    """Why a turn is over."""

    ANSWERED = "answered"
    DENIED = "denied"
    TIMED_OUT = "timed_out"
    """An approval question was not answered."""
    INTERRUPTED = "interrupted"
    OVERFLOW = "overflow"
    """The tool rounds were used up."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StoredDelegate:
    """What an agent did for another one, as it was stored."""

    name: str
    asker: str
    task: str
    tools: tuple[tuple[str, ResultStatus], ...]
    """Its calls in short, and how they ended."""
    end: TurnEnd
    text: str


@dataclass(frozen=True, slots=True)
class StoredLine:
    """One line of a stored conversation, as a window shows it."""

    role: Role
    text: str
    at: datetime
    turn_id: TurnId
    complete: bool
    """False: the program ended while this line was being written."""
    spoken: bool = False
    """A request that was said aloud."""
    status: ResultStatus = ResultStatus.OK
    """Of a tool line, whose text is a call in short."""
    delegate: StoredDelegate | None = None
    """Set for a tool line that is not a call: what another agent did for this turn."""
    expansion: str = ""
    """Of a request: what a skill made of it for the model."""
