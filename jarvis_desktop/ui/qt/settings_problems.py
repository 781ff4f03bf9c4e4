"""What is wrong in a text, a line each; a click or Enter leads there."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from jarvis_desktop.core.items.rule_facts import TextProblem
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import Care, visible

_MOST_PX = 86


class ProblemList(QListWidget):
    """Takes no room while nothing is wrong."""

    def __init__(self, texts: Texts, name: str, identifier: str, go_to: Callable[[int], None]) -> None:
        """go_to: gets the line, from 1; 0 when the whole file is meant."""
        super().__init__()
        self._texts = texts
        self.setObjectName("problems")
        self.setAccessibleName(name)
        self.setAccessibleIdentifier(f"settings.{identifier}")
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setMaximumHeight(_MOST_PX)
        self.hide()

        def activated(item: QListWidgetItem) -> None:
            go_to(int(item.data(Qt.ItemDataRole.UserRole)))

        self.itemActivated.connect(activated)
        self.itemClicked.connect(activated)

    def show_problems(self, problems: Sequence[TextProblem]) -> None:
        """These are wrong, and no others."""
        self.clear()
        self.setVisible(bool(problems))
        for problem in problems:
            text = visible(problem.text, Care.SOURCE)
            if problem.line:
                text = self._texts("Line {line}: {problem}").format(line=problem.line, problem=text)
            item = QListWidgetItem(text)
            item.setData(Qt.ItemDataRole.UserRole, problem.line)
            self.addItem(item)
