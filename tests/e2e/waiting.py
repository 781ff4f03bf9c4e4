"""Bounded waits for what other processes do."""

import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

T = TypeVar("T")

STEP_S = 0.03
WAIT_S = 20.0
_never = threading.Event()


def pause(seconds: float = STEP_S) -> None:
    """Let the other processes go on for a moment; never more than 0.1 s."""
    _never.wait(min(seconds, 0.1))


def eventually(look: Callable[[], T | None], what: str, within_s: float = WAIT_S) -> T:
    """What ``look`` returned as soon as that was true.

    what: a sentence saying what should have come true, for the failure.

    Raises:
        AssertionError: it did not come true in time.
    """
    deadline = time.monotonic() + within_s
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < deadline, f"not within {within_s} s: {what}"
        pause()


def holds_for(look: Callable[[], object], what: str, seconds: float) -> None:
    """Returns after ``seconds`` in which ``look`` was true all the time.

    Raises:
        AssertionError: it became false.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert look(), f"came to an end: {what}"
        pause()


def output(*command: str, env: Mapping[str, str] | None = None, within_s: float = WAIT_S) -> str:
    """What a command printed; empty when it failed."""
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=within_s, check=False)
    return done.stdout if done.returncode == 0 else ""


def end_process(process: "subprocess.Popen[bytes]", within_s: float = 5.0) -> None:
    """The process is over, by force when it must be."""
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(within_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(within_s)
