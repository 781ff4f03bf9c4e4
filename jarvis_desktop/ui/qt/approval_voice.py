"""The part of an approval dialog that says what voice does; it has no say in what counts."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.header import LevelMeter
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.theme import Theme

_LINES = 2
"""Each text has room for so many, so that nothing moves under a pointer when another one comes."""


class VoiceBox(QWidget):
    """Whether a spoken answer would be heard now, how loud it is, and what was heard last."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self.line = plain_label("", "listening")
        self.heard = plain_label("", "heard")
        for label in (self.line, self.heard):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            label.setFixedHeight(_LINES * label.fontMetrics().lineSpacing() + 2)
        self.meter = LevelMeter(theme, texts)
        policy = self.meter.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.meter.setSizePolicy(policy)
        self.meter.hide()
        row = QHBoxLayout()
        row.addWidget(self.line, 1)
        row.addWidget(self.meter, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.heard)

    def show_voice(self, line: str, heard: str, *, listens: bool) -> str:
        """Show these; what of them is new comes back, for screen readers."""
        new = [text for label, text in ((self.line, line), (self.heard, heard)) if label.text() != text]
        self.line.setText(line)
        self.heard.setText(heard)
        self.meter.setVisible(listens)
        return " ".join(filter(None, new))
