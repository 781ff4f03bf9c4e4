"""An agent as its file describes it: who it is, how it answers, what it may use."""

from dataclasses import dataclass
from enum import StrEnum

from jarvis_desktop.core.items.ids import AgentId, WindowId
from jarvis_desktop.core.items.speech import Language


class Bound(StrEnum):
    """What an agent's definition says about a tool."""

    ALONE = "alone"
    """Nothing: the agent may use it by itself (G-053)."""
    ASK = "ask"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The boundaries of one agent."""

    ask: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()

    def bound(self, tool: str) -> Bound:
        """What they say about ``tool``; the stricter word counts."""
        if tool in self.never:
            return Bound.NEVER
        return Bound.ASK if tool in self.ask else Bound.ALONE


NO_BOUNDARIES = Boundaries()


@dataclass(frozen=True, slots=True)
class ModelWish:
    """Which model answers for an agent, and how; whatever is not said is as in the settings."""

    name: str = ""
    """As Ollama knows it, or a model inside Jarvis by its name."""
    temperature: float | None = None
    context_tokens: int | None = None
    think: bool | None = None


@dataclass(frozen=True, slots=True)
class VoiceWish:
    """How an agent sounds; whatever is not said is as for everybody."""

    pitch: int | None = None
    """0 to 99."""
    words_per_minute: int | None = None


NO_MODEL_WISH = ModelWish()
NO_VOICE_WISH = VoiceWish()


@dataclass(frozen=True, slots=True)
class AgentCard:
    """One agent."""

    agent_id: AgentId
    name: str
    """As people read it."""
    answers_to: tuple[str, ...] = ()
    """Names in any language by which people call it, its own among them."""
    purpose: str = ""
    """One line: what it is for. People read it beside the name, other agents when they choose whom to ask."""
    language: Language | None = None
    """What it answers in; None: whatever it is asked in."""
    persona: str = ""
    """Who it is, for the model; empty: Jarvis's own."""
    model: ModelWish = NO_MODEL_WISH
    voice: VoiceWish = NO_VOICE_WISH
    tools: tuple[str, ...] | None = None
    """Names of the tools that it may use; None for all of the app."""
    boundaries: Boundaries = NO_BOUNDARIES
    top_level: bool = True
    """People talk with it; otherwise only other agents ask it."""

    def may_use(self, tool: str) -> bool:
        """The list of its tools has ``tool``; its boundaries are another question."""
        return self.tools is None or tool in self.tools


@dataclass(frozen=True, slots=True)
class AgentsListed:
    """Who there is to talk with, the main one first; told at the start and whenever it has changed."""

    agents: tuple[AgentCard, ...]
    """Top-level ones only."""
    window_id: WindowId | None = None
    """Only for this window when set."""
