"""The list of pages at the side of the settings window; what waits for a person is counted there."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.settings_page import Place
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.setup_steps import Step

ORDER = tuple(Place)
_ICONS = {
    Place.ALL: "setup",
    Place.LOOK: "language",
    Place.CHAT: "chat",
    Place.SPEECH: "fetch",
    Place.SOUND: "sound",
    Place.WAKE: "talk",
    Place.START: "key",
    Place.AGENTS: "people",
    Place.AGENDA: "agenda",
    Place.EXTENSIONS: "tool",
    Place.SERVERS: "plug",
    Place.RULES: "shield",
    Place.FILES: "copy",
    Place.DANGER: "warning",
    Place.AUDIT: "clock",
    Place.MEMORY: "memory",
}
_SIDE_PX, _NARROW_PX = 208, 172
_ROOMY_PX = 900
"""A window of this width has room for titles in one line."""


class SettingsSide(QWidget):
    """A list to see and to choose from; the arrow keys turn pages."""

    def __init__(self, theme: Theme, texts: Texts, now: Place, go: Callable[[Place], None]) -> None:
        super().__init__()
        self._theme, self._texts = theme, texts
        self._titles = titles(texts)
        self.setObjectName("setupSide")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.fit(_ROOMY_PX)
        self.list = QListWidget()
        self.list.setObjectName("setupSteps")
        self.list.setAccessibleName(texts("Pages"))
        self.list.setAccessibleIdentifier("settings.pages")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for place in ORDER:
            self.list.addItem(QListWidgetItem(self._titles[place]))
        self.show_place(now)
        self.list.currentRowChanged.connect(lambda row: go(ORDER[row]))
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 16, 10, 12)
        column.addWidget(self.list)
        self.restyle()

    def fit(self, window_px: int) -> None:
        """Take as much of the window's width as it can give."""
        self.setFixedWidth(_SIDE_PX if window_px >= _ROOMY_PX else _NARROW_PX)

    def show_place(self, place: Place) -> None:
        """``place`` is the one that is looked at."""
        self.list.setCurrentRow(ORDER.index(place))

    def show_waiting(self, place: Place, count: int) -> None:
        """So many things on that page wait for a person."""
        item = self.list.item(ORDER.index(place))
        title = self._titles[place]
        item.setText(f"{title} ({count})" if count else title)
        self.list.scheduleDelayedItemsLayout()  # the longer text may need two lines
        told = self._texts.plural("{count} is waiting for you", "{count} are waiting for you", count)
        item.setToolTip(told.format(count=count) if count else "")
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, item.toolTip())

    def restyle(self) -> None:
        """Icons in the theme's colours."""
        for row, place in enumerate(ORDER):
            self.list.item(row).setIcon(line_icon(_ICONS[place], self._theme.colours.muted))


def titles(texts: Texts) -> dict[Place, str]:
    """What the pages are called."""
    return {
        Place.ALL: texts("All settings"),
        Place.LOOK: texts("Languages and look"),
        Place.CHAT: setup_words.step_title(Step.CHAT, texts),
        Place.SPEECH: setup_words.step_title(Step.SPEECH, texts),
        Place.SOUND: setup_words.step_title(Step.SOUND, texts),
        Place.WAKE: setup_words.step_title(Step.WAKE, texts),
        Place.START: setup_words.step_title(Step.START, texts),
        Place.AGENTS: texts("Agents"),
        Place.AGENDA: texts("Agenda"),
        Place.EXTENSIONS: texts("Extensions"),
        Place.SERVERS: texts("MCP servers"),
        Place.RULES: texts("Rules"),
        Place.FILES: texts("Files"),
        Place.DANGER: texts("Danger list"),
        Place.AUDIT: texts("Decisions"),
        Place.MEMORY: texts("Memory"),
    }
