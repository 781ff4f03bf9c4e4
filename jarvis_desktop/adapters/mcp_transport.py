"""How messages reach an MCP server, each bounded in bytes before anything is made of it.

Imports the SDK, which takes most of a second and 40 MB: only what speaks with a server imports this.
"""

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from contextvars import Context
from types import TracebackType
from typing import Self, TypeAlias

import anyio
import httpx2
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client._transport import ReadStream, TransportStreams
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage

from jarvis_desktop.adapters.extension_room import ended
from jarvis_desktop.adapters.web_answer import trusted_certificates

MOST_MESSAGE_BYTES = 4_000_000
"""Of one message; the agent reads 12,000 characters of it at most."""
CONNECT_S, SILENT_S = 10.0, 660.0
"""SILENT_S: longer than any call may take; whoever calls has the shorter time."""
FAREWELL_S = 2.0

Opening: TypeAlias = Callable[["Scales"], AbstractAsyncContextManager[TransportStreams]]
"""Opens the way to a server; what is too heavy is told to the scales."""
_Come: TypeAlias = MemoryObjectSendStream[SessionMessage | Exception]


class TooHeavyError(httpx2.StreamError):
    """A message is longer than ``MOST_MESSAGE_BYTES``."""

    def __init__(self) -> None:
        super().__init__(f"more than {MOST_MESSAGE_BYTES:,} bytes")


class Scales:
    """Knows what one connection met, however deep in the SDK it happened."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        """Nothing more will come."""
        self.too_heavy = False
        self.status = 0
        """Of the last answer over HTTP that refused something; 0 for none."""

    def refuse(self) -> TooHeavyError:
        """A message was too heavy."""
        self.too_heavy = True
        return TooHeavyError()


# --- HTTP ------------------------------------------------------------------------------------


def over_http(url: str, headers: Mapping[str, str]) -> Opening:
    """Streamable HTTP."""

    @asynccontextmanager
    async def opened(scales: Scales) -> AsyncIterator[TransportStreams]:
        async with (
            _client(headers, scales) as client,
            streamable_http_client(url, http_client=client, max_sse_event_size=MOST_MESSAGE_BYTES) as streams,
        ):
            yield streams

    return opened


def over_sse(url: str, headers: Mapping[str, str]) -> Opening:
    """The way of servers from before streamable HTTP."""

    @asynccontextmanager
    async def opened(scales: Scales) -> AsyncIterator[TransportStreams]:
        def client(
            headers: dict[str, str] | None = None,
            timeout: httpx2.Timeout | None = None,
            auth: httpx2.Auth | None = None,
        ) -> httpx2.AsyncClient:
            del timeout, auth
            return _client(headers or {}, scales)

        async with sse_client(url, headers=dict(headers), httpx_client_factory=client) as streams:
            read, write = streams
            yield _Noticed(read, scales), write

    return opened


def _client(headers: Mapping[str, str], scales: Scales) -> httpx2.AsyncClient:
    """No proxy, no netrc, nothing packed. The SDK follows redirects inside the server's own origin only."""
    return httpx2.AsyncClient(
        headers={**headers, "Accept-Encoding": "identity"},
        timeout=httpx2.Timeout(CONNECT_S, read=SILENT_S),
        transport=_Weighing(
            httpx2.AsyncHTTPTransport(verify=trusted_certificates(), trust_env=False), scales
        ),
        trust_env=False,
    )


class _Weighing(httpx2.AsyncBaseTransport):
    """Reads no further than a message may be long."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, scales: Scales) -> None:
        self._inner, self._scales = inner, scales

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method != "DELETE":
            return await self._weighed(request)
        try:  # the farewell: a server that hangs must not keep us
            async with asyncio.timeout(FAREWELL_S):
                return await self._weighed(request)
        except TimeoutError as error:
            raise httpx2.ReadTimeout("no answer to the farewell", request=request) from error

    async def _weighed(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        if response.status_code >= 400:
            self._scales.status = response.status_code
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.DecodingError("packed, although it was asked not to be", request=request)
        flows = response.headers.get("content-type", "").startswith("text/event-stream")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Weighed(response.stream, self._scales, flows=flows)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Weighed(httpx2.AsyncByteStream):
    """A body as it comes; of a stream of events, each event for itself."""

    def __init__(self, inner: httpx2.AsyncByteStream, scales: Scales, *, flows: bool) -> None:
        self._inner, self._scales, self._flows = inner, scales, flows

    async def __aiter__(self) -> AsyncIterator[bytes]:
        weight, last = 0, b""
        async for piece in self._inner:
            end = self._end_of_event(last + piece) if self._flows else -1
            weight = len(last) + len(piece) - end if end >= 0 else weight + len(piece)
            last = piece[-3:]
            if weight > MOST_MESSAGE_BYTES:
                raise self._scales.refuse()
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()

    @staticmethod
    def _end_of_event(text: bytes) -> int:
        return max(text.rfind(b"\n\n"), text.rfind(b"\r\n\r\n"), text.rfind(b"\r\r"))


class _Noticed:
    """Messages as they come; that no more will come is told to the scales."""

    def __init__(self, inner: ReadStream[SessionMessage | Exception], scales: Scales) -> None:
        self._inner, self._scales = inner, scales

    @property
    def last_context(self) -> Context | None:
        """Of whoever sent the last message, which the SDK wants to know."""
        found: Context | None = getattr(self._inner, "last_context", None)
        return found

    async def receive(self) -> SessionMessage | Exception:
        try:
            return await self._inner.receive()
        except anyio.EndOfStream:
            self._scales.over.set()
            raise

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self._inner.__anext__()
        except StopAsyncIteration:
            self._scales.over.set()
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)


# --- pipes -----------------------------------------------------------------------------------


def over_pipes(start: Callable[[], Awaitable[Process]]) -> Opening:
    """Lines of JSON through the pipes of a program, which ends with the connection."""

    @asynccontextmanager
    async def opened(scales: Scales) -> AsyncIterator[TransportStreams]:
        process = await start()
        come, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        write, go = anyio.create_memory_object_stream[SessionMessage](0)
        tasks = (asyncio.create_task(_take(process, come, scales)), asyncio.create_task(_give(process, go)))
        try:
            yield read, write
        finally:
            with anyio.CancelScope(shield=True):
                for task in tasks:
                    task.cancel()
                await ended(process)
                await asyncio.wait(tasks)
                for stream in (come, read, write, go):
                    stream.close()

    return opened


async def _take(process: Process, come: _Come, scales: Scales) -> None:
    """Hand on every message; what is none is passed over, since programs print all kinds of things."""
    assert process.stdout is not None
    try:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            while line := await process.stdout.readline():
                with suppress(ValueError):
                    message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                    await come.send(SessionMessage(message))
    except ValueError:  # the line went on beyond the stream's limit
        scales.refuse()
    finally:
        come.close()
        scales.over.set()


async def _give(process: Process, go: MemoryObjectReceiveStream[SessionMessage]) -> None:
    assert process.stdin is not None
    with suppress(OSError):  # it does not listen any more, which the end of its output tells
        async for one in go:
            text = one.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(text.encode() + b"\n")
            await process.stdin.drain()
