"""The Python files of ``~/.jarvis/tools`` and ``~/.jarvis/plugins``: read, never run."""

import errno
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from jarvis_desktop.adapters.extension_reading import said_of
from jarvis_desktop.adapters.plain_file import bytes_of
from jarvis_desktop.core.tool_text import readable

FOLDER = "tools"
MOST_BYTES = 500_000
READ_WITHIN_S = 20.0
ADVISED_WITHIN_S = 2.0
"""Turns wait for plugins' files; what a text says is advice there, since running it says what it has."""
_NAME = re.compile(r"\w[\w .-]{0,60}")
_LISTS = ("bare", "needed")
_Stamp: TypeAlias = tuple[int, int, int, int]


class FileTrouble(StrEnum):
    """Why a file can be no extension."""

    BAD_NAME = "bad_name"
    UNREADABLE = "unreadable"
    """``detail`` is the system's reason."""
    LEADS_NOWHERE = "leads_nowhere"
    TOO_LARGE = "too_large"
    NO_TEXT = "no_text"
    """It is not UTF-8, or says that it is something else: what is shown would not be what runs."""
    NO_PYTHON = "no_python"
    """``line`` says where."""
    EMPTY = "empty"
    """There is nothing in it that could be called."""


@dataclass(frozen=True, slots=True)
class Function:
    """A public function as its text says."""

    name: str
    purpose: str
    read_only: bool
    """Its author says so."""
    tool: bool
    """It has a docstring, a hint for each parameter, and no parameters without a name."""
    parameters: Mapping[str, str]
    """What the docstring says about each."""
    line: int = 0
    described: bool = True
    """It has a docstring."""
    bare: tuple[str, ...] = ()
    """Its parameters without a hint."""
    nameless: bool = False
    """It has ``*args``, ``**kwargs`` or positional-only parameters."""
    needed: tuple[str, ...] = ()
    """Its parameters without a default; ``x/`` is one that cannot be given by name."""
    used: bool = False
    """Something else in the file uses it."""

    @property
    def is_helper(self) -> bool:
        """Others in the file use it, and nobody described it: it was hardly meant for agents."""
        return self.used and not self.described


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file as it is now."""

    name: str
    path: Path
    digest: str = ""
    """sha256 over ``source``; empty when it could not be read."""
    source: bytes = b""
    text: str = ""
    functions: tuple[Function, ...] = ()
    trouble: FileTrouble | None = None
    detail: str = ""
    line: int = 0


class ExtensionFiles:
    """Looks at every file each time it is asked; reads those that changed. One thread at a time."""

    def __init__(
        self,
        home: Path,
        folder: str = FOLDER,
        read: Callable[[Sequence[Path]], Sequence[FoundFile]] | None = None,
    ) -> None:
        """read: what is in files, each of them; else ``read_files``."""
        self.folder = home / folder
        self._read = read or read_files
        self._known: dict[Path, tuple[_Stamp, FoundFile]] = {}

    def look(self) -> tuple[FoundFile, ...]:
        """As the files say now, by file name. Never raises."""
        stamps = {path: _stamp(path) for path in sorted(_files(self.folder))}
        known = {path: one for path, one in self._known.items() if one[0] == stamps.get(path)}
        new = [path for path in stamps if path not in known]
        fresh = dict(zip(new, self._read(new), strict=True)) if new else {}
        found = {
            path: known[path] if path in known else (stamp, fresh[path]) for path, stamp in stamps.items()
        }
        self._known = found
        return tuple(file for _, file in found.values())


def read_files(paths: Sequence[Path]) -> list[FoundFile]:
    """What is in each file, its functions too, and what is wrong with it. Never raises."""
    return [
        one if one.trouble is not None else _described(one, said) for one, said in _read(paths, READ_WITHIN_S)
    ]


def read_plugins(paths: Sequence[Path]) -> list[FoundFile]:
    """What is in each file as text, with its functions as far as the text tells. Never raises.

    A text that is no Python is none of its troubles: loading it says so.
    """
    return [replace(one, functions=_functions(said)) for one, said in _read(paths, ADVISED_WITHIN_S)]


def read_text(path: Path) -> FoundFile:
    """What is in the file as text that may be Python, and what is wrong with it. Never raises."""
    bare = FoundFile(readable(path.stem), path)
    if not _NAME.fullmatch(path.stem):
        return _with(bare, FileTrouble.BAD_NAME)
    try:
        source = bytes_of(path, MOST_BYTES)
    except OSError as error:
        return _with(bare, _UNREAD.get(error.errno or 0, FileTrouble.UNREADABLE), error.strerror or "?")
    read = replace(bare, digest=sha256(source).hexdigest())
    text = _text(source)
    if text is None:
        return _with(read, FileTrouble.NO_TEXT)
    return replace(read, source=source, text=text)


_UNREAD = {errno.ENOENT: FileTrouble.LEADS_NOWHERE, errno.EFBIG: FileTrouble.TOO_LARGE}


def _text(source: bytes) -> str | None:
    """The source as it is shown; None where that would not be what runs."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        text = source.decode("utf-8-sig")
    except (SyntaxError, UnicodeError):
        return None
    return text if encoding in ("utf-8", "utf-8-sig") and "\0" not in text else None


def _described(file: FoundFile, said: Mapping[str, Any]) -> FoundFile:
    if "functions" not in said:
        return _with(file, FileTrouble.NO_PYTHON, str(said.get("error", "?")), said.get("line", 0))
    made = replace(file, functions=_functions(said))
    return made if any(one.tool for one in made.functions) else _with(made, FileTrouble.EMPTY)


def _read(paths: Sequence[Path], within_s: float) -> Iterator[tuple[FoundFile, Mapping[str, Any]]]:
    """Each file, with what the reader says about its text."""
    files = [read_text(path) for path in paths]
    said = iter(said_of([one.text for one in files if one.trouble is None], within_s))
    return ((one, next(said) if one.trouble is None else {}) for one in files)


def _functions(said: Mapping[str, Any]) -> tuple[Function, ...]:
    rows: Sequence[dict[str, Any]] = said.get("functions", ())
    return tuple(Function(**{**row, **{name: tuple(row[name]) for name in _LISTS}}) for row in rows)


def _with(file: FoundFile, trouble: FileTrouble, detail: str = "", line: int = 0) -> FoundFile:
    return replace(file, trouble=trouble, detail=detail, line=line)


def _files(folder: Path) -> Iterator[Path]:
    try:
        # What begins so is kept by editors, or helps other programs.
        yield from (one for one in folder.iterdir() if one.suffix == ".py" and one.name[0] not in "._#")
    except OSError:
        return  # no such folder, as on most machines


def _stamp(path: Path) -> _Stamp:
    try:
        state = path.stat()
    except OSError:
        return (0, 0, 0, 0)
    return (state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns)
