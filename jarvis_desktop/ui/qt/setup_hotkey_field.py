"""A field that takes a key combination by pressing it."""

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

from jarvis_desktop.core.ports import Texts

_ALONE = (
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_Meta,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Super_L,
    Qt.Key.Key_Super_R,
    Qt.Key.Key_Hangul,
)
_HOLDING = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
_NAVIGATION = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class HotkeyField(QLineEdit):
    """Shows a combination; ``chosen`` when another one was pressed, or the empty text when it was cleared.

    A combination holds Ctrl, Alt or the system key, so that plain keys still walk through the window:
    Tab goes on, Esc and Enter belong to the window.
    """

    chosen = Signal(str)

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setObjectName("hotkey")
        self.setAccessibleName(texts("Keys that begin listening from anywhere"))
        self.setAccessibleIdentifier("setup.hotkey")
        self.setAccessibleDescription(texts("Press the keys together; Backspace clears."))
        self.setPlaceholderText(texts("Press the keys together, e.g. Ctrl+Alt+J"))

    def event(self, event: QEvent) -> bool:
        """Combinations come here before any shortcut of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _held(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take a combination, clear, or let the window have the key."""
        if event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete) and not _held(event):
            self.chosen.emit("")
        elif _held(event) and event.key() not in (*_ALONE, *_NAVIGATION):
            self.chosen.emit(combination(event))
        else:
            event.ignore()


def _held(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & _HOLDING)


def combination(event: QKeyEvent) -> str:
    """The pressed keys as the setting holds them: ``Ctrl+Alt+J``."""
    modifiers = event.modifiers() & (_HOLDING | Qt.KeyboardModifier.ShiftModifier)
    return QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key()))).toString(
        QKeySequence.SequenceFormat.PortableText
    )
