"""What comes of a turn: while it runs, and when it has ended."""

from dataclasses import dataclass, field

from jarvis_desktop.core.items.calls import ToolResult
from jarvis_desktop.core.items.errors import ModelTrouble
from jarvis_desktop.core.items.turn import Message, TurnEnd


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """How a turn ended."""

    end: TurnEnd
    text: str
    """The whole answer as shown."""
    messages: tuple[Message, ...]
    """What later prompts should know: request, calls with their results, answer."""


@dataclass(slots=True)
class TurnNotes:
    """What came of a turn so far; whoever holds it still has it when the turn is interrupted."""

    messages: list[Message] = field(default_factory=list)
    """Complete at every await: a call never stands here without its result."""
    text: str = ""
    """What people see of the answer."""
    before: str = ""
    """The part of it that belongs to earlier answers of the model in this turn."""
    results: tuple[ToolResult, ...] = ()
    """Of the last step."""
    taught: str = ""
    """What stands before the request in the prompt; it is no part of the conversation."""
    added: str = ""
    """What plugins added to the system prompt."""
    given: tuple[Message, ...] = ()
    """One step that was made before the model was asked: calls, and what they came to."""
    plugged: bool = False
    """Words of plugins are in the turn, which may be a stranger's: plugins have a network."""
    repeats: int = 0
    """Steps in a row that asked only for what the model had just been told."""
    retries: int = 0
    tokens: int = 0
    """Read and written by the model, as far as it tells."""
    trouble: ModelTrouble | None = None
    """Why the model could not answer."""
