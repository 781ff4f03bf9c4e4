"""What a skill made of a request: folded under what was typed, and read on demand."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.message_view import MessageView
from jarvis_desktop.ui.qt.theme import Colours

_FOLD_PX = 14


class SkillFold(QWidget):
    """Folded at first: what was typed says it shortly."""

    def __init__(self, expansion: str, colours: Colours, texts: Texts) -> None:
        super().__init__()
        self._colours = colours
        self.fold = QToolButton()
        self.fold.setObjectName("fold")
        self.fold.setCheckable(True)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.setIconSize(QSize(_FOLD_PX, _FOLD_PX))
        self.fold.setText(texts("Skill"))
        self.fold.setAccessibleName(texts("What the skill made of it"))
        self.fold.setToolTip(self.fold.accessibleName())
        self.fold.toggled.connect(self._unfold)
        self.view = MessageView(colours)
        self.view.setAccessibleName(self.fold.accessibleName())
        self.view.show_plain(expansion)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(4)
        column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.view)
        self._unfold(open_=False)

    def _unfold(self, open_: bool) -> None:  # noqa: FBT001 - a signal's argument
        self.view.setVisible(open_)
        self.fold.setIcon(line_icon("fold-open" if open_ else "fold", self._colours.muted))
        self.updateGeometry()
