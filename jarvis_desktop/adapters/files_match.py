"""Glob patterns on relative paths, and the walk that they guide."""

import os
import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from jarvis_desktop.adapters.files_names import for_people

PASSED_OVER = frozenset({"node_modules", "__pycache__"})
"""Folders that programs fill; searched only when the pattern names them, like hidden ones."""

MAX_BRACES = 64
"""Alternatives that ``{a,b}`` may expand to."""


def alternatives(pattern: str) -> list[str]:
    """``a{b,c}`` as ``ab`` and ``ac``; nested braces too; no braces, no change."""
    found = [pattern]
    while len(found) <= MAX_BRACES:
        index = next((i for i, one in enumerate(found) if re.search(r"\{[^{}]*,[^{}]*\}", one)), None)
        if index is None:
            return found
        match = re.search(r"\{([^{}]*,[^{}]*)\}", found[index])
        assert match is not None
        before, after = found[index][: match.start()], found[index][match.end() :]
        found[index : index + 1] = [before + option + after for option in match[1].split(",")]
    raise ValueError(f"the pattern has more than {MAX_BRACES} alternatives")


def component_regex(component: str) -> str:
    """Regular expression of one path component: ``*``, ``?``, ``[…]`` and literal text."""
    out, rest = "", component
    while rest:
        char, rest = rest[0], rest[1:]
        group = re.match(r"([!^]?)(\]?[^\]]*)\]", rest) if char == "[" else None
        if group:
            inside = group[2].replace("\\", "\\\\").replace("[", "\\[")
            out += f"[{'^' if group[1] else ''}{inside.replace(']', chr(92) + ']')}]"
            rest = rest[group.end() :]
        else:
            out += {"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char))
    return out


def path_regex(pattern: str) -> re.Pattern[str]:
    """The regular expression that a whole relative path has to match; ``**`` crosses folders.

    Raises:
        ValueError: a broken range such as ``[z-a]``, or too many alternatives.
    """
    wholes = []
    for one in alternatives(composed(pattern)):
        parts = [part for part in one.split("/") if part not in ("", ".")]
        pieces = ["(?:[^/]+/)*" if part == "**" else component_regex(part) + "/" for part in parts]
        whole = "".join(pieces)
        wholes.append(whole + "[^/]+" if parts and parts[-1] == "**" else whole.removesuffix("/"))
    try:
        return re.compile("|".join(f"(?:{whole})" for whole in wholes) + r"\Z", re.DOTALL)
    except re.error as error:
        raise ValueError(f"not a glob pattern: {pattern}") from error


def composed(name: str) -> str:
    """``name`` in NFC: a file from a Mac has decomposed Hangul, and is meant all the same."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


class Glob:
    """A pattern, and whether it names hidden things."""

    def __init__(self, pattern: str) -> None:
        self._regex = path_regex(pattern)
        self._names_hidden = bool(re.search(r"(?:^|[/{,])\.[^/.]", pattern))
        self._named = {part for part in re.split(r"[/{},]", pattern) if part in PASSED_OVER}

    def matches(self, relative: str) -> bool:
        """Whether this is one of the files; ``relative`` uses ``/``."""
        return self._regex.match(composed(relative)) is not None

    def enters(self, name: str, *, is_dir: bool) -> bool:
        """Whether a file or folder of this name is looked at at all."""
        if name.startswith("."):
            return self._names_hidden
        return not is_dir or name not in PASSED_OVER or name in self._named


class Budget:
    """How long a search may go on, and the way to end it earlier."""

    def __init__(self, seconds: float, stopped: Callable[[], bool] = lambda: False) -> None:
        self._deadline_s = time.monotonic() + seconds
        self._stopped = stopped

    @property
    def spent(self) -> bool:
        """The time is up, or nobody wants the answer any more."""
        return self._stopped() or time.monotonic() > self._deadline_s


def walk(root: Path, glob: Glob, budget: Budget) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Relative path and entry of everything below ``root`` that is no folder, folder by folder, by name.

    Links to folders are not followed: no cycles, and no way out of ``root``. Folders that cannot be read
    are passed over. Ends early when ``budget`` is spent.
    """
    waiting = [("", root)]
    while waiting and not budget.spent:
        prefix, folder = waiting.pop()
        below = []
        for entry in entries(folder):
            is_dir = entry.is_dir(follow_symlinks=False)
            if not glob.enters(entry.name, is_dir=is_dir):
                continue
            if is_dir:
                below.append((f"{prefix}{readable_name(entry)}/", Path(entry.path)))
            else:
                yield f"{prefix}{readable_name(entry)}", entry
        waiting += reversed(below)


def readable_name(entry: os.DirEntry[str]) -> str:
    """The entry's name as a pattern would spell it, in every locale."""
    return entry.name if entry.name.isascii() else str(for_people(Path(entry.name)))


def entries(folder: Path) -> list[os.DirEntry[str]]:
    """Entries of a folder by name; none when it cannot be read."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []
