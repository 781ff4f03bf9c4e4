"""The small line about downloads in the main window."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.qt.one_line_label import OneLineLabel
from jarvis_desktop.ui.setup_picture import SetupPicture


class FetchStrip(QWidget):
    """Takes no room while nothing is being fetched and nothing has failed."""

    def __init__(self, texts: Texts, set_up: Callable[[], None]) -> None:
        super().__init__()
        self._texts = texts
        self._box = QFrame()
        self._box.setObjectName("fetchStrip")
        self.text = OneLineLabel("", "fetchStripText")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.button = QPushButton()
        self.button.setProperty("kind", "link")
        self.button.setAccessibleIdentifier("strip.downloads")
        # Enter belongs to the input line; this button must not catch it by default.
        self.button.setAutoDefault(False)
        self.button.clicked.connect(set_up)
        row = QHBoxLayout()
        row.addWidget(self.text)
        row.addStretch(1)
        row.addWidget(self.button)
        inside = QVBoxLayout(self._box)
        inside.setContentsMargins(14, 2, 6, 6)
        inside.setSpacing(2)
        inside.addLayout(row)
        inside.addWidget(self.bar)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(18, 8, 18, 0)
        outer.addWidget(self._box)
        self.retranslate()
        self.hide()

    def retranslate(self) -> None:
        """The fixed texts in the language now in force."""
        self.button.setText(self._texts("Details"))
        self.button.setAccessibleName(self._texts("Details of the downloads"))
        self.bar.setAccessibleName(self._texts("Downloads"))

    def show_picture(self, picture: SetupPicture) -> None:
        """The downloads that go on, else those that failed."""
        text = setup_words.moving_text(picture, self._texts)
        failed = picture.failed
        if not text and failed:
            name = setup_words.model_name(failed[0].name, self._texts)
            text = f"{name}: {setup_words.fetch_text(failed[0], self._texts)}"
        done, total = setup_words.share(picture.moving)
        self.bar.setVisible(bool(picture.moving))
        self.bar.setRange(0, 1000 if total else 0)
        self.bar.setValue(round(1000 * done / total) if total else 0)
        if text != self.text.whole:
            self.text.show_line(text)
        self.setVisible(bool(text))
