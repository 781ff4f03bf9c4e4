"""What a verdict needs to know about a call, read once, before anything is judged."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.decisions import Shown
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.settings import SecuritySettings


class Exhibit(Protocol):
    """What a person is shown of a call; a tool's preview is one."""

    @property
    def shown(self) -> Shown:
        """How the detail is to be drawn."""

    @property
    def detail(self) -> str:
        """The command, the diff or the arguments, in full."""

    @property
    def snapshot(self) -> str:
        """Digest of the files that the call would change."""


@dataclass(frozen=True, slots=True)
class Matter:
    """A call that is to be decided."""

    call: ToolCall
    """With its arguments checked and completed: exactly what would run."""
    request: TurnRequest
    exhibit: Callable[[], Awaitable[Exhibit]]
    """Reads what a person would be shown now; called only when somebody is asked."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a verdict is worked out from."""

    tool: str
    """Approval goes by name, so a tool that stands in for a built-in one keeps its need (T-054)."""
    ask_for: frozenset[str]
    """Names of the tools that ask a person."""


async def gather(matter: Matter, security: SecuritySettings) -> Facts:
    """The facts about one call. Whatever has to be read from the world is read here."""
    return Facts(tool=matter.call.name, ask_for=frozenset(security.require_approval_for))
