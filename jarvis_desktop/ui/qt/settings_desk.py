"""Opens the settings window when a person asks for it."""

from jarvis_desktop.core.items.events import Event, LevelHeard
from jarvis_desktop.ui.qt.settings_page import Place, SettingsParts
from jarvis_desktop.ui.qt.settings_window import SettingsWindow


class SettingsDesk:
    """The one settings window; made when it is first needed, since most starts never show it."""

    def __init__(self, parts: SettingsParts) -> None:
        self._parts = parts
        self.window: SettingsWindow | None = None
        self._closed = False

    def take(self, event: Event) -> None:
        """Show what happened."""
        if self.window is not None and (self.window.isVisible() or not isinstance(event, LevelHeard)):
            self.window.take(event)

    def open(self, place: Place | None = None) -> None:
        """Show the window in front, at a page if one is named."""
        if self._closed:
            return
        if self.window is None:
            self.window = SettingsWindow(self._parts)
        if place is not None:
            self.window.go(place)
        self.window.bring_forward()

    def open_settings(self) -> None:
        """Show the window at the page where it was left."""
        self.open()

    def open_agenda(self) -> None:
        """Show what is looked after and what is due."""
        self.open(Place.AGENDA)

    def retranslate(self) -> None:
        """The window again in the language now in force."""
        if self.window is not None:
            self.window.retranslate()

    def close(self) -> None:
        """The program ends."""
        self._closed = True
        if self.window is not None:
            self.window.hide()
