"""Which conversation a start, or another agent, goes on with."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.app.loop_parts import LoopParts
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.ports import Restored


async def restored_talk(store: SqliteStore, folder: Path, *, fresh: bool) -> Restored:
    """The main agent's last conversation; a new one beside the others where another program has them."""
    if fresh:
        return await _aside(store, MAIN_AGENT, folder)
    return await store.restore(MAIN_AGENT, folder)


def reopening(store: SqliteStore, *, fresh: bool) -> Callable[[AgentId, Path], Awaitable[Restored]]:
    """How the conversation of another agent is opened in the middle of a run."""

    async def aside(agent_id: AgentId, folder: Path) -> Restored:
        return await _aside(store, agent_id, folder)

    return aside if fresh else store.reopen


async def _aside(store: SqliteStore, agent_id: AgentId, folder: Path) -> Restored:
    return Restored(await store.begin_aside(agent_id, folder), (), (), ())


async def begun_talk(parts: LoopParts, agent_id: AgentId) -> Restored:
    """A new conversation with that agent."""
    begun = await parts.begin_conversation(agent_id, await parts.folder())
    return Restored(begun, (), (), ())
