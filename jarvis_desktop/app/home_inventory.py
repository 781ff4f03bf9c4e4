"""What lies in the folder of Jarvis, by what it means to a person. Links are never followed."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from jarvis_desktop.adapters.model_job import FETCHING
from jarvis_desktop.adapters.model_notes import CHECKED
from jarvis_desktop.app.options import MODELS_NAME
from jarvis_desktop.core.ports import Texts

MARKERS = (
    *("jarvis.db", "jarvis.lock", "logs/jarvis.log"),
    # A first ./run that was not followed by a start has only fetched.
    *(f"{MODELS_NAME}/{name}" for name in (CHECKED, ".fetched")),
)
"""Only we make these names in these places; a folder without any of them is not ours."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One kind of what we keep."""

    name: str
    """The same in every language."""
    title: str
    """For people."""
    paths: tuple[Path, ...]
    files: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Inventory:
    """A folder of Jarvis, looked at."""

    kept: tuple[Kept, ...]
    unknown: tuple[Path, ...]
    """In the folder, but nothing that Jarvis makes."""


def is_ours(home: Path) -> bool:
    """Jarvis has used this folder."""
    if any((home / marker).is_file() and not (home / marker).is_symlink() for marker in MARKERS):
        return True
    parts = home / MODELS_NAME / FETCHING  # of a first download that was broken off
    return parts.is_dir() and not parts.is_symlink()


def inventory(home: Path, texts: Texts) -> Inventory:
    """Everything in ``home``; nothing when there is no such folder or it cannot be read."""
    try:
        present = sorted(home.iterdir())
    except OSError:
        return Inventory((), ())
    kept = []
    for name, title, patterns in _kinds(texts):
        paths = tuple(path for path in present if any(fnmatchcase(path.name, each) for each in patterns))
        if paths:
            sizes = [size for path in paths for size in _sizes(path)]
            kept.append(Kept(name, title, paths, len(sizes), sum(sizes)))
    known = {path for one in kept for path in one.paths}
    return Inventory(tuple(kept), tuple(path for path in present if path not in known))


def _kinds(texts: Texts) -> Sequence[tuple[str, str, tuple[str, ...]]]:
    """Name, title, and patterns of the names in the folder."""
    learned = (
        *("goals", "schedules", "procedures", "skills", "plugins", "tools", "team"),
        # Which of that code may run, and what it keeps for itself.
        *("extensions.yaml", "extensions.yaml.*", "extension-data"),
    )
    return (
        ("conversations", texts("Conversations and the audit log"), ("jarvis.db", "jarvis.db[.-]*")),
        ("rules", texts("Remembered rules"), ("approvals.yaml", "approvals")),
        ("settings", texts("Settings"), ("settings.yaml", "settings.yaml.*", "setup.*")),
        ("learned", texts("Goals, schedules, skills, plugins and tools"), learned),
        ("models", texts("Speech and chat models that were fetched"), ("models",)),
        ("logs", texts("Logs"), ("logs",)),
        (
            "work",
            texts("Working files of the program"),
            ("jarvis.lock", "model_checks.*", "model_speeds.*", "engine", ".*.tmp"),
        ),
    )


def _sizes(path: Path) -> Iterator[int]:
    """Bytes of every file at and below ``path``."""
    left = [path]
    while left:
        one = left.pop()
        try:
            found = one.lstat()
            if not stat.S_ISDIR(found.st_mode):
                yield found.st_size
                continue
            with os.scandir(one) as entries:
                left += [Path(entry.path) for entry in entries]
        except OSError:
            continue


def size_text(size_bytes: int) -> str:
    """A size as people read it."""
    for unit, bytes_each in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if size_bytes >= bytes_each:
            return f"{size_bytes / bytes_each:.1f} {unit}"
    return f"{size_bytes} B"
