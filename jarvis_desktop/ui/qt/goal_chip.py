"""The chip under an answer that offers to keep what was asked as a goal."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.theme import Colours
from jarvis_desktop.ui.visible_text import one_line

_SENTENCE_CHARS = 80


class GoalChip(QWidget):
    """Stays until it is used or put away; whoever lets it stand misses nothing."""

    def __init__(self, sentence: str, colours: Colours, texts: Texts, keep: Callable[[], None]) -> None:
        """keep: called once, when the person wants it."""
        super().__init__()
        short = one_line(sentence, _SENTENCE_CHARS)
        self.keep = QPushButton(texts("Keep an eye on this?"))
        self.keep.setProperty("kind", "chip")
        self.keep.setAccessibleName(texts("Keep an eye on this? {goal}").format(goal=short))
        self.keep.setAccessibleDescription(texts("Makes a goal of it: you are told what is new."))
        self.keep.setToolTip(self.keep.accessibleDescription())
        self.keep.setAccessibleIdentifier("chip.goal.keep")
        # Enter belongs to the input line; this button must not catch it by default.
        self.keep.setAutoDefault(False)
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(texts("Do not keep an eye on it"))
        self.close_button.setToolTip(texts("Dismiss"))
        self.close_button.setAccessibleIdentifier("chip.goal.dismiss")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(4)
        row.addWidget(self.keep)
        row.addWidget(self.close_button)
        row.addStretch(1)
        self.keep.clicked.connect(self.hide)
        self.keep.clicked.connect(keep)
        self.close_button.clicked.connect(self.hide)
        self.restyle(colours)

    def restyle(self, colours: Colours) -> None:
        """Draw in these colours."""
        self.close_button.setIcon(line_icon("close", colours.muted))
