"""Memory as the program has it: switched by the settings, emptied at the person's wish."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from jarvis_desktop.adapters.sqlite_memory import SqliteMemory
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.memory_desk import MemoryDesk, MemoryDeskParts
from jarvis_desktop.app.options import DATABASE_NAME, Start, Surface
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.app.setting_takers import takes_memory
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.ports import Clock, Emit, Team

Around: TypeAlias = tuple[Emit, Surface]
"""Who hears of what was done, and whom it is done for."""


def open_memory(
    start: Start, clock: Clock, live: LiveSettings, store: SqliteStore, recorder: Recorder
) -> SqliteMemory:
    """What agents remember with, on the program's database; every turn from now on leaves an episode."""
    path = start.home / DATABASE_NAME
    memory = SqliteMemory(store, path, clock, start.texts, lambda: live.now.memory.enabled)
    recorder.remember_in(memory)
    return memory


def open_memory_desk(
    start: Start, clock: Clock, live: LiveSettings, memory: SqliteMemory, team: Team, around: Around
) -> MemoryDesk:
    """The desk of this start; it begins to forget when it has ``attach``ed the open conversations."""
    emit, surface = around
    parts = MemoryDeskParts(
        memory=memory,
        settings=lambda: live.now.memory,
        names=called(team),
        clock=clock,
        texts=start.texts,
        emit=emit,
        one_goal=bool(surface.goal),
    )
    desk = MemoryDesk(parts)
    live.add_taker(takes_memory(desk.forget_old))
    return desk


def called(team: Team) -> Callable[[Sequence[AgentId]], Mapping[AgentId, str]]:
    """What people call agents; one that is there no more keeps its id."""

    def names(agent_ids: Sequence[AgentId]) -> Mapping[AgentId, str]:
        cards = {agent_id: team.find(agent_id) for agent_id in agent_ids}
        return {agent_id: card.name if card else str(agent_id) for agent_id, card in cards.items()}

    return names
