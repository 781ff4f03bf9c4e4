"""Opens the setup window: by itself the first time, later when a person asks."""

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.setup import SetupLooked
from jarvis_desktop.ui.qt.setup_page import SetupParts
from jarvis_desktop.ui.qt.setup_window import SetupWindow
from jarvis_desktop.ui.setup_steps import Step


class SetupDesk:
    """The one setup window; made when it is first needed, since most starts never show it."""

    def __init__(self, parts: SetupParts, *, by_itself: bool) -> None:
        self._parts = parts
        self._by_itself = by_itself
        """It may open unasked on a home that was never set up; once."""
        self.window: SetupWindow | None = None

    def take(self, event: Event) -> None:
        """Show what happened; the picture has taken the event already."""
        if isinstance(event, SetupLooked) and event.facts.first_time and self._by_itself:
            self.open()
        elif self.window is not None:
            self.window.take(event)

    def open(self, step: Step | None = None) -> None:
        """Show the window in front."""
        self._by_itself = False
        if self.window is None:
            self.window = SetupWindow(self._parts)
        self.window.bring_forward(step)

    @property
    def shown(self) -> bool:
        """The window is on screen."""
        return self.window is not None and self.window.isVisible()

    def retranslate(self) -> None:
        """The window again in the language now in force."""
        if self.window is not None:
            self.window.retranslate()

    def close(self) -> None:
        """The program ends: that finishes no setup."""
        if self.window is not None:
            self.window.hide()
