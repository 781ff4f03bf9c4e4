"""A table to read and choose a row from."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

_ROW_PX = 34


class SettingsTable(QTableWidget):
    """Rows are chosen whole; Enter and double click open one, Tab goes on to what comes after the table."""

    def __init__(
        self, name: str, identifier: str, columns: Sequence[str], wide: int, opened: Callable[[int], None]
    ) -> None:
        """``wide`` is the column that takes the room which the others leave."""
        super().__init__(0, len(columns))
        self._opened = opened
        self.setObjectName("settingsTable")
        self.setAccessibleName(name)
        self.setAccessibleIdentifier(f"settings.{identifier}")
        self.setHorizontalHeaderLabels(list(columns))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
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
        head.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the row."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentRow() >= 0:
            self._opened(self.currentRow())
        else:
            super().keyPressEvent(event)
