"""One connection to an MCP server: what it offers, and calls of it.

Imports the SDK, which takes most of a second and 40 MB: only what speaks with a server imports this.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

import httpx2
import mcp_types as types
from mcp.client.client import Client, ConnectMode
from mcp.client.session import IncomingMessage
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from jarvis_desktop import __version__
from jarvis_desktop.adapters.mcp_transport import Opening, Scales
from jarvis_desktop.adapters.mcp_trouble import ConnectionTroubleError, Trouble
from jarvis_desktop.core.extensions.mcp_offer import Described
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.ports.servers import ServerAnswer

log = logging.getLogger(__name__)

READY_WITHIN_S = 30.0
"""From the start of a program to its list of tools; one that has to be downloaded first needs longer once."""
MOST_PAGES = 20
MOST_LISTED = 500
RELIST_EVERY_S = 1.0
"""A server that changes its list all the time is not asked more often."""
LISTEN_AGAIN_S = 30.0
CANCELLED_WITHIN_S = 2.0
SESSION_GONE = "Session terminated"
"""What the SDK says when a server over HTTP does not know our session any more."""


def quiet_the_sdk() -> None:
    """The SDK's log quotes what servers say."""
    for name in ("mcp", "client", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class McpConnection:
    """Open between ``opened`` and its end, in one task; calls come from any."""

    def __init__(self, opening: Opening, *, handshake: bool) -> None:
        """handshake: speak as before 2026, which old servers need."""
        self._opening = opening
        self._mode: ConnectMode = "legacy" if handshake else "auto"
        self._scales = Scales()
        self._changed = asyncio.Event()
        self._client: Client | None = None
        self._listening: asyncio.Task[None] | None = None

    @property
    def over(self) -> bool:
        """Nothing can be sent any more."""
        return self._scales.over.is_set()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[tuple[Described, ...]]:
        """Its tools, once it is there.

        Raises:
            ConnectionTroubleError: it cannot be had, or the connection ended meanwhile.
        """
        try:
            async with asyncio.timeout(READY_WITHIN_S) as patience, self._opened() as client:
                found = await self._tools(client)
                patience.reschedule(None)
                self._client = client
                self._listening = asyncio.create_task(self._listen(client))
                try:
                    yield found
                finally:
                    self._client = None
                    self._listening.cancel()
                    await asyncio.wait({self._listening})
        except (ConnectionTroubleError, asyncio.CancelledError):
            raise
        except BaseException as error:
            found_trouble = self._trouble(error)
            if found_trouble is None:
                raise
            raise found_trouble from error

    async def news(self) -> tuple[Described, ...]:
        """Its tools, when it says that they have changed.

        Raises:
            ConnectionTroubleError: the connection is over.
        """
        over = asyncio.create_task(self._scales.over.wait())
        changed = asyncio.create_task(self._changed.wait())
        try:
            await asyncio.wait({over, changed}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            over.cancel()
            changed.cancel()
        if self._scales.over.is_set() or self._client is None:
            raise self._gone()
        await asyncio.sleep(RELIST_EVERY_S)
        self._changed.clear()
        try:
            async with asyncio.timeout(READY_WITHIN_S):
                return await self._tools(self._client)
        except (MCPError, TimeoutError, ValueError, RuntimeError) as error:
            raise self._trouble(error) or self._gone() from error

    async def call(self, tool: str, arguments: Mapping[str, Json], within_s: float) -> ServerAnswer:
        """What the server answers. Cancelled, it tells the server so.

        Raises:
            ConnectionTroubleError: nothing came of it; with ENDED the connection is over.
        """
        if self._client is None:
            raise self._gone()
        calling = asyncio.create_task(
            self._client.call_tool(tool, dict(arguments), read_timeout_seconds=within_s)
        )
        over = asyncio.create_task(self._scales.over.wait())
        try:
            await asyncio.wait({calling, over}, timeout=within_s + 1, return_when=asyncio.FIRST_COMPLETED)
            if not calling.done():
                raise self._gone() if over.done() else ConnectionTroubleError(Trouble.TIME_UP)
            return _answer(calling.result())
        except (MCPError, ValueError, RuntimeError) as error:
            raise self._failed(error) from error
        finally:
            over.cancel()
            if not calling.done():
                calling.cancel()
                await asyncio.wait({calling}, timeout=CANCELLED_WITHIN_S)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Client]:
        # Nothing that a server asks of us is answered: it gets no text of a model and no word of a person.
        client = Client(
            self._opening(self._scales),
            mode=self._mode,
            cache=None,
            client_info=types.Implementation(name="jarvis-desktop", version=__version__),
            message_handler=self._heard,
        )
        async with client:
            yield client

    async def _tools(self, client: Client) -> tuple[Described, ...]:
        if client.server_capabilities.tools is None:
            return ()
        found: list[Described] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            found += [
                Described(one.name, one.description or one.title or "", one.input_schema)
                for one in page.tools[: MOST_LISTED + 1]
            ]
            cursor = page.next_cursor
            if cursor is None or len(found) > MOST_LISTED:
                break
        return tuple(found[: MOST_LISTED + 1])

    async def _heard(self, message: IncomingMessage) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            self._changed.set()

    async def _listen(self, client: Client) -> None:
        """Servers since 2026 tell of changes only where they are asked to."""
        while client.protocol_version in MODERN_PROTOCOL_VERSIONS:
            with suppress(MCPError, SubscriptionLost, TimeoutError, RuntimeError, ValueError):
                async with client.listen(tools_list_changed=True) as changes:
                    async for _ in changes:
                        self._changed.set()
            await asyncio.sleep(LISTEN_AGAIN_S)

    def _gone(self) -> ConnectionTroubleError:
        return ConnectionTroubleError(Trouble.TOO_HEAVY if self._scales.too_heavy else Trouble.ENDED)

    def _failed(self, error: Exception) -> ConnectionTroubleError:
        """Why one call came to nothing."""
        if isinstance(error, MCPError):
            if error.code == types.REQUEST_TIMEOUT:
                return ConnectionTroubleError(Trouble.TIME_UP)
            if error.code == types.CONNECTION_CLOSED or error.message == SESSION_GONE:
                self._scales.over.set()
                return self._gone()
        if self._scales.too_heavy:
            self._scales.too_heavy = False
            return ConnectionTroubleError(Trouble.TOO_HEAVY)
        return self._trouble(error) or ConnectionTroubleError(Trouble.NONSENSE)

    def _trouble(self, error: BaseException) -> ConnectionTroubleError | None:
        """What an error out of the SDK means; None for what is none: a bug of ours, or a cancellation."""
        if self._scales.too_heavy:
            return ConnectionTroubleError(Trouble.TOO_HEAVY)
        if isinstance(error, BaseExceptionGroup):
            inner = [self._trouble(one) for one in error.exceptions]
            return next((one for one in inner if one is not None), None)
        if isinstance(error, TimeoutError):
            return ConnectionTroubleError(Trouble.SLOW)
        if isinstance(error, MCPError | httpx2.HTTPError) and self._scales.status in (401, 403):
            return ConnectionTroubleError(Trouble.UNAUTHORISED, str(self._scales.status))
        return _of_the_sdk(error)


def _of_the_sdk(error: BaseException) -> ConnectionTroubleError | None:
    if isinstance(error, MCPError):
        ended = error.code == types.CONNECTION_CLOSED
        return (
            ConnectionTroubleError(Trouble.ENDED)
            if ended
            else ConnectionTroubleError(Trouble.REFUSED, error.message)
        )
    if isinstance(error, httpx2.HTTPStatusError):
        return ConnectionTroubleError(Trouble.REFUSED, f"HTTP {error.response.status_code}")
    if isinstance(error, httpx2.HTTPError | OSError):
        return ConnectionTroubleError(Trouble.UNREACHABLE)
    if isinstance(error, ValueError | RuntimeError):  # pydantic's ValidationError is the first
        return ConnectionTroubleError(Trouble.NONSENSE)
    return None


def _answer(result: types.CallToolResult) -> ServerAnswer:
    parts = [_text(one) for one in result.content]
    if not any(part.strip() for part in parts) and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    return ServerAnswer("\n".join(parts), failed=bool(result.is_error))


def _text(block: types.ContentBlock) -> str:
    """One part of an answer in words; pictures and sound are named only."""
    match block:
        case types.TextContent():
            return block.text
        case types.ImageContent() | types.AudioContent():
            return f"({block.mime_type}, not shown)"
        case types.EmbeddedResource(resource=types.TextResourceContents(text=text)):
            return text
        case types.EmbeddedResource():
            return f"({block.resource.mime_type or 'bytes'}, not shown)"
        case types.ResourceLink():
            return f"{block.name}: {block.uri}"
