"""The approval dialog: shows exactly what would run, and counts only what a person surely meant."""

from collections.abc import Callable
from datetime import datetime
from enum import Enum

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QHideEvent, QKeyEvent, QMoveEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from jarvis_desktop.core.items.decisions import Answer, Question
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.approval_gate import ApprovalGate, Stage
from jarvis_desktop.ui.qt.approval_sheet import ApprovalSheet
from jarvis_desktop.ui.qt.theme import Theme

_PRESSES = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick, QEvent.Type.TouchBegin})
_REFRESH_MS = 100


class Press(Enum):
    """How an answer was given."""

    BUTTON = "button"
    ENTER = "enter"
    ESCAPE = "escape"


class ApprovalDialog(QDialog):
    """One question. Calls ``answered`` at most once; closing it with the X decides nothing."""

    def __init__(
        self,
        question: Question,
        theme: Theme,
        texts: Texts,
        *,
        gate: ApprovalGate,
        now: Callable[[], datetime],
        answered: Callable[[Question, Answer], None],
    ) -> None:
        # No parent: a dialog of a hidden or minimised window would vanish with it.
        super().__init__(None, Qt.WindowType.Dialog | Qt.WindowType.WindowStaysOnTopHint)
        self.question = question
        self.gate = gate
        self._texts = texts
        self._now = now
        self._answered = answered
        self._sent = False
        self._recalled = False
        self.setObjectName("approval")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_AlwaysShowToolTips)
        self.setModal(False)
        self.setWindowTitle(texts("Jarvis asks for permission"))
        self.sheet = ApprovalSheet(self, question, theme, texts)
        self.allow, self.deny = self.sheet.allow, self.sheet.deny
        self.allow.clicked.connect(lambda: self._decide(Answer.ALLOW, Press.BUTTON))
        self.deny.clicked.connect(lambda: self._decide(Answer.DENY, Press.BUTTON))
        if self.sheet.always is not None:
            self.sheet.always.clicked.connect(lambda: self._decide(Answer.ALWAYS, Press.BUTTON))
        for child in self.findChildren(QWidget):
            child.installEventFilter(self)
        # The dialog itself takes the focus, so that no button has it unless a person went there with Tab.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocus()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._refresh)
        self._refresh()

    # --- the decision -------------------------------------------------------------------------

    def _decide(self, answer: Answer, press: Press) -> None:
        # The one gate that every road passes: a click, a key, an accessibility press, a test's click().
        counts = self.gate.enter_allows if press is Press.ENTER else self.gate.armed
        if not counts or not self.isVisible() or self._sent or self._late():
            self.gate.touched()
            self._refresh()
            return
        self._sent = True
        self._refresh()
        self._answered(self.question, answer)

    @property
    def sent(self) -> bool:
        """An answer was given here and is on its way."""
        return self._sent

    def reopen(self) -> None:
        """The answer was refused while the question is still open; it can be answered again."""
        self._sent = False
        self.gate.touched()
        self._refresh()

    def recall(self) -> None:
        """A person wants to see it: bring it to the front."""
        self._recalled = True
        self.gate.shown(by_person=True)
        self.show()
        self.raise_()
        self.activateWindow()

    def listening(self, *, listens: bool) -> None:
        """Whether a spoken answer would be heard now."""
        self.sheet.show_listening(listens=listens)

    def heard(self, level: float) -> None:
        """Loudness at the microphone."""
        self.sheet.meter.heard(level)

    def _late(self) -> bool:
        return self._now() >= self.question.deadline_at

    # --- what reaches the dialog --------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Swallow presses and keys on children that do not count yet."""
        kind = event.type()
        if kind in _PRESSES:
            return self._swallows_press()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._swallows_key(event, watched)
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Follow the focus, and guard presses on the dialog's own ground."""
        kind = event.type()
        if kind == QEvent.Type.WindowActivate:
            self.gate.activated()
            self._refresh()
        elif kind == QEvent.Type.WindowDeactivate:
            self.gate.deactivated()
            self._refresh()
        elif (kind in _PRESSES and self._swallows_press()) or self._too_early(event):
            return True
        return super().event(event)

    def _too_early(self, event: QEvent) -> bool:
        """A key that does not count; Tab included, which never reaches ``keyPressEvent``."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if self.gate.armed and not event.isAutoRepeat():
            return False
        self.gate.touched()
        self._refresh()
        return True

    def _swallows_press(self) -> bool:
        counts = self.gate.pressed()
        if not self.isActiveWindow():
            # Where no window manager gives the focus to what is clicked, take it: a person clicked here.
            self.activateWindow()
        self._refresh()
        return not counts

    def _swallows_key(self, event: QKeyEvent, watched: QObject) -> bool:
        if self._too_early(event):
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(watched, QPushButton):
            # A focused button is pressed by Enter as well as by Space.
            watched.click()
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter allows and Esc denies, when they count."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._decide(Answer.ALLOW, Press.ENTER)
        elif event.key() == Qt.Key.Key_Escape:
            self._decide(Answer.DENY, Press.ESCAPE)
        else:
            event.ignore()

    def showEvent(self, event: QShowEvent) -> None:
        """The second of quiet begins."""
        super().showEvent(event)
        if not event.spontaneous():
            self.gate.shown(by_person=self._recalled)
            self._recalled = False
        self._timer.start(_REFRESH_MS)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing counts while it cannot be seen."""
        super().hideEvent(event)
        self._timer.stop()
        self.gate.hidden()

    def moveEvent(self, event: QMoveEvent) -> None:
        """A window that moves under the pointer must not catch a click meant for something else."""
        super().moveEvent(event)
        self.gate.touched()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The X puts it away; the question stays open in window and tray."""
        event.ignore()
        self.hide()

    def reject(self) -> None:
        """Qt's own Esc goes through the gate like everything else."""
        self._decide(Answer.DENY, Press.ESCAPE)

    def accept(self) -> None:
        """Nothing accepts this dialog but its own decision."""

    def _refresh(self) -> None:
        # A wall clock that was set back buys no time, so the dialog promises none.
        since = max(self._now(), self.question.asked_at)
        left_s = (self.question.deadline_at - since).total_seconds()
        stage = Stage.INACTIVE if self._sent or left_s <= 0 else self.gate.stage
        self.sheet.show_stage(stage, sent=self._sent, enter=self.gate.enter_allows)
        self.sheet.show_left(max(0.0, left_s))


def alert(dialog: ApprovalDialog) -> None:
    """Make the task bar entry blink; takes no focus."""
    QApplication.alert(dialog, 0)
