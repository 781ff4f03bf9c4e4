"""What the disk says about paths: links followed, kinds, modes; ``stat`` and short reads only."""

import asyncio
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jarvis_desktop.core.items.path_facts import PathFact

MOST_SCRIPT_BYTES = 200_000


class DiskLookup:
    """Fills ``PathLookup``; the disk is looked at in a thread, since it may be far away."""

    async def facts(self, paths: Sequence[str]) -> Mapping[str, PathFact]:
        """Facts by path."""
        return await asyncio.to_thread(look_up, paths) if paths else {}

    async def scripts(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Text of each script."""
        return await asyncio.to_thread(read_scripts, paths) if paths else {}


def look_up(paths: Iterable[str]) -> dict[str, PathFact]:
    """Facts for each path that can be looked at; the others are absent."""
    found: dict[str, PathFact] = {}
    for path in paths:
        fact = path_fact(path)
        if fact is not None:
            found[path] = fact
    return found


def path_fact(path: str) -> PathFact | None:
    """Facts about one absolute path; None when it cannot be looked at (too long, a loop of links, a NUL)."""
    try:
        real = os.path.realpath(path)
        state = _state(real)
    except (OSError, ValueError):
        return None
    if state is None:
        return PathFact(real)
    mode = state.st_mode
    is_dir = stat.S_ISDIR(mode)
    return PathFact(real, True, is_dir, not is_dir and bool(mode & 0o111), 1 if is_dir else state.st_nlink)


def read_scripts(paths: Iterable[str]) -> dict[str, str]:
    """Text of each script that is a readable, regular file of modest size and no binary."""
    found: dict[str, str] = {}
    for path in paths:
        text = _script_text(Path(path))
        if text is not None:
            found[path] = text
    return found


def _state(real: str) -> os.stat_result | None:
    try:
        return os.lstat(real)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _script_text(path: Path) -> str | None:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
        with path.open("rb") as file:
            start = file.read(MOST_SCRIPT_BYTES)
    except (OSError, ValueError):
        return None
    return None if b"\0" in start[:4096] else start.decode("utf-8", "replace")
