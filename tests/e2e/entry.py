"""Starts the real program with a clock whose long waits a test can end, and whose wall clock it can set.

``JARVIS_E2E_LEAP`` names a file: when it appears, every wait of a minute or more that is under way is
over. ``JARVIS_E2E_WALL`` names one that holds the hours by which the wall clock is wrong. Only this module
reads them; the program is handed the clock like any other.
"""

import os
import sys
from datetime import datetime, timedelta
from pathlib import Path

from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.cli import START_HIDDEN
from jarvis_desktop.app.main import FirstSight, run_desktop

LONG_S = 60.0
LOOK_S = 0.05


class LeapingClock(SystemClock):
    """Real time, but for the leap and a wall clock that somebody sets."""

    def __init__(self, leap: Path, wall: Path) -> None:
        self._leap = leap
        self._wall = wall

    def now(self) -> datetime:
        """What the wall clock shows."""
        hours = float(self._wall.read_text("ascii")) if self._wall.exists() else 0.0
        return super().now() + timedelta(hours=hours)

    async def sleep(self, seconds: float) -> None:
        """Wait; a long wait ends with a leap that comes while it lasts."""
        if seconds < LONG_S or self._leap.exists():
            await super().sleep(seconds)
            return
        end_s = self.monotonic_s() + seconds
        while self.monotonic_s() < end_s and not self._leap.exists():
            await super().sleep(LOOK_S)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    clock = LeapingClock(Path(os.environ["JARVIS_E2E_LEAP"]), Path(os.environ["JARVIS_E2E_WALL"]))
    sys.exit(run_desktop(FirstSight.TRAY if START_HIDDEN in arguments else FirstSight.WINDOW, clock=clock))
