"""Keeps one MCP server connected: in the background, anew when it fails, and never in anybody's way."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from jarvis_desktop.adapters.mcp_trouble import ConnectionTroubleError, Trouble
from jarvis_desktop.app.mcp_words import trouble_text
from jarvis_desktop.core.extensions.mcp_offer import Described, Offer, offer
from jarvis_desktop.core.extensions.mcp_tool import CHANGED
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.extensions import ExtensionState
from jarvis_desktop.core.ports import Clock, Texts
from jarvis_desktop.core.ports.servers import ServerAnswer, ServerTool, ServerTrouble
from jarvis_desktop.core.server_settings import ServerSettings

log = logging.getLogger(__name__)

PAUSES_S = (1.0, 5.0, 15.0, 60.0)
"""Before each further attempt; the last one again and again."""
AGAIN_S = 5.0
LASTING_S = 60.0
"""Whoever was there for so long begins with the first pause again."""
BACK_WITHIN_S = 15.0
"""A call waits so long for a server that is just starting."""
TRIED_WITHIN_S = 8.0
"""A single request of the command line waits so long for programs that begin and tell their tools."""

NOT_THERE = "The MCP server {server} is not connected now. Go on without it, or say that it does not work."
TIME_UP = "The MCP server {server} did not answer within {seconds:g} seconds. The call was cancelled."
TOO_HEAVY = "The answer of the MCP server {server} was larger than 4 MB and was refused. Ask for less."
ENDED = "The MCP server {server} ended before it answered. Whether it did anything is not known."
NONSENSE = "The MCP server {server} answered in a way that cannot be read."


@dataclass(frozen=True, slots=True)
class Kept:
    """One server that a person enabled."""

    name: str
    identity: str
    """Digest of its definition."""
    settings: ServerSettings
    """As written: variables stand for themselves."""


class Connection(Protocol):
    """As ``adapters.mcp_client`` makes it, which is not imported before it is needed."""

    @property
    def over(self) -> bool:
        """Nothing can be sent any more."""

    def opened(self) -> AbstractAsyncContextManager[tuple[Described, ...]]:
        """Its tools, once it is there."""

    async def news(self) -> tuple[Described, ...]:
        """Its tools, when they have changed."""

    async def call(self, tool: str, arguments: Mapping[str, Json], within_s: float) -> ServerAnswer:
        """What the server answers."""


Connect: TypeAlias = Callable[[Kept], Awaitable[Connection]]
"""Raises JarvisError with a text for people."""


class ServerKeeper:
    """Runs from ``begin`` to ``end``."""

    def __init__(
        self,
        kept: Kept,
        connect: Connect,
        clock: Clock,
        texts: Texts,
        changed: Callable[[], None],
    ) -> None:
        """changed: told whenever state, tools or trouble are others."""
        self.kept = kept
        self._connect, self._clock, self._texts, self._changed = connect, clock, texts, changed
        self.state = ExtensionState.STARTING
        self.trouble = ""
        """Why it is not connected, or was not the last time; empty once it lasts."""
        self.offer = Offer()
        """What it brought the last time."""
        self._connection: Connection | None = None
        self.tried = asyncio.Event()
        """It was connected once, or it is known why it could not be."""
        self._there = asyncio.Event()
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_wanted = True

    def begin(self) -> None:
        """Connect, and stay connected."""
        self._task = asyncio.create_task(self._run())

    async def end(self) -> None:
        """It is not connected any more, and its program has ended."""
        self._is_wanted = False
        # The SDK's groups of tasks lose a cancellation that meets an error of their own: it is repeated.
        while self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=AGAIN_S)

    async def call(self, tool: ServerTool, arguments: Mapping[str, Json]) -> ServerAnswer | ServerTrouble:
        """What the server answers; a server that is just starting is waited for a little."""
        if self._connection is not None and self._connection.over:
            self._gone()
        self._wanted.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(BACK_WITHIN_S):
                await self._there.wait()
        connection = self._connection
        if connection is None:
            return ServerTrouble(NOT_THERE.format(server=self.kept.name))
        # What was allowed is this very tool; a server may come back with another one of its name.
        if tool.definition not in {one.definition for one in self.offer.tools}:
            return ServerTrouble(CHANGED.format(server=self.kept.name, tool=tool.name))
        return await self._called(connection, tool.theirs, arguments)

    async def _called(
        self, connection: Connection, tool: str, arguments: Mapping[str, Json]
    ) -> ServerAnswer | ServerTrouble:
        within_s = self.kept.settings.timeout_s
        try:
            return await connection.call(tool, arguments, within_s)
        except ConnectionTroubleError as error:
            log.info("a call of a server came to nothing", extra={"kind": error.trouble.value})
            match error.trouble:
                case Trouble.REFUSED:
                    return ServerAnswer(error.said, failed=True)
                case Trouble.TIME_UP | Trouble.SLOW:
                    return ServerTrouble(TIME_UP.format(server=self.kept.name, seconds=within_s))
                case Trouble.TOO_HEAVY:
                    return ServerTrouble(TOO_HEAVY.format(server=self.kept.name))
                case Trouble.NONSENSE:
                    return ServerTrouble(NONSENSE.format(server=self.kept.name))
                case _:
                    return ServerTrouble(ENDED.format(server=self.kept.name))

    async def _run(self) -> None:
        failures = 0
        while self._is_wanted:
            began = self._clock.monotonic_s()
            self._is_down(await self._once())
            lasted = self._clock.monotonic_s() - began >= LASTING_S
            failures = 0 if lasted else failures + 1
            self._wanted.clear()
            pause = asyncio.create_task(self._clock.sleep(PAUSES_S[min(failures, len(PAUSES_S)) - 1]))
            wanted = asyncio.create_task(self._wanted.wait())
            try:
                await asyncio.wait({pause, wanted}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                pause.cancel()
                wanted.cancel()

    async def _once(self) -> str:
        """One connection from its beginning to its end; why it ended."""
        try:
            connection = await self._connect(self.kept)
            async with connection.opened() as found:
                self._is_up(connection, offer(self.kept.name, self.kept.identity, found))
                try:
                    while True:
                        news = await connection.news()
                        self._is_up(connection, offer(self.kept.name, self.kept.identity, news))
                finally:
                    self._gone()
        except ConnectionTroubleError as error:
            log.info("a server is not connected", extra={"kind": error.trouble.value})
            return trouble_text(error.trouble, self.kept.settings, error.said, self._texts)
        except JarvisError as error:
            return str(error)
        except OSError as error:
            log.info("a server could not be started", extra={"error": type(error).__name__})
            return trouble_text(Trouble.UNREACHABLE, self.kept.settings, error.strerror or "", self._texts)
        except Exception as error:  # rim: a task of its own. A bug about one server leaves the others alone.
            log.error("a server's connection broke", exc_info=error)
            return trouble_text(Trouble.NONSENSE, self.kept.settings, "", self._texts)

    def _gone(self) -> None:
        """Calls wait for the next connection."""
        self._connection = None
        self._there.clear()

    def _is_up(self, connection: Connection, found: Offer) -> None:
        self._connection = connection
        self.state, self.trouble, self.offer = ExtensionState.ENABLED, "", found
        self.tried.set()
        self._there.set()
        self._changed()

    def _is_down(self, text: str) -> None:
        """It is not connected."""
        self.state, self.trouble = ExtensionState.BROKEN, text
        self.tried.set()
        self._changed()


async def not_tried(keepers: Sequence[ServerKeeper]) -> tuple[str, ...]:
    """Names of those that are still starting after a while."""
    with suppress(TimeoutError):
        async with asyncio.timeout(TRIED_WITHIN_S):
            for one in keepers:
                await one.tried.wait()
    return tuple(one.kept.name for one in keepers if not one.tried.is_set())
