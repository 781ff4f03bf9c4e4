"""The agents in force: files are looked at before every turn, and what is wrong in them is told."""

import asyncio
import logging
from collections.abc import Callable, Collection
from pathlib import Path

from jarvis_desktop.adapters.folder_watch import FolderWatch
from jarvis_desktop.adapters.team_files import TeamFiles, TeamRead
from jarvis_desktop.adapters.team_problem import TeamProblem, team_sentence
from jarvis_desktop.core.agents.roster import Roster
from jarvis_desktop.core.items.agents import AgentCard, AgentsListed
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    ConversationOpened,
    Event,
    Part,
    TroubleCleared,
    TroubleNoted,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.setup import SettingsChanged
from jarvis_desktop.core.ports import Clock, Emit, Texts

log = logging.getLogger(__name__)

BARE = AgentCard(MAIN_AGENT, "JARVIS", ("JARVIS",))
"""Stands in where not even the file that comes with the app can be read."""


class AgentRegistry:
    """Fills ``Team`` from files."""

    def __init__(
        self, home: Path, tools: Callable[[], Collection[str]], clock: Clock, texts: Texts, emit: Emit
    ) -> None:
        """tools: names of all tools that there are now."""
        self._files = TeamFiles(home, tools)
        self._clock, self._texts, self._emit = clock, texts, emit
        self._read: TeamRead | None = None
        self._roster = Roster((BARE,))
        self._shown = MAIN_AGENT
        self._told: tuple[TeamProblem, ...] = ()
        self._looking = asyncio.Lock()
        self._changed = asyncio.Event()

    async def look(self) -> None:
        """Files that changed were read again; what counts now and what is wrong has been told."""
        async with self._looking:
            read = await asyncio.to_thread(self._files.look)
            if read is self._read:
                return
            self._read = read
            self._changed.set()  # the folder may be new, and is watched from now on
            before, self._roster = self._roster, _roster(read)
            if _listed(before) != _listed(self._roster):
                await self._emit(AgentsListed(_listed(self._roster)))
            await self._tell(read.problems)

    async def read(self) -> TeamRead:
        """The files as they are now, with what is wrong in them."""
        await self.look()
        assert self._read is not None
        return self._read

    @property
    def tools(self) -> frozenset[str]:
        """Names of all tools that files may name."""
        return self._files.tools

    @property
    def shown(self) -> AgentCard:
        """The agent whose conversation windows show."""
        return self._roster.find(self._shown) or self._roster.cards[0]

    def agents(self) -> tuple[AgentCard, ...]:
        """All agents, the main one first."""
        return self._roster.cards

    def find(self, agent_id: AgentId) -> AgentCard | None:
        """The agent of that id."""
        return self._roster.find(agent_id)

    def named(self, word: str) -> AgentCard | None:
        """The agent that answers to ``word``."""
        return self._roster.named(word)

    async def run(self) -> None:
        """Look as soon as the person's folder changes, without end."""
        loop = asyncio.get_running_loop()
        watch = FolderWatch(self._files.folder, lambda: _tell_loop(loop, self._changed))
        try:
            while True:
                await asyncio.to_thread(watch.keep_up)
                await self._changed.wait()
                self._changed.clear()
                await self.look()
        finally:
            watch.close()

    def on_event(self, event: Event) -> None:
        """Follow who is talked with; in another language, what is wrong is told again at the next look."""
        if isinstance(event, ConversationOpened):
            self._shown = event.agent_id
        elif isinstance(event, SettingsChanged) and "ui.language" in event.changed and self._told:
            self._read, self._told = None, ()

    async def _tell(self, problems: tuple[TeamProblem, ...]) -> None:
        """Everything that is wrong stands in one notice; only what is new becomes a line of the activity."""
        news = tuple(one for one in problems if one not in self._told)
        if self._told and not problems:
            await self._emit(TroubleCleared(Part.TEAM))
        changed, self._told = problems != self._told, problems
        if problems and changed:
            text = "\n".join(team_sentence(one, self._texts) for one in problems)
            await self._emit(TroubleNoted(Part.TEAM, text))
        for one in news:
            line = team_sentence(one, self._texts)
            await self._emit(ActivityNoted(ActivityKind.TROUBLE, line, self._clock.now()))


def _roster(read: TeamRead) -> Roster:
    main = any(card.agent_id == MAIN_AGENT for card in read.cards)
    return Roster(read.cards if main else (BARE, *read.cards))


def _listed(roster: Roster) -> tuple[AgentCard, ...]:
    """Those that people talk with."""
    return tuple(card for card in roster.cards if card.top_level)


def _tell_loop(loop: asyncio.AbstractEventLoop, changed: asyncio.Event) -> None:
    try:
        loop.call_soon_threadsafe(changed.set)
    except RuntimeError:
        log.info("an agent's file changed after the end")
