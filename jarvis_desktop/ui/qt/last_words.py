"""One sentence in a window of its own, for a start that ends before there is any other."""

import signal
import sys

from PySide6.QtWidgets import QApplication, QMessageBox


def show_last_words(text: str) -> None:
    """Return when the person has closed the window that says ``text``."""
    # Qt's loop keeps Python from noticing signals; whoever ends the program now loses nothing.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    app.setApplicationName("Jarvis")
    box = QMessageBox(QMessageBox.Icon.Critical, "Jarvis", text)
    box.exec()
    app.quit()
