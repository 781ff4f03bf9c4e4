"""What slash commands look at and change, each in a small protocol."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from jarvis_desktop.core.items.extensions import Extension
from jarvis_desktop.core.items.ids import SessionId
from jarvis_desktop.core.items.memory import Recall
from jarvis_desktop.core.items.memory_desk import Remembered
from jarvis_desktop.core.items.rule_facts import HeldRule
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.items.setup import ChatChoice
from jarvis_desktop.core.items.slash import StoredConversation, StoredTurn


class StoredChats(Protocol):
    """Stored conversations. Raises StorageError."""

    async def conversations(self, words: str, limit: int) -> tuple[StoredConversation, ...]:
        """The last used ones in which something was asked, newest first.

        words: only those in which all of these words were said, in any case; empty for all.
        """

    async def turns_of(self, session_id: SessionId) -> tuple[StoredTurn, ...]:
        """All that was asked and answered in one, oldest first; slash commands are left out."""


class RuleShelf(Protocol):
    """Remembered rules of both layers. Raises UserFixableError or OSError."""

    async def held(self) -> tuple[HeldRule, ...]:
        """All of them, the shared ones first."""

    async def forget(self, rule: Rule) -> str:
        """It counts no longer; the name under which it can be put back."""

    async def put_back(self, undo_id: str) -> Rule:
        """It counts again."""


@dataclass(frozen=True, slots=True)
class ModelsLooked:
    """Chat models as they were found."""

    choices: tuple[ChatChoice, ...]
    current: ChatChoice | None
    """The one that answers the next request; None when none of them does."""


class MemoryShelf(Protocol):
    """What is remembered. Raises StorageError."""

    @property
    def undo_s(self) -> int:
        """For how many seconds forgetting can be taken back."""

    async def look(self, wanted: Recall) -> Remembered:
        """Episodes that meet every condition, and all patterns of their agent; what is going is left out."""


class ModelShelf(Protocol):
    """Chat models."""

    async def look(self) -> ModelsLooked:
        """What can be chosen, as the setup shows it. Asks the servers: seconds at worst."""


class PluginShelf(Protocol):
    """A person's plugins."""

    @property
    def folder(self) -> Path:
        """Where their files lie; it need not be there."""

    async def look(self) -> Sequence[Extension]:
        """All of them as they are now, by name."""


class ServerList(Protocol):
    """MCP servers."""

    async def look(self) -> Sequence[Extension]:
        """All of them as they are now."""


class FocusMode(Protocol):
    """Whether the person wants to be left alone."""

    @property
    def on(self) -> bool:
        """The wake word is not heeded, and nothing of ours comes into the conversation by itself."""

    @property
    def until(self) -> datetime | None:
        """When it ends by itself; None: when the person says so."""

    async def begin(self, until: datetime | None) -> None:
        """From now on, or with another end."""

    async def end(self) -> None:
        """Over."""


class Exports(Protocol):
    """Where a person's own copies of conversations are written."""

    async def write(self, path: Path, text: str) -> None:
        """A new file, readable by its owner alone; missing folders are made.

        Raises:
            UserFixableError: there is a file already, the place is our own folder, or it cannot be written.
        """

    async def free(self, path: Path) -> Path:
        """``path``, or one like it with a number that nothing is called by yet."""
