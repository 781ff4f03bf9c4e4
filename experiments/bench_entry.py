"""The real program with a probe: when each event reached the screen, and how long Qt's loop stood still.

``JARVIS_BENCH_EVENTS`` names the file for the JSON lines. Only this module reads it.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from jarvis_desktop.app.cli import START_HIDDEN
from jarvis_desktop.app.main import run_desktop
from jarvis_desktop.core.items.events import (
    Event,
    LevelHeard,
    SpeakingStarted,
    Transcribed,
    VoiceStateChanged,
)
from jarvis_desktop.ui.qt import desktop

BEAT_MS = 10
LONG_GAP_S = 0.03


class Probe:
    """Writes lines; each is complete at once."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._last_s = 0.0

    def note(self, kind: str, **more: object) -> None:
        """One line, with the monotonic second that all processes share."""
        self._file.write(json.dumps({"at": time.monotonic(), "kind": kind, **more}) + "\n")

    def event(self, event: Event) -> None:
        """An event was handed to the screen."""
        if isinstance(event, LevelHeard):
            return
        self.note(type(event).__name__, **_details(event))

    def beat(self) -> None:
        """Qt's loop turned."""
        now_s = time.monotonic()
        gap_s = now_s - self._last_s
        if self._last_s and gap_s > LONG_GAP_S:
            self.note("gap", seconds=gap_s)
        self._last_s = now_s


def _details(event: Event) -> dict[str, object]:
    match event:
        case Transcribed():
            return {"text": event.text, "language": event.language.value}
        case VoiceStateChanged():
            return {"state": event.state.value, "listen_for": event.listen_for.value}
        case SpeakingStarted():
            return {"text": event.text}
        case _:
            return {}


def main() -> int:
    """Run the program until it ends."""
    probe = Probe(Path(os.environ["JARVIS_BENCH_EVENTS"]))
    probe.note("begun")

    class ProbedDesktop(desktop.Desktop):
        """The same, with the probe at its border and in its loop."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.beats = QTimer(self.app)
            self.beats.timeout.connect(probe.beat)
            self.beats.start(BEAT_MS)

        def deliver(self, event: Event) -> None:
            """Note it, then show it."""
            probe.event(event)
            super().deliver(event)

    desktop.Desktop = ProbedDesktop  # type: ignore[misc]  # run_desktop takes the class from this module
    return run_desktop(hidden=START_HIDDEN in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
