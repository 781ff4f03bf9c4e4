"""MCP servers as people see and enable them; they stand in the settings by name."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from jarvis_desktop.adapters.extension_ledger import ExtensionLedger, LedgerRead
from jarvis_desktop.adapters.mcp_import import import_servers, remove_server
from jarvis_desktop.adapters.mcp_settings import ServersRead, read_servers, stamp_of
from jarvis_desktop.adapters.settings_file import FILE_NAME
from jarvis_desktop.app.extension_gone import gone, is_gone
from jarvis_desktop.app.mcp_keeper import Connect, Kept, ServerKeeper, not_tried
from jarvis_desktop.app.mcp_notices import McpNotices
from jarvis_desktop.app.mcp_picture import Look, pictures, problems_text, standing
from jarvis_desktop.app.mcp_words import definition_text, identity_of
from jarvis_desktop.core.extensions.mcp_offer import LeftOut, Offer, fitting
from jarvis_desktop.core.extensions.mcp_tool import server_tool
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.events import Event, TurnEnded, TurnStarted
from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    Extension,
    ExtensionKind,
    ExtensionState,
    ImportServers,
    RemoveServer,
)
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.ports import Clock, Texts
from jarvis_desktop.core.ports.servers import ServerAnswer, ServerTool, ServerTrouble
from jarvis_desktop.core.server_settings import ServerSettings
from jarvis_desktop.core.turn.tool_registry import AnyTool

CONTEXT_SHARE_CHARS = 2
"""Characters of tools' descriptions for each token of the context: about half of it."""
GONE = "The MCP server {server} may not run any more. Go on without it."


class Rewrite(Protocol):
    """Runs work that changes the settings file, in a thread."""

    def __call__(self, work: Callable[[], object], /) -> Awaitable[object]:
        """Done when it counts."""


@dataclass(frozen=True, slots=True)
class McpParts:
    """What the shelf works with."""

    home: Path
    connect: Connect
    taken: Callable[[str], bool]
    """A tool's name that no server may take."""
    context_tokens: Callable[[], int]
    rewrite: Rewrite
    """Has the settings file changed between other changes of it."""
    notices: McpNotices
    clock: Clock
    texts: Texts
    changed: Callable[[], None]
    """Told after anything is something else; returns at once."""


class McpShelf:
    """Fills ``ServerShelf`` and ``Servers``. A turn keeps the tools that there were when it began."""

    def __init__(self, parts: McpParts) -> None:
        self._parts = parts
        self._file = parts.home / FILE_NAME
        self._ledger = ExtensionLedger(parts.home, parts.texts)
        self._read = ServersRead()
        self._stamp: object = None
        self._keepers: dict[str, ServerKeeper] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._made: dict[ServerTool, AnyTool] = {}
        self._tools: tuple[AnyTool, ...] = ()
        self._squeezed: Mapping[str, Offer] = {}
        """What each server's tools came to, when all of them had to find room."""
        self._shown: tuple[Extension, ...] = ()
        self._turns: set[TurnId] = set()
        self._came = asyncio.Event()
        self._looking = asyncio.Lock()
        self._closed = False

    @property
    def folders(self) -> Mapping[ExtensionKind, Path]:
        """The file that names servers."""
        return {ExtensionKind.SERVER: self._file}

    async def look(self, *, beginning: bool = False) -> Sequence[Extension]:
        """Every server of the settings; those that count now are being connected.

        beginning: a turn runs that has done nothing yet, so that what is new counts in it.
        """
        async with self._looking:
            ledger = await asyncio.to_thread(self._looked)
            self._sort(ledger)
            if beginning or not self._turns:
                self._settle()
            shown = self._all(ledger)
            news, self._shown = shown != self._shown, shown
        if news:
            await self._parts.notices.tell(shown)
            self._parts.changed()
        return shown

    async def begin_turn(self) -> None:
        """The tools that there are now are those of the turn. No server is waited for."""
        await self.look(beginning=True)

    async def ready(self) -> None:
        """Every server was tried once, or is not waited for any longer, which is told."""
        await self.look()
        await self._parts.notices.tell_late(await not_tried(tuple(self._keepers.values())))
        await self.look()

    async def run(self) -> None:
        """Connect what is enabled, and look whenever a server comes, goes or changes, without end."""
        while True:
            await self.look()
            await self._came.wait()
            self._came.clear()

    def tools(self) -> tuple[AnyTool, ...]:
        """The tools of this turn, and outside of turns those of the last look."""
        return self._tools

    def on_event(self, event: Event) -> None:
        """Follow turns."""
        if isinstance(event, TurnStarted):
            self._turns.add(event.turn_id)
        elif isinstance(event, TurnEnded):
            self._turns.discard(event.turn_id)

    async def close(self) -> None:
        """No server of ours runs any more."""
        self._closed = True
        for name in tuple(self._keepers):
            self._end(name)
        if self._ending:
            await asyncio.wait(self._ending)

    # --- what people want ---------------------------------------------------------------------

    async def enable(self, wish: EnableExtension) -> None:
        """Let it run as it was shown.

        Raises:
            ExtensionRefusedError: it is gone, is something else by now, or is wrong in the settings.
        """
        settings, texts = await self._wanted(wish.name), self._parts.texts
        if identity_of(wish.name, settings) != wish.digest:
            text = texts("The server {name} has changed since it was shown. Look at it again, then decide.")
            raise ExtensionRefusedError(text.format(name=wish.name))
        shown = definition_text(wish.name, settings, texts)
        await asyncio.to_thread(self._ledger.enable, (ExtensionKind.SERVER, wish.name), wish.digest, shown)
        await self.look()

    async def disable(self, wish: DisableExtension) -> None:
        """Let it run no more, not even in the turn that works with it; forget it where it is gone.

        Raises:
            ExtensionRefusedError: that could not be written down.
        """
        async with self._looking:
            ledger = await asyncio.to_thread(self._looked)
        there, kind = {*self._read.servers, *self._read.problems}, ExtensionKind.SERVER
        forgets = is_gone(kind, wish.name, ledger, there)
        change = self._ledger.forget if forgets else self._ledger.disable
        await asyncio.to_thread(change, (kind, wish.name))
        await self.look()

    async def import_servers(self, wish: ImportServers) -> None:
        """They stand in the settings, and wait to be enabled.

        Raises:
            ExtensionRefusedError: the text is no such JSON, or a server of it cannot be taken over.
        """
        parts = self._parts
        await parts.rewrite(lambda: import_servers(parts.home, wish.text, parts.texts))
        await self.look()

    async def remove(self, wish: RemoveServer) -> None:
        """It stands in the settings no more, and has ended.

        Raises:
            ExtensionRefusedError: there is none of that name, or the settings could not be written.
        """
        parts = self._parts
        await parts.rewrite(lambda: remove_server(parts.home, wish.name, parts.texts))
        await asyncio.to_thread(self._ledger.forget, (ExtensionKind.SERVER, wish.name))
        await self.look()

    # --- what agents want ---------------------------------------------------------------------

    def definition(self, tool: ServerTool) -> str:
        """What its digest is now; empty when it is gone or may not run any more."""
        keeper = self._keepers.get(tool.server)
        now = keeper.offer.tools if keeper is not None else ()
        return next((one.definition for one in now if one.theirs == tool.theirs), "")

    async def call(self, tool: ServerTool, arguments: Mapping[str, Json]) -> ServerAnswer | ServerTrouble:
        """What came of it."""
        keeper = self._keepers.get(tool.server)
        if keeper is None:
            return ServerTrouble(GONE.format(server=tool.server))
        return await keeper.call(tool, arguments)

    # --- inside -------------------------------------------------------------------------------

    def _looked(self) -> LedgerRead:
        stamp = stamp_of(self._file)
        if stamp != self._stamp:
            read = read_servers(self._file)
            if not read.unreadable:  # what held before goes on until the file is mended
                self._read, self._stamp = read, stamp
            elif self._stamp is None:
                self._read = read
        return self._ledger.read()

    async def _wanted(self, name: str) -> ServerSettings:
        async with self._looking:
            await asyncio.to_thread(self._looked)
        if name in self._read.problems:
            raise ExtensionRefusedError(problems_text(self._read.problems[name], self._parts.texts))
        if name not in self._read.servers:
            text = self._parts.texts("There is no server called {name}.")
            raise ExtensionRefusedError(text.format(name=name))
        return self._read.servers[name]

    def _sort(self, ledger: LedgerRead) -> None:
        """Whatever counts is begun; whatever counts no more ends, without being waited for."""
        wanted: dict[str, Kept] = {}
        for name, settings in self._read.servers.items():
            kept = Kept(name, identity_of(name, settings), settings)
            if standing(ledger, kept) is ExtensionState.ENABLED and not self._closed:
                wanted[name] = kept
        for name, keeper in tuple(self._keepers.items()):
            if wanted.get(name) != keeper.kept:
                self._end(name)
        for name, kept in wanted.items():
            if name not in self._keepers:
                parts = self._parts
                keeper = ServerKeeper(kept, parts.connect, parts.clock, parts.texts, self._news)
                self._keepers[name] = keeper
                keeper.begin()

    def _end(self, name: str) -> None:
        task = asyncio.create_task(self._keepers.pop(name).end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    def _news(self) -> None:
        """A server came, went, or changed what it offers."""
        if not self._turns:
            self._settle()
        self._came.set()

    def _settle(self) -> None:
        """Between two turns: what servers offer now is what agents get."""
        taken: set[str] = set()
        squeezed: dict[str, Offer] = {}
        left_chars = self._parts.context_tokens() * CONTEXT_SHARE_CHARS
        tools: list[AnyTool] = []
        made: dict[ServerTool, AnyTool] = {}
        for name in self._read.servers:
            keeper = self._keepers.get(name)
            if keeper is None:
                continue
            free = tuple(one for one in keeper.offer.tools if not self._is_taken(one, taken))
            kept, over = fitting(free, left_chars)
            left_chars -= sum(one.weight for one in kept)
            lost = [(one.name, LeftOut.TAKEN) for one in keeper.offer.tools if one not in free]
            lost += [(one.name, LeftOut.NO_ROOM) for one in over]
            squeezed[name] = Offer(kept, (*keeper.offer.left_out, *lost))
            taken |= {one.name for one in kept}
            for one in kept:
                made[one] = self._made.get(one) or server_tool(one, self)
                tools.append(made[one])
        self._made, self._tools, self._squeezed = made, tuple(tools), squeezed

    def _is_taken(self, tool: ServerTool, taken: Collection[str]) -> bool:
        return tool.name in taken or self._parts.taken(tool.name)

    def _all(self, ledger: LedgerRead) -> tuple[Extension, ...]:
        servers, problems = self._read.servers, self._read.problems
        good = [self._look_at(name, one, ledger) for name, one in servers.items()]
        known = ledger if not self._read.unreadable else LedgerRead()
        lost = gone(ExtensionKind.SERVER, known, {*servers, *problems}, self._file)
        return (*pictures(good, self._file, problems, self._parts.texts), *lost)

    def _look_at(self, name: str, settings: ServerSettings, ledger: LedgerRead) -> Look:
        kept = Kept(name, identity_of(name, settings), settings)
        return Look(kept, self._file, ledger, self._keepers.get(name), self._squeezed.get(name, Offer()))
