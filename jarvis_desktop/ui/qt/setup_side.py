"""The steps at the side of the setup window, each with how far it is, and the downloads below them."""

from collections.abc import Collection

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.page import say, wrapped
from jarvis_desktop.ui.qt.setup_done_page import progress_icon
from jarvis_desktop.ui.qt.setup_page import SetupParts
from jarvis_desktop.ui.setup_steps import Progress, Step, progress

ORDER = tuple(Step)
_SIDE_PX = 184


class StepList(QWidget):
    """A list to see and to choose from; the arrow keys turn pages."""

    def __init__(self, parts: SetupParts, now: Step) -> None:
        super().__init__()
        self._parts = parts
        self.setObjectName("setupSide")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(_SIDE_PX)
        self.steps = QListWidget()
        self.steps.setObjectName("setupSteps")
        self.steps.setAccessibleName(parts.texts("Steps"))
        self.steps.setAccessibleIdentifier("setup.steps")
        self.steps.setWordWrap(True)
        self.steps.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for _ in ORDER:
            self.steps.addItem(QListWidgetItem(""))
        self.moving = wrapped("", "setupMoving")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 16, 10, 12)
        column.addWidget(self.steps, 1)
        column.addWidget(self.moving)
        self.show_step(now)
        self.steps.currentRowChanged.connect(lambda row: parts.go(ORDER[row]))

    def show_step(self, step: Step) -> None:
        """``step`` is the one that is looked at."""
        self.steps.setCurrentRow(ORDER.index(step))

    def show_picture(self, later: Collection[Step], seen: Collection[Step]) -> None:
        """How far each step is; ``later`` were skipped, and those not ``seen`` warn of nothing yet."""
        texts, picture, colours = self._parts.texts, self._parts.picture, self._parts.theme.colours
        for row, step in enumerate(ORDER):
            how = progress(step, picture)
            skipped = step in later and how is not Progress.READY
            icon, colour = progress_icon(how, colours)
            if skipped or (step not in seen and how is not Progress.READY):
                icon, colour = ("later" if skipped else "open"), colours.faint
            item, title = self.steps.item(row), setup_words.step_title(step, texts)
            item.setText(title)
            item.setIcon(line_icon(icon, colour))
            state = setup_words.progress_text(how, texts, later=skipped)
            told = title if step is Step.DONE else f"{title}: {state}"
            item.setData(Qt.ItemDataRole.AccessibleTextRole, told)
        say(self.moving, setup_words.moving_brief(picture, texts))
