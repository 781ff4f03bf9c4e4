"""The client library for Ollama: imported late, and opened so that nothing leaves by a side door."""

import asyncio
import importlib
from typing import TYPE_CHECKING, Any

from jarvis_desktop.adapters.ollama_host import ServerAddress

if TYPE_CHECKING:
    from ollama import AsyncClient

CONNECT_S = 2.0
CONNECT_FAR_S = 5.0
"""For a server on another machine."""


async def open_client(address: ServerAddress) -> "AsyncClient":
    """A client without any limit on waiting for an answer: loading and fetching take minutes."""
    # Importing ollama takes 0.4 s: not at start, and off the loop, on which voice and window depend.
    library: Any = await asyncio.to_thread(importlib.import_module, "ollama")
    import httpx  # came with ollama

    connect_s = CONNECT_S if address.is_loopback else CONNECT_FAR_S
    client: AsyncClient = library.AsyncClient(
        host=address.url,
        timeout=httpx.Timeout(None, connect=connect_s),
        # A proxy variable would take a conversation with this machine off this machine.
        trust_env=not address.is_loopback,
        # So would a redirect.
        follow_redirects=False,
        # Each request has its own connection: a kept one may have been dropped by a server that restarted,
        # which is noticed only after the request is on its way.
        limits=httpx.Limits(max_keepalive_connections=0),
    )
    return client


async def close_client(client: "AsyncClient") -> None:
    """Its connections are closed."""
    await client.close()  # type: ignore[no-untyped-call]  # the library leaves it untyped


def client_errors() -> tuple[type[Exception], ...]:
    """Everything that the client library raises when server or network misbehave."""
    import httpx
    import ollama

    # The last ones: a line that is not JSON, or not the JSON of an answer. RuntimeError: closed meanwhile.
    return (
        ollama.ResponseError, httpx.HTTPError, httpx.StreamError, ConnectionError, RuntimeError,
        ValueError, TypeError, AttributeError,
    )  # fmt: skip
