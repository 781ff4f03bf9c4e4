"""What is kept on disk: conversations, episodes of turns, taught patterns."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from jarvis_desktop.core.items.events import ActivityNoted, StoredLine
from jarvis_desktop.core.items.ids import AgentId, SessionId, TurnId
from jarvis_desktop.core.items.memory import Episode, PatternName, Recall, TaskPattern
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.turn import Message, TurnEnd, TurnRequest


@dataclass(frozen=True, slots=True)
class Conversation:
    """A stored conversation."""

    session_id: SessionId
    agent_id: AgentId
    cwd: Path


@dataclass(frozen=True, slots=True)
class InterruptedTurn:
    """A turn that was running when the program ended without saying so."""

    turn_id: TurnId
    text: str
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Restored:
    """What the last run left behind."""

    conversation: Conversation
    lines: tuple[StoredLine, ...]
    messages: tuple[Message, ...]
    """For the model: complete turns, oldest first."""
    interrupted: tuple[InterruptedTurn, ...]


class ConversationStore(Protocol):
    """Conversations on disk. Each method returns when its change would survive a kill."""

    async def restore(self, agent_id: AgentId, cwd: Path) -> Restored:
        """The last conversation of this agent, or a new one; turns that ran or waited are now interrupted."""

    async def reopen(self, agent_id: AgentId, cwd: Path) -> Restored:
        """As ``restore``, in the middle of a run: turns that run or wait are left alone."""

    async def begin_conversation(self, agent_id: AgentId, cwd: Path) -> Conversation:
        """A new, empty conversation."""

    async def queue_turn(self, request: TurnRequest) -> None:
        """The request waits for its turn, in the conversation that it names now."""

    async def begin_turn(self, request: TurnRequest) -> None:
        """The request is on disk, and waits no more."""

    async def set_reply(self, turn_id: TurnId, text: str) -> None:
        """The answer so far is on disk."""

    async def add_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        """Messages of this turn for later prompts: calls, results, answer."""

    async def end_turn(self, turn_id: TurnId, end: TurnEnd, text: str) -> None:
        """The turn is over."""

    async def add_command(self, answered: SlashAnswered) -> None:
        """A slash command with its answer is on disk; it is no turn that a model reads of."""

    async def add_activity(self, line: ActivityNoted) -> None:
        """One more activity line."""

    async def recent_activity(self, limit: int) -> tuple[ActivityNoted, ...]:
        """The newest lines, oldest first."""


class Memory(Protocol):
    """Episodes and taught patterns. While the person has switched memory off it takes and gives nothing."""

    async def remember(self, request: TurnRequest) -> None:
        """The turn that has ended, with its messages stored, is an episode.

        Raises:
            StorageError: it is not.
        """

    async def recall(self, wanted: Recall) -> tuple[Episode, ...]:
        """Episodes that meet every condition; with a text the best first, otherwise the newest.

        Raises:
            StorageError: they cannot be read.
        """

    async def teach(self, pattern: TaskPattern) -> TaskPattern:
        """The pattern, as it is kept: in place of one that its agent has by the same name.

        Raises:
            StorageError: it is not kept.
        """

    async def fitting(self, request: TurnRequest) -> tuple[TaskPattern, ...]:
        """The patterns of the request's agent that stand before this turn. Never raises."""

    async def used(self, turn_id: TurnId, patterns: Sequence[PatternName]) -> None:
        """These patterns stood before that turn.

        Raises:
            StorageError: that is not stored.
        """
