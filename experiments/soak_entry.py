"""The real program that writes down what reached its screen, for a long run: no timer of its own runs along.

``JARVIS_BENCH_EVENTS`` names the file for the JSON lines, as for ``bench_entry``.
"""

import os
import sys
from pathlib import Path

from experiments.bench_entry import Probe
from jarvis_desktop.app.cli import START_HIDDEN
from jarvis_desktop.app.main import FirstSight, run_desktop
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.ui.qt import desktop


def main() -> int:
    """Run the program until it ends."""
    probe = Probe(Path(os.environ["JARVIS_BENCH_EVENTS"]))

    class NotedDesktop(desktop.Desktop):
        """The same, with the probe at its border."""

        def deliver(self, event: Event) -> None:
            """Note it, then show it."""
            probe.event(event)
            super().deliver(event)

    desktop.Desktop = NotedDesktop  # type: ignore[misc]  # run_desktop takes the class from this module
    return run_desktop(FirstSight.TRAY if START_HIDDEN in sys.argv[1:] else FirstSight.WINDOW)


if __name__ == "__main__":
    sys.exit(main())
