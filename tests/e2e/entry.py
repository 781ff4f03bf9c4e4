"""Starts the real program with a clock whose long waits a test can end.

``JARVIS_E2E_LEAP`` names a file: when it appears, every wait of a minute or more that is under way is
over. Only this module reads it; the program is handed the clock like any other.
"""

import os
import sys
from pathlib import Path

from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.cli import START_HIDDEN
from jarvis_desktop.app.main import FirstSight, run_desktop

LONG_S = 60.0
LOOK_S = 0.05


class LeapingClock(SystemClock):
    """Real time, but for the leap."""

    def __init__(self, leap: Path) -> None:
        self._leap = leap

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
    clock = LeapingClock(Path(os.environ["JARVIS_E2E_LEAP"]))
    sys.exit(run_desktop(FirstSight.TRAY if START_HIDDEN in arguments else FirstSight.WINDOW, clock=clock))
