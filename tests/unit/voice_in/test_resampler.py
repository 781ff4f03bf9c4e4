"""Resamplers and the end of the process."""

import subprocess
import sys

HELD = """
import threading
from jarvis_desktop.adapters.resampler import Resampler
held = threading.Event()
def hold():
    resampler = Resampler(44100, 1)
    resampler.feed(bytes(2000))
    CLOSE
    held.set()
    threading.Event().wait()
threading.Thread(target=hold, daemon=True).start()
held.wait()
"""


def said_at_the_end(close: str) -> str:
    """What a process prints whose thread still holds a resampler as it ends."""
    program = [sys.executable, "-c", HELD.replace("CLOSE", close)]
    return subprocess.run(program, capture_output=True, text=True, timeout=30, check=True).stderr


def test_a_closed_resampler_that_is_still_held_says_nothing_as_the_process_ends() -> None:
    assert "leaked" in said_at_the_end("pass")
    assert said_at_the_end("resampler.close()") == ""
