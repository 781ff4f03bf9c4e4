"""An MCP server over HTTP that does what its path says; the rest is the evil server."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.parts.evil_server import HUGE, Server


class EvilSite:
    """Paths: /well, /huge, /refused, /elsewhere, /packed, /hangs, /nonsense."""

    def __init__(self) -> None:
        self.port = 0
        self.asked: list[tuple[str, dict[str, str]]] = []
        """Path and headers of every request, names in lower case."""
        self.server = Server("well")
        self._tasks: set[asyncio.Task[None]] = set()

    def url(self, path: str) -> str:
        """Where it does that."""
        return f"http://127.0.0.1:{self.port}/{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer requests of one connection."""
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode().strip().split("\r\n")
                method, path, _ = first.split(" ")
                headers = {
                    name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
                }
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                self.asked.append((path, headers))
                await self.answer(method, path.strip("/"), body, writer)
                await writer.drain()
        writer.close()

    async def answer(self, method: str, path: str, body: bytes, writer: asyncio.StreamWriter) -> None:
        """One answer."""
        if method != "POST":
            writer.write(_head(405))
        elif path == "refused":
            writer.write(_head(401))
        elif path == "elsewhere":
            writer.write(_head(307, "location: http://localhost:1/well"))
        elif path == "hangs":
            await asyncio.Event().wait()
        elif path == "nonsense":
            page = b"<html>hello</html>"
            writer.write(_head(200, "content-type: text/html", length=len(page)) + page)
        else:
            await self.rpc(path, json.loads(body), writer)

    async def rpc(self, path: str, message: dict[str, object], writer: asyncio.StreamWriter) -> None:
        """As the evil server answers."""
        if path == "huge" and message.get("method") == "tools/call":
            writer.write(_head(200, "content-type: application/json", length=HUGE))
            for _ in range(HUGE // 1_000_000):
                writer.write(b"x" * 1_000_000)
                await writer.drain()
            return
        answer = self.server.answer(message)
        if answer is None:
            writer.write(_head(202))
            return
        content = json.dumps(answer).encode()
        packed = ("content-encoding: gzip",) if path == "packed" else ()
        writer.write(_head(200, "content-type: application/json", *packed, length=len(content)) + content)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["EvilSite"]:
        """It serves."""

        def came(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self.serve(reader, writer))
            self._tasks.add(task)

        server = await asyncio.start_server(came, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            if self._tasks:
                await asyncio.wait(self._tasks)


def _head(status: int, *more: str, length: int = 0) -> bytes:
    lines = (f"HTTP/1.1 {status} X", f"content-length: {length}", *more)
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
