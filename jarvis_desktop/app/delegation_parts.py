"""What lets agents ask each other, put together: who is told of it, and by which tools it is done."""

from collections.abc import Callable
from dataclasses import dataclass

from jarvis_desktop.core.ports import Clock, Emit, Team, Texts
from jarvis_desktop.core.turn.delegation import DelegateRecord, DelegateTurns, Delegation, DelegationParts
from jarvis_desktop.core.turn.delegation_telling import DelegationTelling
from jarvis_desktop.core.turn.tool_registry import ErrandTools, errand_tools


@dataclass(frozen=True, slots=True)
class Errands:
    """Agents asking agents, as far as the rest of the program sees it."""

    tools: ErrandTools
    emit: Emit
    """For everything that runs turns, in place of the program's own."""


@dataclass(frozen=True, slots=True)
class ErrandNeighbours:
    """What errands run on."""

    team: Team
    turns: Callable[[], DelegateTurns]
    """Asked for when an errand begins: they are made later."""
    record: DelegateRecord


def open_errands(near: ErrandNeighbours, clock: Clock, texts: Texts, emit: Emit) -> Errands:
    """The tools of errands, and how people hear of what comes of them."""
    telling = DelegationTelling(emit, clock, texts)
    parts = DelegationParts(near.team, near.turns, near.record, telling, clock, texts)
    return Errands(errand_tools(near.team, Delegation(parts)), telling.emit)
