"""Where a shell or interpreter takes its program from: text, a file, a module or standard input."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from jarvis_desktop.core.policy.known_programs import INTERPRETERS, SHELLS, family_name


class Source(StrEnum):
    """Where program text comes from."""

    STDIN = "stdin"
    INLINE = "inline"
    FILE = "file"
    MODULE = "module"


@dataclass(frozen=True, slots=True)
class Program:
    """What an interpreter is about to run."""

    source: Source
    name: str
    """The file or module; empty for text and standard input."""
    at: int
    """Index of that word in the arguments."""


# Options that carry program text, and options that take the next word as a value.
_INLINE: Mapping[str, str] = MappingProxyType(
    {
        "python": "c", "python2": "c", "python3": "c", "pypy": "c", "pypy3": "c", "ipython": "c",
        "perl": "eE",
        "ruby": "e", "jruby": "e", "node": "ep", "nodejs": "ep", "bun": "ep", "php": "rBRE", "lua": "e",
        "luajit": "e", "Rscript": "e", "julia": "eE", "groovy": "e", "elixir": "e", "osascript": "e",
        "guile": "c",
        "racket": "e", "scala": "e", "erl": "", "ghci": "e", "deno": "", "ts-node": "ep", "tsx": "ep",
    }
)  # fmt: skip
_VALUES: Mapping[str, str] = MappingProxyType(
    {
        "python": "WX",
        "python3": "WX",
        "pypy3": "WX",
        "perl": "",
        "ruby": "IrE",
        "node": "rC",
        "php": "dcfz",
        "lua": "l",
    }
)
_MODULE = frozenset({"python", "python2", "python3", "pypy", "pypy3"})
_LONG_INLINE = frozenset(
    {"--eval", "--print", "--execute", "--command", "-Command", "-EncodedCommand", "-eval"}
)


def program_of(argv: Sequence[str]) -> Program | None:
    """What the shell or interpreter ``argv`` runs; None when ``argv`` is neither."""
    family = family_name(argv[0])
    if family in SHELLS:
        return _shell_program(argv)
    if family in ("source", "."):
        return Program(Source.FILE, argv[1], 1) if len(argv) > 1 else None
    if family not in INTERPRETERS or family.endswith("awk"):
        return None
    return _interpreter_program(argv, family)


def _shell_program(argv: Sequence[str]) -> Program:
    at = 1
    while at < len(argv):
        word = argv[at]
        if word in ("--", "-"):
            at += 1
            break
        if not word.startswith(("-", "+")):
            break
        if word in ("-o", "+o", "-O", "+O", "--rcfile", "--init-file"):
            at += 2
            continue
        if word in _LONG_INLINE or (not word.startswith("--") and "c" in word[1:]):
            return Program(Source.INLINE, "", at + 1)
        if not word.startswith("--") and "s" in word[1:]:
            return Program(Source.STDIN, "", at)
        at += 1
    return _file_or_stdin(argv, at)


def _file_or_stdin(argv: Sequence[str], at: int) -> Program:
    if at >= len(argv) or argv[at] in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        return Program(Source.STDIN, "", at)
    return Program(Source.FILE, argv[at], at)


def _interpreter_program(argv: Sequence[str], family: str) -> Program:
    inline, values = _INLINE.get(family, "e"), _VALUES.get(family, "")
    at = 1
    while at < len(argv):
        word = argv[at]
        if word == "--":
            at += 1
            break
        if not word.startswith("-") or word == "-":
            break
        if word.partition("=")[0] in _LONG_INLINE:
            return Program(Source.INLINE, "", at)
        if not word.startswith("--"):
            found = _cluster(word, at, family, inline)
            if found is not None:
                return found
            at += len(word) == 2 and word[1] in values
        at += 1
    return _file_or_stdin(argv, at)


def _cluster(word: str, at: int, family: str, inline: str) -> Program | None:
    for index, letter in enumerate(word[1:], 1):
        if letter in inline:
            return Program(Source.INLINE, "", at + 1)
        if letter == "m" and family in _MODULE:
            glued = word[index + 1 :]
            return Program(Source.MODULE, glued, at if glued else at + 1)
        if letter in _VALUES.get(family, ""):
            return None
    return None
