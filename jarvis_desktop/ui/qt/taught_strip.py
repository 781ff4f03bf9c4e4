"""The strip that says what was just taught, and takes it back by one click."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.memory import TaskPattern
from jarvis_desktop.core.items.memory_desk import ForgetBegun, ForgetEpisode, ForgetPattern, PatternTaught
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.page import wrapped
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.visible_text import one_line

_NAME_CHARS = 80


class TaughtStrip(QFrame):
    """Stays until it is used, put away, or something else is taught."""

    def __init__(
        self, theme: Theme, texts: Texts, send: Callable[[Command], None], changed: Callable[[], None]
    ) -> None:
        """changed: called when it comes or goes."""
        super().__init__()
        self._theme, self._texts, self._send, self._changed = theme, texts, send, changed
        self._pattern: TaskPattern | None = None
        self.setObjectName("notice")
        self.said = wrapped("", "adviceText")
        self.undo = QPushButton()
        self.undo.setProperty("kind", "link")
        self.undo.setAccessibleIdentifier("strip.taught.undo")
        # Enter belongs to the input line; this button must not catch it by default.
        self.undo.setAutoDefault(False)
        self.undo.clicked.connect(self._undo)
        self._close = QToolButton()
        self._close.clicked.connect(self._go)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 6, 6)
        row.addWidget(self.said, 1)
        row.addWidget(self.undo)
        row.addWidget(self._close)
        self.hide()
        self.restyle()

    def restyle(self) -> None:
        """The same in the colours and the language now in force."""
        texts = self._texts
        self._close.setIcon(line_icon("close", self._theme.colours.text))
        self.undo.setText(texts("Undo"))
        self._close.setAccessibleName(texts("Keep what was taught"))
        self._close.setToolTip(texts("Dismiss"))
        if self._pattern is not None:
            name = one_line(self._pattern.name, _NAME_CHARS)
            self.said.setText(texts("Kept from now on: {name}").format(name=name))
            self.undo.setAccessibleName(texts("Undo: {name}").format(name=name))

    def take(self, event: Event) -> None:
        """Show what happened."""
        if isinstance(event, PatternTaught):
            self._pattern = event.pattern
            self.restyle()
            self.show()
            self._changed()
        elif isinstance(event, ForgetBegun) and self._is_mine(event.wish):
            self._go()

    def _is_mine(self, wish: ForgetEpisode | ForgetPattern) -> bool:
        shown = self._pattern
        return isinstance(wish, ForgetPattern) and shown is not None and wish.number == shown.number

    def _go(self) -> None:
        self.hide()
        self._changed()

    def _undo(self) -> None:
        if self._pattern is not None:
            # The conversation stays: it was said, and only must not count.
            self._send(ForgetPattern(self._pattern.number, with_turn=False))
            self._go()
