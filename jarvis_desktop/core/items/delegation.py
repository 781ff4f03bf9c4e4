"""One agent asks another: what is asked, what comes back, and what people are told meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.calls import Json, ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.ids import CallId, TurnId
from jarvis_desktop.core.items.turn import Message, StoredDelegate

AGENT_TOOL = "agent_"
"""Begins the names of the tools that are one agent each."""
MAX_TASKS = 6
"""Parts of one task that is split."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something that one agent is to do for another."""

    agent: str
    """As the asking model wrote it: an id or a name."""
    text: str
    after: tuple[int, ...] = ()
    """Places of earlier tasks, from 0, whose answers this one is handed."""


@dataclass(frozen=True, slots=True)
class CallContext:
    """Where in a turn a call stands, for tools that have to know."""

    call_id: CallId
    heard: tuple[Message, ...] = ()
    """What the model may have read before it made the call."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What came of tasks, in words for the agent that asked."""

    text: str
    status: ResultStatus = ResultStatus.OK
    final: bool = False
    """The text is for the person as it stands: a person refused something, and no model talks that away."""


@dataclass(frozen=True, slots=True)
class DelegateStarted:
    """An agent begins what another one asked it to do."""

    turn_id: TurnId
    """The person's turn for which all this is done."""
    delegate_id: TurnId
    """The agent's own turn."""
    name: str
    """Of the agent, as people read it."""
    asker: str
    """Name of the agent that asked."""
    task: str


@dataclass(frozen=True, slots=True)
class DelegateUsedTool:
    """A call of an agent that was asked; without a result it has just begun."""

    turn_id: TurnId
    delegate_id: TurnId
    call: ToolCall
    result: ToolResult | None = None
    took_s: float = 0.0


@dataclass(frozen=True, slots=True)
class DelegateEnded:
    """It is done, however it ended; the agent that asked reads its text."""

    turn_id: TurnId
    delegate_id: TurnId
    done: StoredDelegate
    """Everything that is to be seen of it, for windows that were not there when it began."""
    took_s: float = 0.0


DelegateEvent: TypeAlias = DelegateStarted | DelegateUsedTool | DelegateEnded


def naming(schema: Mapping[str, Json], agents: Sequence[AgentCard]) -> dict[str, Json]:
    """``schema`` in which an argument called ``agent``, at any depth, is the name of one of ``agents``."""
    named: dict[str, Json] = {}
    for key, one in schema.items():
        if key == "agent" and isinstance(one, dict):
            named[key] = {**one, "enum": [card.name for card in agents]}
        else:
            named[key] = naming(one, agents) if isinstance(one, dict) else one
    return named
