"""Who is alive, read from /proc."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

POLL_S = 0.005


def with_word(word: str) -> list[int]:
    """Living processes with ``word`` in their command line, our own left out."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if word.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue
    return found


def is_alive(pid: int) -> bool:
    """The process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


async def until(claim: Callable[[], object], bound_s: float = 10.0) -> None:
    """Return as soon as ``claim`` holds; fail when it does not within ``bound_s``."""
    deadline_s = time.monotonic() + bound_s
    while not claim():
        assert time.monotonic() < deadline_s, "it did not happen in time"
        await asyncio.sleep(POLL_S)
