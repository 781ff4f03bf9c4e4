"""A field that takes a key combination by pressing it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

from jarvis_desktop.core.items.hotkey import ALONE, Modifier
from jarvis_desktop.core.ports import Texts

_HELD = (
    (Qt.KeyboardModifier.ControlModifier, Modifier.CTRL),
    (Qt.KeyboardModifier.AltModifier, Modifier.ALT),
    (Qt.KeyboardModifier.ShiftModifier, Modifier.SHIFT),
    (Qt.KeyboardModifier.MetaModifier, Modifier.SUPER),
)
_ONLY_HELD = (
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_Meta,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Super_L,
    Qt.Key.Key_Super_R,
    Qt.Key.Key_Hangul,
    Qt.Key.Key_unknown,
)
_OURS = {
    "Return": "Enter",
    "Ins": "Insert",
    "Del": "Delete",
    "PgUp": "PageUp",
    "PgDown": "PageDown",
    ",": "Comma",
    ".": "Period",
    "/": "Slash",
    ";": "Semicolon",
    "-": "Minus",
    "=": "Equal",
    "`": "Grave",
    "\\": "Backslash",
}
"""Keys that Qt names otherwise than the setting does."""


class HotkeyField(QLineEdit):
    """Shows a combination; ``chosen`` when another one was pressed, or the empty text when it was cleared.

    A combination holds Ctrl, Alt or the system key, or is a key that writes nothing, such as F9. So plain
    keys still walk through the window: Tab goes on, Esc and Enter belong to the window.
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
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and combination(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take a combination, clear, or let the window have the key."""
        keys = combination(event)
        if keys:
            self.chosen.emit(keys)
        elif event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.chosen.emit("")
        else:
            event.ignore()


def combination(event: QKeyEvent) -> str:
    """The pressed keys as the setting holds them: ``Ctrl+Alt+J``; empty when they are no combination."""
    if event.key() in _ONLY_HELD:
        return ""
    name = QKeySequence(event.key()).toString(QKeySequence.SequenceFormat.PortableText)
    key = _OURS.get(name, name)
    held = [modifier for qt, modifier in _HELD if event.modifiers() & qt]
    if not set(held) - {Modifier.SHIFT} and key not in ALONE:
        return ""
    return "+".join([*held, key])
