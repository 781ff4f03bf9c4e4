"""Commands in a terminal at which somebody sits who says yes to what is asked."""

import os
import pty
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ASKED = (b"Type yes: ",)
"""Ends of what a program says before it waits for a line."""
YES = b"yes\n"


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that is over."""

    status: int
    output: str
    """Everything that it said, on either stream."""


def typed(command: Sequence[str], cwd: Path, env: Mapping[str, str], within_s: float) -> Ended:
    """The end of a command, after a yes to each of its questions.

    Raises:
        TimeoutError: it did not end.
    """
    terminal, behind = pty.openpty()
    said = bytearray()
    try:
        with subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=behind,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as running:
            assert running.stdout is not None
            until_s = time.monotonic() + within_s
            while True:
                ready, _, _ = select.select([running.stdout], [], [], max(0.0, until_s - time.monotonic()))
                if not ready:
                    running.kill()
                    raise TimeoutError(f"{command}: {said.decode('utf-8', 'replace')}")
                more = os.read(running.stdout.fileno(), 65536)
                if not more:
                    break
                said += more
                if bytes(said).endswith(ASKED):
                    os.write(terminal, YES)
            return Ended(running.wait(within_s), said.decode("utf-8", "replace"))
    finally:
        os.close(terminal)
        os.close(behind)
