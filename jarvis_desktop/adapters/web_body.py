"""The body of an answer, unpacked no further than it may be."""

import zlib
from collections.abc import AsyncIterator

GZIP_OR_ZLIB = 47
"""zlib's word for: either header."""
_PACKED = frozenset({"gzip", "x-gzip", "deflate"})


class PackedError(ValueError):
    """The body is packed in a way that is not undone, or is damaged."""


async def whole_body(chunks: AsyncIterator[bytes], packing: str, most: int) -> tuple[bytes, bool]:
    """The body as far as ``most`` bytes, and whether it went on.

    packing: the header Content-Encoding.

    Raises:
        PackedError: it is packed otherwise, more than once, or damaged.
    """
    kind = packing.strip().lower()
    if kind in ("", "identity"):
        return await _plain(chunks, most)
    if kind not in _PACKED:
        raise PackedError(kind)
    return await _unpacked(chunks, most)


async def _plain(chunks: AsyncIterator[bytes], most: int) -> tuple[bytes, bool]:
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > most:
            return bytes(body[:most]), True
    return bytes(body), False


async def _unpacked(chunks: AsyncIterator[bytes], most: int) -> tuple[bytes, bool]:
    # A thousandfold is usual for zeros: what is unpacked at a time is bounded, not only what is kept.
    unpacker, body, came = zlib.decompressobj(GZIP_OR_ZLIB), bytearray(), 0
    try:
        async for chunk in chunks:
            came += len(chunk)
            rest = chunk
            while rest and not unpacker.eof:
                body += unpacker.decompress(rest, most + 1 - len(body))
                rest = unpacker.unconsumed_tail
                if len(body) > most:
                    return bytes(body[:most]), True
            if came > most:  # packed, and still longer than what is read: nothing honest does that
                return bytes(body), True
    except zlib.error as error:
        raise PackedError("damaged") from error
    return bytes(body), not unpacker.eof
