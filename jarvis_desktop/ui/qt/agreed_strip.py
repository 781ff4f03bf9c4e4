"""The strip that says what was just taken on or scheduled, and takes it back by one click (decision 16)."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton

from jarvis_desktop.core.items.agenda import AgendaRefused, CueGoal, GoalEnded, JobRemoved
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.goals import GoalCue, GoalGiven
from jarvis_desktop.core.items.schedule import JobAdded, RemoveJob
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import agenda_words
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.page import wrapped
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.visible_text import visible


class AgreedStrip(QFrame):
    """Stays until it is used, put away, or something else is agreed on."""

    def __init__(
        self, theme: Theme, texts: Texts, send: Callable[[Command], None], changed: Callable[[], None]
    ) -> None:
        """changed: called when it comes or goes."""
        super().__init__()
        self._theme, self._texts, self._send, self._changed = theme, texts, send, changed
        self._agreed: GoalGiven | JobAdded | None = None
        self._undoing = False
        """The way back was taken, and what came of it is not known yet."""
        self.setObjectName("notice")
        self.said = wrapped("", "adviceText")
        self.undo = QPushButton()
        self.undo.setProperty("kind", "link")
        self.undo.setAccessibleIdentifier("strip.agreed.undo")
        # Enter belongs to the input line; this button must not catch it by default.
        self.undo.setAutoDefault(False)
        self.undo.clicked.connect(self._undo)
        self._close = QToolButton()
        self._close.clicked.connect(self._go)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 6, 6)
        row.addWidget(self.said, 1)
        row.addWidget(self.undo)
        row.addWidget(self._close)
        self.hide()
        self.restyle()

    def restyle(self) -> None:
        """The same in the colours and the language now in force."""
        texts = self._texts
        self._close.setIcon(line_icon("close", self._theme.colours.text))
        self.undo.setText(texts("Undo"))
        self._close.setAccessibleName(texts("Dismiss"))
        self._close.setToolTip(texts("Dismiss"))
        if self._agreed is not None:
            said = agenda_words.agreed_line(self._agreed, texts)
            self.said.setText(said)
            self.undo.setAccessibleName(texts("Undo: {name}").format(name=said))

    def take(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case GoalGiven() | JobAdded():
                self._agreed, self._undoing = event, False
                self.undo.show()
                self.restyle()
                self.show()
                self._changed()
            case GoalEnded() | JobRemoved() if self._is_mine(event):
                self._go()
            case AgendaRefused(reason) if self._undoing:
                self._undoing = False
                self.said.setText(visible(reason))
                self.undo.hide()
                self.show()
                self._changed()
            case _:
                pass

    def _is_mine(self, event: GoalEnded | JobRemoved) -> bool:
        """It was taken back, here or elsewhere."""
        match event, self._agreed:
            case GoalEnded(ended), GoalGiven(given):
                return ended.goal_id == given.goal_id
            case JobRemoved(removed), JobAdded(added):
                return removed.job_id == added.job_id
            case _:
                return False

    def _go(self) -> None:
        self._agreed, self._undoing = None, False
        self.hide()
        self._changed()

    def _undo(self) -> None:
        match self._agreed:
            case GoalGiven(goal):
                self._send(CueGoal(goal.goal_id, GoalCue.STOP))
            case JobAdded(job):
                self._send(RemoveJob(job.job_id))
            case None:
                return
        self._undoing = True
        self.hide()
        self._changed()
