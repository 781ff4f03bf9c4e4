"""What all pages of the setup window are made of."""

from collections.abc import Callable
from dataclasses import dataclass

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event, LevelHeard
from jarvis_desktop.core.items.setup import ChangeSetting
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.page import Page
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.setup_picture import SetupPicture
from jarvis_desktop.ui.setup_steps import Step


@dataclass(frozen=True, slots=True)
class SetupParts:
    """What the setup window and its pages work with."""

    send: Callable[[Command], None]
    theme: Theme
    texts: Texts
    picture: SetupPicture
    go: Callable[[Step], None]
    """Turn to a page."""
    vanished: Callable[[], None]
    """Called after a window of the setup went away: the focus may fall on a question by itself."""


class SetupPage(Page):
    """A page of the setup."""

    def __init__(self, parts: SetupParts, title: str, intro: str) -> None:
        super().__init__(title, intro)
        self.parts = parts

    def take(self, event: Event) -> None:
        """Show what happened; the picture has taken the event already. A level is no news to most pages."""
        if not isinstance(event, LevelHeard):
            self.refresh()

    def refresh(self) -> None:
        """Show the picture as it is now."""

    def left(self) -> None:
        """It is not any more."""

    def change(self, name: str, value: object) -> None:
        """Ask for a setting, unless it is so already."""
        if self.parts.picture.settings.get(name) != value:
            self.parts.send(ChangeSetting(name, value))
