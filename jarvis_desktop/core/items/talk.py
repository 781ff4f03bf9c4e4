"""What happens to conversations: one is opened, a request begins, waits or is refused."""

from dataclasses import dataclass
from datetime import datetime

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.ids import AgentId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.turn import Origin, StoredLine


@dataclass(frozen=True, slots=True)
class ConversationOpened:
    """Another conversation is now the open one; windows show its lines."""

    session_id: SessionId
    agent_id: AgentId
    lines: tuple[StoredLine, ...]
    window_id: WindowId | None = None
    """Only for this window when set: it was attached later than the others."""
    waiting: tuple[str, ...] = ()
    """Requests that wait for their turn in it, oldest first."""


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A request was accepted and is being worked on."""

    turn_id: TurnId
    session_id: SessionId
    text: str
    """As the person wrote or said it."""
    origin: Origin
    at: datetime
    card: AgentCard | None = None
    """The agent that works on it."""
    expansion: str = ""
    """What a skill made of it for the model; empty for all others."""


@dataclass(frozen=True, slots=True)
class TurnQueued:
    """A request waits because another turn is running."""

    text: str
    origin: Origin
    ahead: int
    session_id: SessionId | None = None
    """The conversation in which it will run; None: the one that is open."""


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """A request became no turn; front ends give the text back."""

    text: str
    reason: str
    errand: str = ""
    """As ``SubmitTurn`` named it; whoever named it takes the text back, and no front end does."""
