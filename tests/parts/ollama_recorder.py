"""A server in front of a real Ollama that writes down what it was asked."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

_REQUEST = re.compile(rb"(?:^|\r\n\r\n|\})(?:GET|POST|HEAD|DELETE) (?P<path>/\S*) HTTP/1\.1\r\n")
_THINKS = frozenset({"/api/chat", "/api/generate"})
_CHUNK_BYTES = 65536


class OllamaRecorder:
    """Passes bytes on in both directions; of what clients send it keeps all."""

    def __init__(self, upstream: str) -> None:
        """upstream: the real server, ``http://127.0.0.1:PORT``."""
        parts = urlsplit(upstream)
        self._at = (parts.hostname or "127.0.0.1", parts.port or 11434)
        self._sent: list[bytearray] = []
        self.host = ""
        """Its own address, once it serves."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Of all requests so far; those of one connection in order."""
        return tuple(
            found["path"].decode("ascii") for sent in self._sent for found in _REQUEST.finditer(bytes(sent))
        )

    @property
    def model_requests(self) -> int:
        """Requests that put a model to work."""
        return sum(path in _THINKS for path in self.paths)

    @property
    def sent(self) -> bytes:
        """Everything that clients sent."""
        return b"".join(self._sent)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["OllamaRecorder"]:
        """It takes connections."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.host = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        kept = bytearray()
        self._sent.append(kept)
        up_reader, up_writer = await asyncio.open_connection(*self._at)
        try:
            await asyncio.gather(_pumped(reader, up_writer, kept), _pumped(up_reader, writer, bytearray()))
        finally:
            for one in (writer, up_writer):
                one.close()


async def _pumped(source: asyncio.StreamReader, sink: asyncio.StreamWriter, kept: bytearray) -> None:
    """Until ``source`` ends or ``sink`` is gone."""
    with suppress(OSError):
        while chunk := await source.read(_CHUNK_BYTES):
            kept += chunk
            sink.write(chunk)
            await sink.drain()
        if sink.can_write_eof():
            sink.write_eof()
