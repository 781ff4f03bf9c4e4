"""One request to one host: connected to an address that was checked, read no further than it may be."""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import httpx2

from jarvis_desktop.adapters.web_body import whole_body
from jarvis_desktop.adapters.web_places import Gate, Lookup, may_be_reached, reachable_places, system_lookup
from jarvis_desktop.core.items.web_address import WebAddress

CONNECT_S = 5.0
"""For each address of a host; the time of the whole page is limited by whoever asks."""
MOST_PLACES = 4


@lru_cache(maxsize=1)
def trusted_certificates() -> ssl.SSLContext:
    """Certificates of the system and of certifi; ``SSL_CERT_FILE`` counts."""
    context = httpx2.create_ssl_context()
    context.load_default_certs()
    return context


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host answered."""

    address: WebAddress
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    cut: bool
    """The body went on."""


@dataclass(frozen=True, slots=True)
class Way:
    """How hosts are found and trusted; tests hand in another world."""

    lookup: Lookup = system_lookup
    gate: Gate = may_be_reached
    certificates: Callable[[], ssl.SSLContext] = field(default=trusted_certificates)


async def ask(address: WebAddress, headers: Mapping[str, str], most_bytes: int, way: Way) -> Answer:
    """The answer to one GET; no redirect is followed, no proxy asked, nothing is remembered.

    The name is looked up once, and the connection goes to the very address that was checked: a name that
    leads elsewhere a moment later changes nothing.

    Raises:
        PrivatePlaceError: the host leads to something private.
        OSError: the host has no address.
        httpx2.HTTPError: no connection, or a broken one.
        PackedError: the body cannot be unpacked.
    """
    places = await reachable_places(address.host, address.port, way.lookup, way.gate)
    certificates = await asyncio.to_thread(way.certificates)
    timeout = httpx2.Timeout(None, connect=CONNECT_S)
    failed: httpx2.HTTPError | None = None
    async with httpx2.AsyncClient(
        verify=certificates, trust_env=False, follow_redirects=False, timeout=timeout
    ) as client:
        for place in places[:MOST_PLACES]:
            try:
                return await _asked(client, address, place, headers, most_bytes)
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                failed = error
    assert failed is not None  # there is at least one place
    raise failed


async def _asked(
    client: httpx2.AsyncClient, address: WebAddress, place: str, headers: Mapping[str, str], most: int
) -> Answer:
    host = f"[{place}]" if ":" in place else place
    url = f"{address.scheme}://{host}:{address.port}{address.target}"
    sent = {"Accept-Encoding": "gzip, deflate", **headers, "Host": address.place}
    named = {"sni_hostname": address.host}
    async with client.stream("GET", url, headers=sent, extensions=named) as answer:
        told = {name.lower(): value for name, value in answer.headers.items()}
        body, cut = await whole_body(answer.aiter_raw(), told.get("content-encoding", ""), most)
        return Answer(address, answer.status_code, told, body, cut)
