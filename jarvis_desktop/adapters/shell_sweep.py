"""Ends the processes of a command whose reaper is gone, by the mark in their environment."""

import os
import signal
import time
from pathlib import Path

MARK = "SHELL_CALL"
"""Variable that every process of one command inherits; its value is different for each."""
PATIENCE_S = 2.0


def marked(mark: str) -> list[int]:
    """Living processes that carry ``mark``. Zombies have no environment any more."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if wanted in environment.split(b"\0"):
                found.append(int(folder.name))
    return found


def sweep(mark: str) -> int:
    """Kill until no process carries ``mark``; how many are left when patience ends.

    The second line of defence only: a command that kills its reaper *and* wipes its environment gets away.
    """
    deadline_s = time.monotonic() + PATIENCE_S
    while left := marked(mark):
        if time.monotonic() > deadline_s:
            break
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
    return len(left)
