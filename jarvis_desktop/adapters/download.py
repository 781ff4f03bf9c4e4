"""One HTTP address into a part file: goes on where it broke off, and begins anew when the source changed."""

import asyncio
import errno
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import TypeAlias
from urllib.parse import urlsplit

import httpx2

from jarvis_desktop.adapters.download_part import Origin, Part, to_its_end
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.ports import Texts

Came: TypeAlias = Callable[[int], None]
"""Told how many bytes of the file are there now."""

_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers of a server that may do better in a moment."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How patient a download is."""

    connect_s: float = 15.0
    stall_s: float = 30.0
    """Nothing for this long means: the connection is given up."""
    barren_tries: int = 2
    """So many connections in a row that bring nothing, and a source is given up."""
    pause_s: float = 1.0
    """Between two connections."""
    block_bytes: int = 1 << 20
    block_s: float = 0.2
    """A block is written when it is this large or this old: each write is a trip to another thread."""


class BrokenOffError(ModelFileError):
    """The connection broke off or stalled; another one may go on."""


@asynccontextmanager
async def http_client(limits: Limits, **options: object) -> AsyncIterator[httpx2.AsyncClient]:
    """A client that follows redirects and gives up silent connections; proxy variables count."""
    timeout = httpx2.Timeout(limits.stall_s, connect=limits.connect_s)
    async with httpx2.AsyncClient(follow_redirects=True, timeout=timeout, **options) as client:  # type: ignore[arg-type]  # the caller's options are the client's
        yield client


class Download:
    """Fetches one address of known size into a part."""

    def __init__(self, client: httpx2.AsyncClient, texts: Texts, limits: Limits) -> None:
        self._client = client
        self._texts = texts
        self._limits = limits

    async def fetch(self, url: str, size: int, part: Part, came: Came) -> None:
        """The part holds ``size`` bytes; which ones, its digest will say.

        Bytes that another address brought are kept: the digest of the whole decides, not the source.

        Raises:
            BrokenOffError: another connection may go on.
            ModelFileError: this address does not have the file.
            OSError: the disk refuses.
        """
        if part.size > size:
            part.drop()
        if part.size == size:
            came(size)
            return
        host = urlsplit(url).hostname or url
        try:
            await self._stream(url, size, part, came)
        except (httpx2.ReadTimeout, httpx2.WriteTimeout, httpx2.PoolTimeout) as error:
            told = self._texts("{host} has sent nothing for {seconds} seconds.")
            raise BrokenOffError(told.format(host=host, seconds=round(self._limits.stall_s))) from error
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol) as error:
            raise BrokenOffError(self._unreachable(host, error)) from error
        except httpx2.HTTPError as error:
            raise BrokenOffError(
                self._texts("The connection to {host} broke off.").format(host=host)
            ) from error

    async def _stream(self, url: str, size: int, part: Part, came: Came) -> None:
        have, origin = part.size, part.origin
        headers = {"Accept-Encoding": "identity", **_asked_range(url, have, origin)}
        async with self._client.stream("GET", url, headers=headers) as answer:
            start = self._start(answer, size, part, url)
            if start == 0:
                await to_its_end(partial(part.cut, 0))
            await to_its_end(partial(part.comes_from, Origin(url, _mark(answer))))
            came(start)
            there = await self._write(answer, start, size, part, came)
        if there > size:
            await to_its_end(part.drop)
            raise ModelFileError(self._sized(url, f"> {size}", size))
        if there < size:
            host = urlsplit(url).hostname or url
            raise BrokenOffError(self._texts("The connection to {host} broke off.").format(host=host))

    async def _write(self, answer: httpx2.Response, start: int, size: int, part: Part, came: Came) -> int:
        """What the answer brings is appended; where it ended comes back, at most a block beyond ``size``."""
        loop, limits = asyncio.get_running_loop(), self._limits
        there, waiting, written_at = start, bytearray(), loop.time()
        try:
            async for block in answer.aiter_raw():
                waiting += block
                if len(waiting) < limits.block_bytes and loop.time() - written_at < limits.block_s:
                    continue
                there, full, waiting = there + len(waiting), bytes(waiting), bytearray()
                await to_its_end(partial(part.append, full))
                written_at = loop.time()
                came(there)
                if there > size:
                    break
        finally:
            if waiting:  # also when the connection broke off, or somebody pauses: every byte counts
                there += len(waiting)
                await to_its_end(partial(part.append, bytes(waiting)))
        came(min(there, size))
        return there

    def _start(self, answer: httpx2.Response, size: int, part: Part, url: str) -> int:
        """Where the bytes of this answer belong; an answer that does not fit is refused."""
        host, status, have = urlsplit(url).hostname or url, answer.status_code, part.size
        if status == HTTPStatus.PARTIAL_CONTENT and _continues(answer, have, size, part.origin, url):
            return have
        if status in {HTTPStatus.PARTIAL_CONTENT, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE}:
            part.drop()  # what is there belongs to another state of the source
            raise BrokenOffError(self._texts("The file at {host} has changed since then.").format(host=host))
        if status in _LATER:
            told = self._texts("{host} cannot deliver right now (answer {status}).")
            raise BrokenOffError(told.format(host=host, status=status))
        if status != HTTPStatus.OK:
            told = self._texts("{host} does not have the file (answer {status}).")
            raise ModelFileError(told.format(host=host, status=status))
        length = answer.headers.get("Content-Length", "")
        if length.isdigit() and int(length) != size:
            raise ModelFileError(self._sized(url, length, size))
        return 0

    def _unreachable(self, host: str, error: Exception) -> str:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            told = self._texts(
                "The certificate of {host} is not trusted here. Behind a company's proxy, "
                "set SSL_CERT_FILE to the proxy's certificate."
            )
            return told.format(host=host)
        return self._texts("{host} cannot be reached.").format(host=host)

    def _sized(self, url: str, found: str, wanted: int) -> str:
        told = self._texts("The file at {host} has {found} bytes; {wanted} were expected.")
        return told.format(host=urlsplit(url).hostname or url, found=found, wanted=wanted)


def _asked_range(url: str, have: int, origin: Origin | None) -> dict[str, str]:
    """The headers that ask for the rest only, and only of the same state of the file."""
    if not have:
        return {}
    wanted = {"Range": f"bytes={have}-"}
    # A weak ETag never matches in If-Range; the answer's own ETag is compared instead.
    if origin is not None and origin.url == url and origin.mark and not origin.mark.startswith("W/"):
        wanted["If-Range"] = origin.mark
    return wanted


def _continues(answer: httpx2.Response, have: int, size: int, origin: Origin | None, url: str) -> bool:
    """The answer is the rest of the file that the part was begun with."""
    found = _RANGE.fullmatch(answer.headers.get("Content-Range", "").strip())
    if found is None or int(found[1]) != have or found[2] not in {"*", str(size)}:
        return False
    known = origin.mark if origin is not None and origin.url == url else ""
    return not known or not _mark(answer) or known == _mark(answer)


def _mark(answer: httpx2.Response) -> str:
    return str(answer.headers.get("ETag") or answer.headers.get("Last-Modified") or "")


def no_room(error: OSError) -> bool:
    """The disk, or the person's share of it, is full."""
    return error.errno in {errno.ENOSPC, errno.EDQUOT}
