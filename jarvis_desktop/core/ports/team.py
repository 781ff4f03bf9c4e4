"""The agents that there are."""

from typing import Protocol

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.ids import AgentId


class Team(Protocol):
    """All agents as their files said at the last look. Never raises; what is wrong is told to people."""

    async def look(self) -> None:
        """Changed files were read again; awaited before every turn. Of a broken one the last good holds."""

    def agents(self) -> tuple[AgentCard, ...]:
        """All of them, the main one first, the others by name."""

    def find(self, agent_id: AgentId) -> AgentCard | None:
        """The agent of that id."""

    def named(self, word: str) -> AgentCard | None:
        """The agent that answers to ``word``: a name of one or more words, or its id, in any case."""
