"""What the memory page asks for, and what it is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from jarvis_desktop.core.items.ids import AgentId, TurnId
from jarvis_desktop.core.items.memory import Episode, PatternName, Recall, TaskPattern


@dataclass(frozen=True, slots=True)
class Remembered:
    """What there is, as far as a page shows it."""

    episodes: tuple[Episode, ...]
    patterns: tuple[TaskPattern, ...]
    total: int
    """Episodes in all, of the agent that was asked for."""
    agents: tuple[AgentId, ...]
    """Who remembers something."""
    tools: tuple[str, ...]
    """That were used in some episode."""


# --- events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PatternsUsed:
    """These taught patterns stand before a turn."""

    turn_id: TurnId
    patterns: tuple[PatternName, ...]


@dataclass(frozen=True, slots=True)
class PatternTaught:
    """A pattern is remembered from now on."""

    pattern: TaskPattern


@dataclass(frozen=True, slots=True)
class MemoryLooked:
    """What is remembered."""

    number: int
    """Of the ``LookAtMemory`` that asked for it."""
    found: Remembered
    enabled: bool
    """Memory is switched on."""
    retention_days: int
    """0: turns are kept for ever."""
    names: Mapping[AgentId, str]
    """What people call the agents."""


@dataclass(frozen=True, slots=True)
class EpisodeChanged:
    """An episode says something else now."""

    episode: Episode


@dataclass(frozen=True, slots=True)
class PatternChanged:
    """A pattern says something else now."""

    pattern: TaskPattern


@dataclass(frozen=True, slots=True)
class ForgetBegun:
    """Something counts no more; until it is erased, a person can take that back."""

    wish: "ForgetEpisode | ForgetPattern"
    seconds: int
    """From now until it is erased."""


@dataclass(frozen=True, slots=True)
class ForgetUndone:
    """It counts again."""

    wish: "ForgetEpisode | ForgetPattern"


@dataclass(frozen=True, slots=True)
class Erased:
    """Something is in no file any more; windows show it no longer."""

    turn_ids: tuple[TurnId, ...] = ()
    wishes: tuple["ForgetEpisode | ForgetPattern", ...] = ()
    """Those that were done by it and cannot be taken back any more."""
    everything: bool = False
    """All that was said, by whomever."""


@dataclass(frozen=True, slots=True)
class MemoryWishRefused:
    """Something could not be done."""

    reason: str
    """What happened and what to do, in the app's language."""


MemoryEvent: TypeAlias = (
    PatternsUsed
    | PatternTaught
    | MemoryLooked
    | EpisodeChanged
    | PatternChanged
    | ForgetBegun
    | ForgetUndone
    | Erased
    | MemoryWishRefused
)

# --- commands --------------------------------------------------------------------------------


class MemoryOrder:
    """What every command to the memory's desk is."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LookAtMemory(MemoryOrder):
    """Tell by ``MemoryLooked`` what is remembered."""

    number: int
    """Comes back with the answer, so that a late answer is known as such."""
    wanted: Recall
    within_s: int = 0
    """Only of the last so many seconds; 0 for any time."""


@dataclass(frozen=True, slots=True)
class ChangeEpisode(MemoryOrder):
    """Let an episode say something else; the conversation stays as it was."""

    number: int
    request: str
    reply: str


@dataclass(frozen=True, slots=True)
class ChangePattern(MemoryOrder):
    """Let a pattern say something else, or remember a new one (number 0)."""

    pattern: TaskPattern


@dataclass(frozen=True, slots=True)
class ForgetEpisode(MemoryOrder):
    """Forget a turn: its episode, its place in the conversation, the text of its decisions."""

    number: int


@dataclass(frozen=True, slots=True)
class ForgetPattern(MemoryOrder):
    """Forget a pattern, and the turn in which it was taught."""

    number: int
    with_turn: bool = True
    """False: the conversation stays, as when a person takes back at once what was understood as teaching."""


@dataclass(frozen=True, slots=True)
class UndoForget(MemoryOrder):
    """Keep it after all; too late once it is erased."""

    wish: ForgetEpisode | ForgetPattern


@dataclass(frozen=True, slots=True)
class ForgetEverything(MemoryOrder):
    """Forget all of one agent, or all there is; at once, and nothing brings it back."""

    agent_id: AgentId | None = None


MemoryCommand: TypeAlias = (
    LookAtMemory
    | ChangeEpisode
    | ChangePattern
    | ForgetEpisode
    | ForgetPattern
    | UndoForget
    | ForgetEverything
)
