"""The real program with a probe: when each event reached the screen, and how long Qt's loop stood still.

``JARVIS_BENCH_EVENTS`` names the file for the JSON lines. Only this module reads it.
"""

import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from jarvis_desktop.app.cli import START_HIDDEN
from jarvis_desktop.app.main import FirstSight, run_desktop
from jarvis_desktop.core.items.events import (
    Event,
    LevelHeard,
    SpeakingStarted,
    Transcribed,
    TroubleNoted,
    VoiceStateChanged,
)
from jarvis_desktop.ui.qt import desktop

BEAT_MS = 10
LONG_GAP_S = 0.03
SLOW_S = 0.01


class Probe:
    """Writes lines; each is complete at once."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._last_s = self._last_own_s = self._collecting_s = 0.0

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
        now_s, own_s = time.monotonic(), time.thread_time()
        gap_s = now_s - self._last_s
        if self._last_s and gap_s > LONG_GAP_S:
            # Much of its own time: Qt's work. Little: it waited, for the interpreter or for a processor.
            self.note("gap", seconds=gap_s, own_s=own_s - self._last_own_s)
        self._last_s, self._last_own_s = now_s, own_s

    def collected(self, phase: str, facts: dict[str, int]) -> None:
        """The interpreter looks for garbage, and nobody else runs meanwhile."""
        if phase == "start":
            self._collecting_s = time.monotonic()
        elif (took_s := time.monotonic() - self._collecting_s) > SLOW_S:
            self.note("garbage", seconds=took_s, generation=facts["generation"])


def _details(event: Event) -> dict[str, object]:
    match event:
        case Transcribed():
            return {"text": event.text, "language": event.language.value}
        case VoiceStateChanged():
            return {"state": event.state.value, "listen_for": event.listen_for.value}
        case TroubleNoted():
            return {"part": event.part.value, "text": event.text}
        case SpeakingStarted():
            return {"text": event.text}
        case _:
            return {}


def main() -> int:
    """Run the program until it ends."""
    probe = Probe(Path(os.environ["JARVIS_BENCH_EVENTS"]))
    probe.note("begun")
    gc.callbacks.append(probe.collected)

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
    return run_desktop(FirstSight.TRAY if START_HIDDEN in sys.argv[1:] else FirstSight.WINDOW)


if __name__ == "__main__":
    sys.exit(main())
