"""What both lists of the agenda are made of: a table that follows what it shows, examples, a way back."""

from collections.abc import Callable, Hashable, Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.page import Card, say, wrapped
from jarvis_desktop.ui.qt.settings_page import SettingsParts, push
from jarvis_desktop.ui.qt.settings_table import Columns, SettingsTable
from jarvis_desktop.ui.visible_text import one_line

_ROW_PX = 34
_NAME_CHARS = 80


class FollowingTable(SettingsTable):
    """Rows come and go under the eyes of a person: the chosen one stays chosen, wherever it moves."""

    def __init__(
        self, name: str, identifier: str, columns: Columns, chosen: Callable[[], None], most_rows: int
    ) -> None:
        super().__init__(name, identifier, columns, lambda _row: chosen())
        self._most_rows = most_rows
        self._keys: tuple[Hashable, ...] = ()
        self._rows: tuple[Sequence[str], ...] = ()
        self.itemSelectionChanged.connect(chosen)

    @property
    def chosen(self) -> Hashable | None:
        """The key of the chosen row."""
        row = self.currentRow()
        return self._keys[row] if 0 <= row < len(self._keys) else None

    def fill(self, rows: Sequence[tuple[Hashable, Sequence[str]]]) -> None:
        """These rows are shown now, each with a key of its own; nobody is told that one is chosen by that."""
        keys, cells = tuple(key for key, _ in rows), tuple(cells for _, cells in rows)
        if (keys, cells) == (self._keys, self._rows):
            return
        before, row = self.chosen, self.currentRow()
        blocked = self.blockSignals(True)
        self.setRowCount(len(keys))
        for number, one in enumerate(cells):
            self.put(number, one)
        self._keys, self._rows = keys, cells
        self.choose(keys.index(before) if before in keys else min(max(row, 0), len(keys) - 1))
        self.blockSignals(blocked)
        head = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(head + _ROW_PX * min(len(keys), self._most_rows) + 6)
        self.setVisible(bool(keys))


class Examples(QWidget):
    """What to say while there is nothing, with lines that a click puts into the input line."""

    def __init__(self, parts: SettingsParts, about: str, name: str, lines: Sequence[str]) -> None:
        super().__init__()
        texts = parts.texts
        column = Card()
        column.setObjectName("plain")
        column.column.setContentsMargins(0, 0, 0, 0)
        column.column.setSpacing(2)
        column.column.addWidget(wrapped(about, "cardFacts"))
        self.buttons, self.lines = [], tuple(lines)
        for number, line in enumerate(lines):
            button = push(texts("Use this"), f"agenda.{name}.example.{number}", _put(parts, line), "link")
            button.setAccessibleName(texts("Write into the input line: {line}").format(line=line))
            self.buttons.append(button)
            # A label, not the button itself: it breaks its lines where the window is narrow.
            row = column.add_row(stretch=False)
            row.addWidget(wrapped(line, "cardText"), 1)
            row.addWidget(button)
        inside = QHBoxLayout(self)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(column)


def _put(parts: SettingsParts, line: str) -> Callable[[], None]:
    return lambda: parts.compose(line)


class WayBack(QFrame):
    """What is gone, and the button that brings it back."""

    def __init__(self, texts: Texts, send: Callable[[Command], None]) -> None:
        super().__init__()
        self._texts, self._send = texts, send
        self._undoing: Command | None = None
        self.setObjectName("notice")
        self.said = wrapped("", "cardText")
        self.undo = push(texts("&Undo"), "agenda.undo", self._undo, "link")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 8, 6)
        row.addWidget(self.said, 1)
        row.addWidget(self.undo)
        self.hide()

    def offer(self, text: str, what: str, undoing: Command) -> None:
        """Say ``text``; ``undoing`` takes it back."""
        self._undoing = undoing
        name = one_line(what, _NAME_CHARS)
        say(self.said, text.format(name=name))
        self.undo.setAccessibleName(self._texts("Undo: {name}").format(name=name))
        self.show()

    def put_away(self) -> None:
        """Nothing can be taken back here any more."""
        self._undoing = None
        self.hide()

    def _undo(self) -> None:
        undoing = self._undoing
        self.put_away()
        if undoing is not None:
            self._send(undoing)
