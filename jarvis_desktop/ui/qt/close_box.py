"""The box that asks how to close a window on a desktop without a tray."""

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.icons import app_icon


def close_box(window: QWidget, texts: Texts, leave: Callable[[], None]) -> QMessageBox:
    """Ask whether to minimise ``window`` or to ``leave``: a hidden one could never be reached again."""
    box = QMessageBox(window)
    box.setWindowTitle("Jarvis")
    box.setIconPixmap(app_icon().pixmap(48, 48))
    box.setText(texts("Keep Jarvis running?"))
    box.setInformativeText(texts("This desktop has no tray, so the window is minimised instead of closed."))
    keep = box.addButton(texts("Minimise"), QMessageBox.ButtonRole.AcceptRole)
    quits = box.addButton(texts("Quit"), QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(texts("Cancel"), QMessageBox.ButtonRole.RejectRole)
    keep.clicked.connect(window.showMinimized)
    quits.clicked.connect(leave)
    box.open()
    return box
