"""What an empty conversation shows: who is there and what one can do."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.icons import pixmap


class Greeting(QWidget):
    """A hello and three ways to begin."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self.setObjectName("greeting")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 70, 0, 0)
        column.setSpacing(8)
        mark = QLabel()
        mark.setPixmap(pixmap("jarvis", 64, ratio=self.devicePixelRatioF()))
        mark.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(mark)
        hello = QLabel(texts("Hello, I am Jarvis"))
        hello.setObjectName("hello")
        font = hello.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        hello.setFont(font)
        hello.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(8)
        column.addWidget(hello)
        self._ways = QLabel()
        """How to begin; depends on whether anybody listens."""
        promise = QLabel(texts("I read files on my own, and ask before I change or run anything."))
        for label in (self._ways, promise):
            label.setObjectName("hint")
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)

    def show_ways(self, text: str) -> None:
        """What one can do now."""
        self._ways.setText(text)
