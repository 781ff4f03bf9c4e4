"""What the loop over commands steers, as far as it knows it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.commands import AnswerQuestion, DecideSaving, SubmitTurn, Tick, WindowCommand
from jarvis_desktop.core.items.events import AgentsListed, ConversationOpened
from jarvis_desktop.core.items.ids import AgentId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.skills import SkillsListed
from jarvis_desktop.core.items.slash import AskChoices
from jarvis_desktop.core.items.turn import Message, TurnRequest
from jarvis_desktop.core.ports import CallStyle, Clock, Conversation, Emit, Restored, Team, Texts
from jarvis_desktop.core.ports.skills import Skills
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.slash.parsing import Slash
from jarvis_desktop.core.turn.turn_notes import TurnNotes, TurnOutcome


class Questions(Protocol):
    """The approval broker, as far as commands reach it."""

    async def answer(self, command: AnswerQuestion) -> object:
        """A person answered."""

    async def decide_saving(self, command: DecideSaving) -> None:
        """What a person said to the rule that was read back."""

    async def attach(self, window_id: WindowId) -> None:
        """A place to answer is open."""

    def detach(self, window_id: WindowId) -> None:
        """It is gone."""

    def withdraw(self) -> None:
        """The turn that asks is stopped; an answer that comes behind it is late."""


class Turns(Protocol):
    """Runs one turn; cancelling the call stops it."""

    async def run(
        self, request: TurnRequest, past: Sequence[Message], style: CallStyle, notes: TurnNotes
    ) -> TurnOutcome:
        """Work on ``request`` until it has ended; ``notes`` hold what was said and done at any time."""


class Record(Protocol):
    """Where requests and messages are kept; never raises for a disk in trouble."""

    async def queue_turn(self, request: TurnRequest) -> None:
        """The request waits, and that is on disk."""

    async def begin_turn(self, request: TurnRequest) -> None:
        """The request is on disk."""

    async def keep_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        """What later prompts should know is on disk."""


class Listening(Protocol):
    """The ears, as far as commands reach them."""

    def talk_now(self) -> None:
        """Listen for a request."""

    def set_muted(self, muted: bool) -> None:  # noqa: FBT001 - it carries the value of the command SetMuted
        """Microphone off or on."""

    def interrupt(self) -> None:
        """Give up what is being listened to."""


class Speaking(Protocol):
    """The mouth, as far as commands reach it."""

    def cut(self) -> None:
        """Silence at once."""


class SlashOrders(Protocol):
    """The slash commands' desk; both return at once."""

    def obey(self, slash: Slash, asked: SubmitTurn) -> None:
        """Carry the command out."""

    def suggest(self, asked: AskChoices) -> None:
        """Tell what may be typed next."""


class LiveValues(Protocol):
    """The settings, as far as turns need them; ``LiveSettings`` fills it."""

    async def look(self) -> Settings:
        """As the file says now; what changed counts when this returns."""


class Added(Protocol):
    """What people added, as far as turns have to do with it."""

    async def begin_turn(self) -> None:
        """A turn has begun: it keeps what there is now."""


@dataclass(frozen=True, slots=True)
class LoopParts:
    """What the loop steers."""

    turns: Turns
    style: Callable[[AgentCard], CallStyle]
    """How the agent's model is asked for tool calls; asked at every turn."""
    team: Team
    questions: Questions
    begin_conversation: Callable[[AgentId, Path], Awaitable[Conversation]]
    reopen: Callable[[AgentId, Path], Awaitable[Restored]]
    """The agent's last conversation, or a new one that works in the folder."""
    open_stored: Callable[[SessionId], Awaitable[Restored]]
    """That conversation. Raises UserFixableError when it is not there."""
    past: Callable[[SessionId], Awaitable[tuple[Message, ...]]]
    """What a model may read again of a conversation, as it is stored now."""
    folder: Callable[[], Awaitable[Path]]
    """Where a new conversation works."""
    record: Record
    ears: Listening
    mouth: Speaking
    clock: Clock
    texts: Texts
    emit: Emit
    publish: Callable[[ConversationOpened | AgentsListed | SkillsListed], None]
    settings: LiveValues
    slash: SlashOrders
    skills: Skills
    added: Added
    set_up: Callable[[WindowCommand], None]
    """Does what setup and settings window ask for; returns at once."""
    ticked: Callable[[Tick], None] = lambda _: None
    """The clock went on; returns at once."""
