"""Choices that narrow a table: four in a row, and two in a row where the window is narrow."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QWidget

_MANY, _FEW = 4, 2
_WIDE_PX = 480
_LEAST_CHARS = 6


class FilterRow(QWidget):
    """Lays ``boxes`` out in the order given."""

    def __init__(self, *boxes: QComboBox) -> None:
        super().__init__()
        self._boxes = boxes
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        for box in boxes:
            box.setMinimumContentsLength(_LEAST_CHARS)
        self._place(_MANY)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many in a row as there is room for."""
        super().resizeEvent(event)
        self._place(_MANY if event.size().width() > _WIDE_PX else _FEW)

    def _place(self, columns: int) -> None:
        for number, box in enumerate(self._boxes):
            self._grid.addWidget(box, number // columns, number % columns)
