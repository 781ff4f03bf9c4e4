"""A row of widgets that goes on in the next line where there is no room."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Widgets as wide as they want to be, from the left; hidden ones take no room."""

    def __init__(self, spacing_px: int = 8) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing_px)
        self.setContentsMargins(0, 0, 0, 0)

    def add(self, *widgets: QWidget) -> None:
        """One after another."""
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        """For Qt."""
        self._items.append(item)

    def count(self) -> int:
        """For Qt."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """For Qt."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """For Qt."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It wants no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Narrower is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Of all lines."""
        return self._lay(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Everything has its place."""
        super().setGeometry(rect)
        self._lay(rect, move=True)

    def sizeHint(self) -> QSize:
        """One line."""
        hints = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(hint.width() for hint in hints) + self.spacing() * max(0, len(hints) - 1)
        return QSize(wide, max((hint.height() for hint in hints), default=0))

    def minimumSize(self) -> QSize:
        """The widest one alone."""
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def _lay(self, rect: QRect, *, move: bool) -> int:
        at, line_px = QPoint(rect.topLeft()), 0
        for item in self._items:
            if item.isEmpty():
                continue
            hint = item.sizeHint()
            if at.x() > rect.x() and at.x() + hint.width() > rect.right() + 1:
                at = QPoint(rect.x(), at.y() + line_px + self.spacing())
                line_px = 0
            if move:
                item.setGeometry(QRect(at, QSize(min(hint.width(), rect.width()), hint.height())))
            at.setX(at.x() + hint.width() + self.spacing())
            line_px = max(line_px, hint.height())
        return at.y() + line_px - rect.y()
