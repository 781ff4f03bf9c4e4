"""Globs of path rules: ``*`` stays inside one folder, ``**`` crosses folders."""

import re
from functools import lru_cache
from posixpath import join, normpath

from jarvis_desktop.core.policy.paths import Place, absolute

_MAGIC = re.compile(r"[*?\[]")
_ESCAPED = re.compile(r"\[([*?\[])\]")


def escape(folder: str) -> str:
    """``folder`` as a pattern that means just this folder."""
    return re.sub(r"([*?\[])", r"[\1]", folder)


def literal_folder(pattern: str) -> str | None:
    """The folder, normalised, of a ``folder/*`` pattern without other magic; None for any other pattern."""
    head, slash, last = pattern.rpartition("/")
    if last != "*" or _MAGIC.search(_ESCAPED.sub("", head)):
        return None
    plain = _ESCAPED.sub(r"\1", head)
    if not slash:
        return "."
    normal = normpath(plain or "/")
    # A folder that climbs out of where it is read from is left to the general way.
    return None if normal.startswith("..") else normal


def glob_pattern(pattern: str, place: Place) -> re.Pattern[str]:
    """The expression that an absolute path must match as a whole."""
    return _compiled(pattern, place.cwd, place.home)


@lru_cache(maxsize=4096)
def _compiled(pattern: str, cwd: str, home: str) -> re.Pattern[str]:
    if pattern == "~" or pattern.startswith("~/"):
        whole = join(escape(home), pattern[2:])
    elif pattern.startswith("/"):
        whole = pattern
    else:
        whole = join(escape(cwd), pattern)
    return re.compile(_expression(absolute(whole, "/")), re.DOTALL)


def _expression(pattern: str) -> str:
    parts = [_part(part) for part in pattern.strip("/").split("/")]
    expression = ""
    for at, part in enumerate(parts):
        if part is None:
            expression += "(?:/[^/]+)+" if at == len(parts) - 1 else "(?:/[^/]+)*"
        else:
            expression += "/" + part
    return expression


def _part(part: str) -> str | None:
    """One component; None for ``**``."""
    if part == "**":
        return None
    out, at = "", 0
    while at < len(part):
        char = part[at]
        at += 1
        if char == "*":
            out += "[^/]*"
        elif char == "?":
            out += "[^/]"
        elif char == "[":
            end = part.find("]", at + (2 if part[at : at + 1] in ("!", "^") else 1))
            if end < 0:
                out += r"\["
            else:
                out += _class(part[at:end])
                at = end + 1
        else:
            out += re.escape(char)
    return out


def _class(inner: str) -> str:
    negated = inner[:1] in ("!", "^")
    body = re.sub(r"([\\\]\[^&~|])", r"\\\1", inner[1:] if negated else inner)
    try:
        re.compile(f"[{body}]")
    except re.error:
        return re.escape(f"[{inner}]")
    return f"[^/{body}]" if negated else f"[{body}]"
