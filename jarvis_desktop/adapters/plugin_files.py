"""The plugins' files in ``~/.jarvis/plugins``: Python, read and never run here."""

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from jarvis_desktop.adapters.plain_file import bytes_of
from jarvis_desktop.core.items.hooks import Hook
from jarvis_desktop.core.tool_text import readable

FOLDER = "plugins"
MOST_BYTES = 1_000_000
_ENDING = ".py"
_Stamp: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class PluginFile:
    """One file, as it was read."""

    name: str
    path: Path
    source: bytes
    digest: str
    """SHA-256 of ``source`` in hexadecimal; empty where it could not be read."""
    hooks: tuple[Hook, ...] = ()
    """Those that it seems to define; running it says which it has."""
    problem: str = ""
    """In the system's words: why it could not be read."""


class PluginFiles:
    """Looks at every file each time it is asked; reads those that changed. One thread at a time."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER
        self._known: dict[Path, tuple[_Stamp, PluginFile]] = {}

    @property
    def folder(self) -> Path:
        """Where the files lie; it need not be there."""
        return self._folder

    def look(self) -> tuple[PluginFile, ...]:
        """All of them as they are now, by name. Never raises."""
        found = tuple(self._files())
        for path in self._known.keys() - {one.path for one in found}:
            del self._known[path]
        return found

    def _files(self) -> Iterator[PluginFile]:
        try:
            paths = sorted(one for one in self._folder.iterdir() if one.suffix == _ENDING)
        except OSError:
            return  # no such folder, as on most machines
        for path in paths:
            if path.name[0] not in "._":  # what editors leave behind, and what an author keeps aside
                try:
                    state = path.stat()
                except OSError:
                    continue  # it went between two looks, or leads nowhere
                yield self._file(path, (state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns))

    def _file(self, path: Path, stamp: _Stamp) -> PluginFile:
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            known = self._known[path] = stamp, _read(path)
        return known[1]


def _read(path: Path) -> PluginFile:
    name = readable(path.stem)
    try:
        source = bytes_of(path, MOST_BYTES)
    except OSError as error:
        return PluginFile(name, path, b"", "", problem=error.strerror or type(error).__name__)
    return PluginFile(name, path, source, hashlib.sha256(source).hexdigest(), _hooks(source))


def _hooks(source: bytes) -> tuple[Hook, ...]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()  # its own process says what is wrong with it, once a person lets it run
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    defined = {one.name for one in tree.body if isinstance(one, functions)}
    return tuple(hook for hook in Hook if hook.value in defined)
