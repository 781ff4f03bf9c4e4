"""What an empty conversation shows: who is there and what one can do."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.agent_picture import purpose_text, shown_name
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
        self._texts = texts
        self._hello = QLabel()
        self._hello.setTextFormat(Qt.TextFormat.PlainText)
        self._hello.setWordWrap(True)
        self._hello.setObjectName("hello")
        font = self._hello.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        self._hello.setFont(font)
        self._hello.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(8)
        column.addWidget(self._hello)
        self._purpose = QLabel()
        self._ways = QLabel()
        """How to begin; depends on whether anybody listens."""
        promise = QLabel(texts("I read files on my own, and ask before I change or run anything."))
        for label, name in ((self._purpose, "purpose"), (self._ways, "hint"), (promise, "hint")):
            label.setObjectName(name)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        self.show_agent(None)

    def show_agent(self, card: AgentCard | None) -> None:
        """Who is there; None is the main agent."""
        texts = self._texts
        main = card is None or card.agent_id == MAIN_AGENT
        hello = texts("Hello, I am Jarvis")
        if shown_name(card, texts) != texts("Jarvis"):
            hello = texts("Hello, I am {agent}").format(agent=shown_name(card, texts))
        self._hello.setText(hello)
        self._purpose.setText("" if main or card is None else purpose_text(card, texts))
        self._purpose.setVisible(bool(self._purpose.text()))

    def show_ways(self, text: str) -> None:
        """What one can do now."""
        self._ways.setText(text)

    @property
    def words(self) -> tuple[str, ...]:
        """What it says, from the top."""
        labels = self.findChildren(QLabel)
        return tuple(label.text() for label in labels if label.text() and not label.isHidden())
