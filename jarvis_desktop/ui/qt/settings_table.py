"""A table to read and choose a row from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

_ROW_PX = 34


@dataclass(frozen=True, slots=True)
class Columns:
    """What a table shows side by side."""

    titles: Sequence[str]
    wide: int
    """The one that takes the room which the others leave."""
    spare: Mapping[int, int]
    """Columns that are left out in a table narrower than so many pixels; it is said elsewhere too."""


class SettingsTable(QTableWidget):
    """Rows are chosen whole; Enter and double click open one, Tab goes on to what comes after the table."""

    def __init__(self, name: str, identifier: str, columns: Columns, opened: Callable[[int], None]) -> None:
        super().__init__(0, len(columns.titles))
        self._opened, self._columns = opened, columns
        self.setObjectName("settingsTable")
        self.setAccessibleName(name)
        self.setAccessibleIdentifier(f"settings.{identifier}")
        self.setHorizontalHeaderLabels(list(columns.titles))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_PX)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        # Only the first rows are measured: ten thousand would hold up the window.
        head.setResizeContentsPrecision(60)
        head.setSectionResizeMode(columns.wide, QHeaderView.ResizeMode.Stretch)
        head.setMinimumSectionSize(56)
        self.cellDoubleClicked.connect(lambda row, _column: opened(row))

    def put(self, row: int, cells: Sequence[str], tip: str = "", icon: QIcon | None = None) -> None:
        """A row says ``cells``."""
        if row >= self.rowCount():
            self.setRowCount(row + 1)
        for column, text in enumerate(cells):
            item = QTableWidgetItem(text)
            item.setToolTip(tip or text)
            if icon is not None and column == 0:
                item.setIcon(icon)
            self.setItem(row, column, item)

    def choose(self, row: int) -> None:
        """``row`` is the one that is chosen, and in view."""
        if 0 <= row < self.rowCount():
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(
                self.model().index(row, 0), flags.ClearAndSelect | flags.Rows
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow table says less, so that what it says can be read."""
        super().resizeEvent(event)
        for column, least_px in self._columns.spare.items():
            self.setColumnHidden(column, self.width() < least_px)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the row."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentRow() >= 0:
            self._opened(self.currentRow())
        else:
            super().keyPressEvent(event)
