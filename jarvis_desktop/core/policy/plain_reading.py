"""The strict reading of a command: simple commands of literal words, or nothing.

This is a second reader beside the parser, written the other way round: it knows only what is harmless
and refuses the rest. A rule can cover a command only if both readers see the same words.
"""

import re
from dataclasses import dataclass

from jarvis_desktop.core.items.shell_syntax import Redirect

# Whatever bash could expand or treat as structure is absent here: $ ` * ? [ ] ( ) < > | & ; quotes, blanks.
_BARE = r"[^\s\\'\"$`*?\[\]()<>|&;\x00-\x1f\x7f]"
_TOKEN = re.compile(
    rf"""
    (?P<blank>(?:[ \t]|\\\n)+)
  | (?P<end>\n|;(?!;)|&&|\|\|)
  | (?P<pipe>\|(?![|&]))
  | (?P<redirect>(?:\d*(?:>>|>\||>&|<&|>|<)(?![(<>&|]))|&>>?(?![(<>&|]))
  | (?P<word>(?:{_BARE}|\\[^\n]|\\\n(?=\S)|'[^']*'|"(?:[^"\\$`]|\\.)*")+)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT = re.compile(r"#[^\n]*")
_PART = re.compile(r"\\\n|\\(.)|'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|([^\\'\"]+)", re.DOTALL)
_IN_DOUBLE = re.compile(r"\\(\n|[$`\"\\])")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(\[|\+?=)", re.ASCII)
_RESERVED = frozenset(
    [
        "!",
        "[[",
        "]]",
        "{",
        "}",
        "case",
        "coproc",
        "do",
        "done",
        "elif",
        "else",
        "esac",
        "fi",
        "for",
        "function",
        "if",
        "in",
        "select",
        "then",
        "time",
        "until",
        "while",
    ]
)
_CERTAIN = re.compile(r"[A-Za-z0-9_./@%+:,^-][A-Za-z0-9_./@%+:,^=-]*")
_QUOTED = re.compile(r"\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PlainWord:
    """A word whose value is certain."""

    raw: str
    value: str
    end: int = 0
    """Index in the text right after the word."""


@dataclass(frozen=True, slots=True)
class PlainCommand:
    """A simple command of literal words."""

    words: tuple[PlainWord, ...]
    redirects: tuple[Redirect, ...]
    """Targets are raw text."""

    @property
    def argv(self) -> tuple[str, ...]:
        """What the program is given."""
        return tuple(word.value for word in self.words)


def read_plain(text: str, home: str) -> tuple[PlainCommand, ...] | None:
    """The commands of ``text``, or None when anything in it is not plain."""
    reader = _PlainReader(home)
    return reader.commands() if reader.read(text) else None


def literal(raw: str, home: str) -> str | None:
    """The value of one raw word, or None when it is not literal."""
    found = read_plain(f": {raw}", home)
    if found is None or len(found) != 1 or found[0].redirects or len(found[0].words) != 2:
        return None
    return found[0].words[1].value


class _PlainReader:
    """Reads token by token and stops at the first one it does not know."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._done: list[PlainCommand] = []
        self._words: list[PlainWord] = []
        self._redirects: list[Redirect] = []
        self._at = 0
        self._open = ""
        """The operator that still waits for its target, or the joiner that waits for a command."""

    def commands(self) -> tuple[PlainCommand, ...]:
        """All commands read."""
        return tuple(self._done)

    def read(self, text: str) -> bool:
        """All of ``text`` was plain."""
        at, blank = 0, True
        while at < len(text):
            if blank and text[at] == "#":
                at = _end(_COMMENT.match(text, at), at)
                continue
            token = _TOKEN.match(text, at)
            self._at = token.end() if token is not None else at
            if token is None or not self._take(token.lastgroup or "", token[0], glued=not blank):
                return False
            blank = token.lastgroup in ("blank", "end", "pipe")
            at = token.end()
        return self._finish("\n")

    def _take(self, kind: str, text: str, *, glued: bool) -> bool:
        if kind == "blank":
            return True
        if kind == "word":
            return self._word(text)
        if kind == "redirect":
            # "{fd}>x" names a descriptor; "2>x" glued to a word is parted differently by different readers.
            odd = glued and (text[0].isdigit() or (bool(self._words) and self._words[-1].raw.endswith("}")))
            return not odd and not self._is_target_open() and self._set(text)
        return self._finish(text)

    def _set(self, operator: str) -> bool:
        self._open = operator
        return True

    def _is_target_open(self) -> bool:
        return self._open[-1:] in ("<", ">") or self._open.endswith((">&", "<&", ">|"))

    def _word(self, raw: str) -> bool:
        if self._is_target_open():
            descriptor = self._open.rstrip("<>|&") if self._open[0].isdigit() else ""
            self._redirects.append(Redirect(self._open[len(descriptor) :], raw, descriptor))
            self._open = ""
            return True
        if not self._words:
            if raw == "!":
                return True
            if raw in _RESERVED or _ASSIGNMENT.match(raw):
                return False
        self._open = ""
        value = self._value(raw)
        if value is None:
            return False
        self._words.append(PlainWord(raw, value, self._at))
        return True

    def _finish(self, separator: str) -> bool:
        """A command ends here; whether that is plain."""
        if self._is_target_open():
            return False
        if not self._words:
            if self._redirects:
                return False
            # An empty line is nothing; an empty part beside an operator is an error.
            return separator == "\n" and self._open in ("", "\n", "&&", "||", "|") and not self._dangling()
        self._done.append(PlainCommand(tuple(self._words), tuple(self._redirects)))
        self._words, self._redirects = [], []
        self._open = separator if separator in ("&&", "||", "|") else ""
        return True

    def _dangling(self) -> bool:
        return self._open in ("&&", "||", "|")

    def _value(self, raw: str) -> str | None:
        if _CERTAIN.fullmatch(raw):
            return raw
        bare = _QUOTED.sub("\0", raw)
        if "{" in bare and ("," in bare or ".." in bare):
            return None
        prefix = ""
        if "~" in bare:
            if "=~" in bare or ":~" in bare:
                return None
            if bare.startswith("~"):
                if bare != "~" and not bare.startswith("~/"):
                    return None
                prefix, raw = self._home, raw[1:]
        return prefix + "".join(_unquoted(match) for match in _PART.finditer(raw))


def _unquoted(match: re.Match[str]) -> str:
    escaped, single, double, bare = match.groups()
    if double is not None:
        return _IN_DOUBLE.sub(lambda inner: "" if inner[1] == "\n" else inner[1], double)
    return escaped or single or bare or ""


def _end(match: re.Match[str] | None, otherwise: int) -> int:
    return match.end() if match else otherwise
