"""The small line about downloads in the main window."""

from collections.abc import Callable

from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from jarvis_desktop.core.items.fetching import FetchState
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.one_line_label import OneLineLabel
from jarvis_desktop.ui.qt.page import say, wrapped
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.setup_picture import SetupPicture
from jarvis_desktop.ui.setup_steps import Step, step_of_fetch


class FetchStrip(QWidget):
    """Takes no room while nothing is being fetched and nothing has failed."""

    def __init__(self, theme: Theme, texts: Texts, set_up: Callable[[Step | None], None]) -> None:
        super().__init__()
        self._theme, self._texts = theme, texts
        self._step: Step | None = None
        """Where what is shown is steered."""
        self._failed: FetchState | None = None
        self._put_away: set[FetchState] = set()
        self._box = QFrame()
        self._box.setObjectName("fetchStrip")
        self.text = OneLineLabel("", "fetchStripText")
        self.trouble = wrapped("", "fetchStripText")
        """Why a download failed; whole, however long it is."""
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.button = QPushButton()
        self.button.setProperty("kind", "link")
        self.button.setAccessibleIdentifier("strip.downloads")
        # Enter belongs to the input line; this button must not catch it by default.
        self.button.setAutoDefault(False)
        self.button.clicked.connect(lambda: set_up(self._step))
        self.close_button = QToolButton()
        self.close_button.setAccessibleIdentifier("strip.downloads.dismiss")
        self.close_button.clicked.connect(self._dismiss)
        theme.changed.connect(self._restyle)
        row = QHBoxLayout()
        row.addWidget(self.text)
        row.addWidget(self.trouble, 1)
        row.addStretch()
        row.addWidget(self.button)
        row.addWidget(self.close_button)
        inside = QVBoxLayout(self._box)
        inside.setContentsMargins(14, 5, 6, 6)
        inside.setSpacing(2)
        inside.addLayout(row)
        inside.addWidget(self.bar)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(18, 8, 18, 0)
        outer.addWidget(self._box)
        self.retranslate()
        self._restyle()
        self.hide()

    def _restyle(self) -> None:
        self.close_button.setIcon(line_icon("close", self._theme.colours.text))

    def _dismiss(self) -> None:
        if self._failed is not None:
            self._put_away.add(self._failed)
            self.hide()

    def retranslate(self) -> None:
        """The fixed texts in the language now in force."""
        self.button.setText(self._texts("Details"))
        self.button.setAccessibleName(self._texts("Details of the downloads"))
        self.bar.setAccessibleName(self._texts("Downloads"))
        self.close_button.setToolTip(self._texts("Dismiss"))
        self.close_button.setAccessibleName(self._texts("Dismiss"))

    def show_picture(self, picture: SetupPicture) -> None:
        """The downloads that go on, else one that failed and was not put away."""
        text = setup_words.moving_text(picture, self._texts)
        self._put_away &= set(picture.failed)
        failed = next((state for state in picture.failed if state not in self._put_away), None)
        self._failed = None if text else failed
        why = ""
        if self._failed is not None:
            name = setup_words.model_name(self._failed.name, self._texts)
            why = f"{name}: {setup_words.fetch_text(self._failed, self._texts)}"
        shown = self._failed or next(iter(picture.moving), None)
        self._step = step_of_fetch(shown, picture) if shown is not None else None
        done, total = setup_words.share(picture.moving)
        self.bar.setVisible(bool(picture.moving))
        self.bar.setRange(0, 1000 if total else 0)
        self.bar.setValue(round(1000 * done / total) if total else 0)
        if text != self.text.whole:
            self.text.show_line(text)
        self.text.setVisible(bool(text))
        say(self.trouble, why)
        self.close_button.setVisible(bool(why))
        self.setVisible(bool(text or why))
