"""Bytes of a text file to text and back, byte for byte."""

import codecs
from pathlib import Path

from jarvis_desktop.adapters.files_names import for_people

PROBE_BYTES = 8192
"""A NUL byte this early means: not text. The same check as git's and grep's."""

MARKED: dict[str, tuple[bytes, str]] = {
    "utf-8-sig": (codecs.BOM_UTF8, "utf-8"),
    "utf-16": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be-sig": (codecs.BOM_UTF16_BE, "utf-16-be"),
}
"""Our name of the encoding → byte order mark and codec. Python's own "utf-16" cannot write big-endian."""

GUESSED = ("utf-8", "cp949")
"""Tried in this order. UTF-8 is recognised safely; cp949 contains EUC-KR."""


class NotTextError(UnicodeError):
    """The bytes are no text in an encoding that we know."""


def decode(content: bytes, path: Path) -> tuple[str, str]:
    """Text and the name of its encoding; ``encode`` gives back exactly ``content``.

    Raises:
        NotTextError: it is binary, or in none of the known encodings.
    """
    for name, (mark, codec) in MARKED.items():
        if content.startswith(mark):
            try:
                return content[len(mark) :].decode(codec), name
            except UnicodeDecodeError as error:
                raise NotTextError(f"{for_people(path)} begins like {name} but is not") from error
    if b"\0" in content[:PROBE_BYTES]:
        raise NotTextError(f"{for_people(path)} is a binary file")
    for codec in GUESSED:
        try:
            text = content.decode(codec)
        except UnicodeDecodeError:
            continue
        if text.encode(codec) == content:
            return text, codec
    raise NotTextError(f"{for_people(path)} is not text in UTF-8, UTF-16 or CP949")


def encode(text: str, encoding: str) -> bytes:
    """The bytes of ``text``.

    Raises:
        UnicodeEncodeError: the encoding has no such character.
        LookupError: there is no such encoding.
    """
    mark, codec = MARKED.get(encoding, (b"", encoding))
    return mark + text.encode(codec)


def newline_of(text: str) -> str:
    """The newline that most lines end with."""
    windows = text.count("\r\n")
    return "\r\n" if windows * 2 > text.count("\n") else "\n"
