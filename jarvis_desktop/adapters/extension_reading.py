"""What Python texts offer, as the reader says: many texts in one process, and none takes the others along."""

import json
import logging
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from jarvis_desktop.adapters.shell_child import child_program

log = logging.getLogger(__name__)

READER = "jarvis_desktop.adapters.extension_reader"
AT_ONCE = 100
"""Texts for one process; each has half a megabyte at most."""


def said_of(texts: Sequence[str], within_s: float) -> list[Mapping[str, Any]]:
    """What the reader says about each text; empty for one that it did not survive, or not in time.

    within_s: for a process; a text that takes longer is given up, and the rest go to another process.
    """
    said: list[Mapping[str, Any]] = []
    while len(said) < len(texts):
        some = texts[len(said) : len(said) + AT_ONCE]
        answers = _answered(some, within_s)
        said += answers
        if len(answers) < len(some):  # the next one ended the process, or is what it hangs on
            log.warning("a file of the person's could not be read as Python")
            said.append({})
    return said


def _answered(texts: Sequence[str], within_s: float) -> list[Mapping[str, Any]]:
    """Whole answers in the order of the texts; fewer where the process ended before the last."""
    asked = "".join(f"{json.dumps(text)}\n" for text in texts).encode()
    try:
        with subprocess.Popen(
            child_program(READER), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as reader:
            try:
                out, _ = reader.communicate(asked, within_s)
            except subprocess.TimeoutExpired:
                reader.kill()
                out, _ = reader.communicate()
    except OSError as error:
        log.warning("the reader could not be started", extra={"error": type(error).__name__})
        return []
    lines = out.split(b"\n")[:-1]
    try:
        return [json.loads(line) for line in lines[: len(texts)]]
    except ValueError:
        return []
