"""A label of one line that gives way: too narrow, it shows both ends of its text, and never asks for more."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

MOST_OF_A_LINE = 400
"""Characters that are laid out at all; the width in pixels decides how many show."""


class OneLineLabel(QLabel):
    """Plain text, elided in the middle by its width in pixels; the tail always shows whole."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._whole = self._tail = ""
        self.show_line(text)

    def show_line(self, text: str, tail: str = "") -> None:
        """Show ``text`` and behind it ``tail``, which is never shortened."""
        self._whole, self._tail = text, tail
        self.setAccessibleName(text + tail)
        self._elide()
        self.updateGeometry()

    @property
    def whole(self) -> str:
        """The text without any shortening."""
        return self._whole + self._tail

    def sizeHint(self) -> QSize:
        """Room for the whole text."""
        return QSize(self._width(self.whole) + self._frame() + 1, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width shows another part."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.width() - self._frame() - self._width(self._tail)
        shown = self._whole
        if self.testAttribute(Qt.WidgetAttribute.WA_Resized) and self._width(shown) > room:
            shown = self.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideMiddle, max(0, room))
        if self.text() != shown + self._tail:
            self.setText(shown + self._tail)

    def _frame(self) -> int:
        """What the style puts around the text."""
        return super().sizeHint().width() - self._width(self.text())

    def _width(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text)
