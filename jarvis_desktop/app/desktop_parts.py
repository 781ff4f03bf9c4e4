"""What only a start with windows has: the global hotkey, the machine's sleep, entries in the desktop."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence

from jarvis_desktop.adapters.desktop_entry import DesktopEntry, own_command
from jarvis_desktop.adapters.logind import sleep_changes
from jarvis_desktop.app.hotkey_care import HotkeyCare
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.app.sleep_care import SleepCare, Sleeper
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.ports import Clock, Emit

log = logging.getLogger(__name__)


class DesktopParts:
    """Beside the conversation, for as long as it runs."""

    def __init__(
        self, start: Start, clock: Clock, surface: Surface, emit: Emit, sleepers: Sequence[Sleeper]
    ) -> None:
        self._is_windowed = surface.sets_up
        self._hotkey = HotkeyCare(start.settings.ui.hotkey, surface.post, start.texts, emit)
        self._sleep = SleepCare(sleep_changes, sleepers, clock)

    @property
    def hotkey_trouble(self) -> str:
        """Why the global hotkey cannot be had; empty when it works or none is set."""
        return self._hotkey.trouble

    def on_event(self, event: Event) -> None:
        """Another hotkey counts at once."""
        if self._is_windowed:
            self._hotkey.on_event(event)

    def behind(self) -> list[Coroutine[None, None, None]]:
        """What runs beside the conversation without end; nothing where there are no windows."""
        return [self._hotkey.run(), self._sleep.run(), _mend_entries()] if self._is_windowed else []


async def _mend_entries() -> None:
    """Entries of ours whose program has moved name the one that runs."""
    try:
        await asyncio.to_thread(DesktopEntry(own_command()).mend)
    except OSError as error:
        log.warning("desktop entries cannot be mended", extra={"error": type(error).__name__})
