"""A dialog in which nothing counts before its gate is armed, on whatever road it comes."""

from enum import Enum

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QHideEvent,
    QKeyEvent,
    QMoveEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractButton, QDialog, QPushButton, QWidget

from jarvis_desktop.ui.qt.approval_gate import ApprovalGate

_PRESSES = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick, QEvent.Type.TouchBegin})
_REFRESH_MS = 100


class Press(Enum):
    """How an answer was given."""

    BUTTON = "button"
    ENTER = "enter"
    ESCAPE = "escape"


class GatedDialog(QDialog):
    """Never takes the keyboard by itself, stays on top, and swallows what comes too early."""

    def __init__(self, gate: ApprovalGate, title: str) -> None:
        # No parent: a dialog of a hidden or minimised window would vanish with it.
        super().__init__(None, Qt.WindowType.Dialog | Qt.WindowType.WindowStaysOnTopHint)
        self.gate = gate
        self._recalled = self._guarded = False
        self.setObjectName("approval")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_AlwaysShowToolTips)
        self.setModal(False)
        self.setWindowTitle(title)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.refresh)

    def guard(self) -> None:
        """All children are there."""
        # The dialog itself takes the focus, so that no button has it unless a person went there with Tab.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocus()

    def refresh(self) -> None:
        """Show how far the gate and the time are."""

    def entered(self) -> None:
        """Enter was pressed, with no button in focus."""

    def escaped(self) -> None:
        """Esc was pressed."""

    def passes(self, press: Press) -> bool:
        """The one gate of every road: a click, a key, an accessibility press, a test's click()."""
        counts = self.gate.enter_allows if press is Press.ENTER else self.gate.armed
        return counts and self.isVisible()

    def came_too_early(self) -> None:
        """It did not count, and the second of quiet begins again."""
        self.gate.touched()
        self.refresh()

    def recall(self) -> None:
        """A person wants to see it: bring it to the front."""
        self._recalled = True
        self.gate.shown(by_person=True)
        self.show()
        self.raise_()
        self.activateWindow()

    def place(self, around: QRect, offset_px: int, room: QRect) -> None:
        """Centre it on ``around``, a little aside, and within ``room``."""
        layout = self.layout()
        if layout is not None:
            # Not adjustSize(): it takes two thirds of the screen at most, and would squeeze what fits.
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))
        at = around.center() - self.rect().center() + QPoint(offset_px, offset_px)
        right, bottom = room.right() - self.width(), room.bottom() - self.height()
        self.move(
            max(room.left(), min(at.x(), right)),
            max(room.top(), min(at.y(), bottom)),
        )

    def announce(self, text: str) -> None:
        """Screen readers say it; nobody need go and look for it."""
        event = QAccessibleAnnouncementEvent(self, text)
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
        QAccessible.updateAccessibility(event)

    # --- what reaches the dialog --------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Swallow presses and keys on children that do not count yet."""
        kind = event.type()
        if kind in _PRESSES:
            return self._swallows_press()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._swallows_key(event, watched)
        if kind == QEvent.Type.FocusIn and isinstance(watched, QAbstractButton):
            self._reached_button()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Follow the focus, and guard presses on the dialog's own ground."""
        kind = event.type()
        if kind == QEvent.Type.WindowActivate:
            self.gate.activated()
            self.refresh()
        elif kind == QEvent.Type.WindowDeactivate:
            self.gate.deactivated()
            self.refresh()
        elif (kind in _PRESSES and self._swallows_press()) or self._too_early(event):
            return True
        return super().event(event)

    def _too_early(self, event: QEvent) -> bool:
        """A key that does not count; Tab included, which never reaches ``keyPressEvent``."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if self.gate.armed and not event.isAutoRepeat():
            return False
        self.came_too_early()
        return True

    def _reached_button(self) -> None:
        # Where nobody clicked, the keys may still be meant for the window that had the keyboard before: a
        # Space right behind the Tab is typing, one after a second of looking at the button is an answer.
        if not self.gate.enter_allows:
            self.came_too_early()

    def _swallows_press(self) -> bool:
        counts = self.gate.pressed()
        if not self.isActiveWindow():
            # Where no window manager gives the focus to what is clicked, take it: a person clicked here.
            self.activateWindow()
        self.refresh()
        return not counts

    def _swallows_key(self, event: QKeyEvent, watched: QObject) -> bool:
        if self._too_early(event):
            return True
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or not isinstance(
            watched, QAbstractButton
        ):
            return False
        # A focused button is pressed by Enter as well as by Space. A box is not, and allows nothing.
        if isinstance(watched, QPushButton):
            watched.click()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Esc, when they count."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped()
        else:
            event.ignore()

    def showEvent(self, event: QShowEvent) -> None:
        """The second of quiet begins."""
        super().showEvent(event)
        if not self._guarded:
            # Not earlier: nothing can be pressed before, and what makes the children need not pass a filter.
            self._guarded = True
            for child in self.findChildren(QWidget):
                child.installEventFilter(self)
        if not event.spontaneous():
            self.gate.shown(by_person=self._recalled)
            self._recalled = False
        self._timer.start(_REFRESH_MS)
        self.refresh()

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
        """The X puts it away; what it asks stays open."""
        event.ignore()
        self.hide()

    def reject(self) -> None:
        """Qt's own Esc goes through the gate like everything else."""
        self.escaped()

    def accept(self) -> None:
        """Nothing accepts this dialog but its own decision."""
