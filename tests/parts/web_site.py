"""A web site on loopback that answers exactly as a test says, byte by byte, and keeps what it was asked."""

import asyncio
import ipaddress
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from jarvis_desktop.adapters.web_places import Address
from jarvis_desktop.core.items.web_address import WebAddress, web_address

HERE = "127.0.0.1"
Reply = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]


def reply(
    body: bytes | str = b"", kind: str = "text/html; charset=utf-8", status: int = 200, **headers: str
) -> bytes:
    """A whole answer; names of headers with ``_`` for ``-``."""
    content = body.encode() if isinstance(body, str) else body
    fields = {"Content-Length": str(len(content)), "Connection": "close"}
    fields |= {"Content-Type": kind} if kind else {}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} As-said\r\n{head}\r\n".encode("latin-1") + content


def moved(to: str, status: int = 302) -> bytes:
    """A redirect."""
    return reply(status=status, Location=to)


@dataclass
class Site:
    """What the site answers by path, and what came."""

    port: int
    replies: dict[str, Reply] = field(default_factory=dict)
    heads: list[str] = field(default_factory=list)
    """The head of each request."""
    connections: int = 0

    @property
    def paths(self) -> list[str]:
        return [head.split(" ")[1] for head in self.heads]

    def address(self, path: str = "/", host: str = "site.example") -> WebAddress:
        return web_address(f"http://{host}:{self.port}{path}")

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.heads.append(head)
            said = self.replies.get(head.split(" ")[1].partition("?")[0], reply("none", status=404))
            if isinstance(said, bytes):
                writer.write(said)
                await writer.drain()
            else:
                await said(writer)
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def site(
    replies: Mapping[str, Reply], host: str = HERE, certificates: ssl.SSLContext | None = None
) -> AsyncIterator[Site]:
    """The site, open while the block runs."""
    serving: set[asyncio.Task[None]] = set()
    made = Site(0, dict(replies))

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        try:
            await made.serve(reader, writer)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            serving.discard(task)

    server = await asyncio.start_server(connected, host, 0, ssl=certificates)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        for task in tuple(serving):
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        await server.wait_closed()


@dataclass
class Names:
    """A name server: each answer of a list is given once, the last one for ever."""

    answers: dict[str, list[tuple[str, ...]]]
    asked: list[str] = field(default_factory=list)

    async def lookup(self, host: str, port: int) -> tuple[str, ...]:
        self.asked.append(host)
        answers = self.answers.get(host)
        if not answers:
            raise OSError("no such name")
        return answers.pop(0) if len(answers) > 1 else answers[0]


def only(*open_places: str) -> Callable[[Address], bool]:
    """A gate that takes these addresses for the public network."""
    return lambda address: address in map(ipaddress.ip_address, open_places)
