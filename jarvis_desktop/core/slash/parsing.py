"""Whether a typed line is a slash command or a request, and what it is then."""

import re
import unicodedata
from dataclasses import dataclass

SLASHES = "/／"
"""The second is what Korean and Japanese input methods type in their wide mode."""
_NAME = re.compile(r"[^\W\d_][\w-]*\Z")
_ROOTS = frozenset(
    re.findall(r"\w+", "bin boot dev etc home lib lib64 media mnt opt proc root run sbin srv sys tmp usr var")
)
"""Top folders of a machine: a word like that begins a path, even without a second slash."""


@dataclass(frozen=True, slots=True)
class Slash:
    """A line that is meant as a command."""

    word: str
    """Its name as it is compared: without the slash, in one case and one spelling."""
    rest: str
    """What stands behind the name, without blank ends."""
    typed: str
    """The whole line, without blank ends."""


@dataclass(frozen=True, slots=True)
class Request:
    """A line that goes to the model."""

    text: str


def read(line: str) -> Slash | Request:
    """What ``line`` is.

    A command begins with a slash and a word of letters. A path (``/etc/hosts``, ``/tmp``), a word with a dot,
    a number or a slash that stands alone before a blank begins a request. A blank before the slash, or
    a second slash, makes a request of anything; the second slash is not part of it.
    """
    line = unicodedata.normalize("NFC", line)
    text = line.strip()
    if line[:1] not in SLASHES or not text or text[1:2].isspace():
        return Request(text)
    if text[1:2] and text[1] in SLASHES:
        return Request(text if text[2:3].isspace() else text[1:])
    first, *rest = text[1:].split(maxsplit=1) or [""]
    word = folded(first)
    if word in _ROOTS or (word not in ("", "?") and _NAME.match(word) is None):
        return Request(text)
    return Slash(word, "".join(rest), text)


def called_by(name: str) -> str | None:
    """The word behind the slash that means something of that name; None when no line can say it."""
    line, word = read(f"/{name}"), folded(name)
    return word if isinstance(line, Slash) and word and line.word == word and not line.rest else None


def kept(line: str) -> str:
    """``line`` without blank ends, but with a blank before a slash, which says that it is a request."""
    text = line.strip()
    return f" {text}" if text[:1] in SLASHES and text and line[0].isspace() else text


def folded(word: str) -> str:
    """``word`` as names are compared: wide letters as usual ones, syllables whole, small letters."""
    return unicodedata.normalize("NFKC", word).casefold()
