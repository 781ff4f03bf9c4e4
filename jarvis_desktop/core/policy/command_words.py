"""What a raw shell word comes to: quotes removed, braces, tilde and known variables expanded.

For the danger list only. Nothing is run: what cannot be known at checking time is left out of the text
and said so. Permission never rests on an expansion; there every word must be literal (``plain_reading``).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise

from jarvis_desktop.core.policy.word_scanning import (
    CLOSERS,
    ansi_end,
    backtick_end,
    balanced_end,
    double_end,
    find,
)

MOST_WORDS = 64
"""More words than this from one brace expansion are not looked at."""

# Inside one word, marks stand for what plain characters cannot say. All lie in private use planes.
_QUOTED = 0xF0000
_UNKNOWN, _GUARDED, _SPLIT = "\uf8ff", "\uf8fe", "\uf8fd"
_SPECIAL = frozenset("*?[]{},~.-! \t\n")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
_SIMPLE = re.compile(r"[A-Za-z0-9_./:=+@%^,-]+")
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!_-]", re.ASCII)
_DEFAULT = re.compile(r"([A-Za-z_]\w*|\d+)(:?[-=?+]|[%#/^,:@])(.*)", re.ASCII | re.DOTALL)
_ANSI = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|c.|.)", re.DOTALL)
_ANSI_NAMES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
}


@dataclass(frozen=True, slots=True)
class Expanded:
    """One word after expansion."""

    text: str
    """Without the parts that are unknown."""
    glob: bool = False
    """``* ? [`` in it stand for file names."""
    missing: bool = False
    """Some part can only be known by running."""
    guarded: bool = False
    """The missing part is never empty (``${x:?}``)."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about the shell's state at one point of a command."""

    variables: Mapping[str, str]
    output_of: Callable[[str], str | None]
    """What a substitution prints, for the few commands whose output is plain; None otherwise."""


def expand(raw: str, known: Known) -> tuple[Expanded, ...]:
    """The words that ``raw`` becomes; usually one."""
    if _SIMPLE.fullmatch(raw) and "=" not in raw:
        return (Expanded(raw),)
    marked = _Reader(_PRIVATE.sub("\ufffd", raw), known).marked()
    words = [word for alternative in _braces(marked) for word in _fields(alternative)]
    return tuple(_expanded(word, known) for word in words[:MOST_WORDS])


def substitutions(raw: str) -> tuple[str, ...]:
    """Texts of the command and process substitutions in a word, at its top level."""
    if "$(" not in raw and "`" not in raw and "(" not in raw:
        return ()
    found: list[str] = []

    def note(text: str) -> None:
        found.append(text)

    _Reader(raw, Known({}, note)).marked()
    return tuple(found)


def decode_ansi(text: str) -> str:
    """``text`` with the escapes of ``$'…'`` and ``printf`` decoded."""

    def one(match: re.Match[str]) -> str:
        mark = match[1]
        if mark[0] in "xuU" and len(mark) > 1:
            return _character(int(mark[1:], 16))
        if mark[0] in "01234567":
            return _character(int(mark, 8) & 0xFF)
        return _ANSI_NAMES.get(mark, mark)

    return _ANSI.sub(one, text)


def _character(code: int) -> str:
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _quote(text: str) -> str:
    return "".join(chr(_QUOTED + ord(c)) if c in _SPECIAL else c for c in text)


class _Reader:
    """Walks one raw word and marks it up."""

    def __init__(self, raw: str, known: Known) -> None:
        self._raw = raw
        self._known = known

    def marked(self) -> str:
        """The word with its quotes gone; quoted specials and unknown parts are marks."""
        return "".join(self._pieces(self._raw, quoted=False))

    def _pieces(self, text: str, *, quoted: bool) -> Iterator[str]:
        at = 0
        while at < len(text):
            piece, at = self._next(text, at, quoted=quoted)
            yield piece

    def _next(self, text: str, at: int, *, quoted: bool) -> tuple[str, int]:
        char = text[at]
        if char == "\\":
            return self._escape(text, at, quoted=quoted)
        if char == "$":
            return self._dollar(text, at, quoted=quoted)
        if char == "`":
            end = backtick_end(text, at + 1)
            return self._output(re.sub(r"\\([\\`$])", r"\1", text[at + 1 : end]), quoted=quoted), end + 1
        return (_quote(char), at + 1) if quoted else self._unquoted(text, at)

    def _unquoted(self, text: str, at: int) -> tuple[str, int]:
        if text[at] == "'":
            end = find(text, "'", at + 1)
            return _quote(text[at + 1 : end]), end + 1
        if text[at] == '"':
            end = double_end(text, at + 1)
            return "".join(self._pieces(text[at + 1 : end], quoted=True)), end + 1
        if text[at] in "<>" and text[at + 1 : at + 2] == "(":
            end = balanced_end(text, at + 1)
            self._known.output_of(text[at + 2 : end])
            return _UNKNOWN, end + 1
        return text[at], at + 1

    def _escape(self, text: str, at: int, *, quoted: bool) -> tuple[str, int]:
        char = text[at + 1 : at + 2]
        if char == "\n":
            return "", at + 2
        if quoted and char not in '$`"\\':
            return _quote("\\"), at + 1
        return _quote(char), at + 2

    def _dollar(self, text: str, at: int, *, quoted: bool) -> tuple[str, int]:
        # bash drops a backslash-newline even between "$" and "(".
        start = at + 1
        while text.startswith("\\\n", start):
            start += 2
        char = text[start : start + 1]
        if char == "'" and not quoted:
            end = ansi_end(text, start + 1)
            return _quote(decode_ansi(text[start + 1 : end])), end + 1
        if char == '"' and not quoted:
            return "", start
        if char and char in CLOSERS:
            end = balanced_end(text, start)
            return self._group(char, text[start + 1 : end], quoted=quoted), end + 1
        name = _NAME.match(text, start)
        if name is None:
            return "$", start
        return self._variable(name[0], quoted=quoted), name.end()

    def _group(self, opener: str, inner: str, *, quoted: bool) -> str:
        if opener == "(" and not inner.startswith("("):
            return self._output(inner, quoted=quoted)
        if opener != "{":
            return _UNKNOWN
        if _NAME.fullmatch(inner):
            return self._variable(inner, quoted=quoted)
        return self._parameter(inner, quoted=quoted)

    def _parameter(self, inner: str, *, quoted: bool) -> str:
        match = _DEFAULT.fullmatch(inner)
        if match is None:
            return _UNKNOWN
        name, operator, rest = match.groups()
        value = self._known.variables.get(name)
        if operator in ("-", ":-", "=", ":="):
            if value:
                return self._value(value, quoted=quoted)
            return "".join(self._pieces(rest, quoted=quoted))
        if operator in ("+", ":+"):
            return "".join(self._pieces(rest, quoted=quoted))
        if value is not None:
            # Trimming and slicing are not worked out: the whole value is the more careful reading.
            return self._value(value, quoted=quoted)
        return _GUARDED if operator in ("?", ":?") else _UNKNOWN

    def _variable(self, name: str, *, quoted: bool) -> str:
        value = self._known.variables.get(name)
        return _UNKNOWN if value is None else self._value(value, quoted=quoted)

    def _output(self, code: str, *, quoted: bool) -> str:
        value = self._known.output_of(code)
        return _UNKNOWN if value is None else self._value(value.rstrip("\n"), quoted=quoted)

    def _value(self, value: str, *, quoted: bool) -> str:
        if quoted:
            return _quote(value)
        # Not quoted: blanks split the word and globs count, tilde and braces do not.
        return "".join(_SPLIT if c in " \t\n" else _quote(c) if c in "~{}," else c for c in value)


def _braces(marked: str) -> Iterator[str]:
    """Alternatives of ``{a,b}``, as bash makes them; ranges are left alone."""
    return islice(_alternatives(marked, 0), MOST_WORDS)


def _alternatives(text: str, depth: int) -> Iterator[str]:
    group = _brace_group(text) if "{" in text and depth < 8 else None
    if group is None:
        yield text
        return
    start, end, parts = group
    for part in parts:
        yield from _alternatives(text[:start] + part + text[end + 1 :], depth + 1)


def _brace_group(text: str) -> tuple[int, int, list[str]] | None:
    """The first ``{…}`` to close that has a comma at its own level: start, end and parts."""
    open_groups: list[list[int]] = []
    for at, char in enumerate(text):
        if char == "{":
            open_groups.append([at])
        elif char == "," and open_groups:
            open_groups[-1].append(at)
        elif char == "}" and open_groups:
            start, *commas = open_groups.pop()
            if commas:
                cuts = [start, *commas, at]
                return start, at, [text[left + 1 : right] for left, right in pairwise(cuts)]
    return None


def _fields(marked: str) -> list[str]:
    if _SPLIT not in marked:
        return [marked]
    return [field for field in marked.split(_SPLIT) if field]


def _expanded(marked: str, known: Known) -> Expanded:
    marked = _tilde(marked, known)
    glob = any(c in marked for c in "*?[")
    missing, guarded = _UNKNOWN in marked, _GUARDED in marked
    text = "".join(
        chr(ord(c) - _QUOTED) if ord(c) >= _QUOTED else c for c in marked if c not in (_UNKNOWN, _GUARDED)
    )
    return Expanded(text, glob, missing or guarded, guarded)


def _tilde(marked: str, known: Known) -> str:
    if not marked.startswith("~"):
        return marked
    head, slash, rest = marked.partition("/")
    name = {"~": "HOME", "~+": "PWD", "~-": "OLDPWD"}.get(head)
    if name is None:
        # Somebody's home: only our own person's is known.
        home = known.variables.get("HOME", "")
        name = "HOME" if home and head[1:] == home.rsplit("/", 1)[-1] else None
    value = known.variables.get(name) if name else None
    return marked if value is None else _quote(value) + slash + rest
