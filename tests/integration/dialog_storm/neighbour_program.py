"""Another program on the same screen, in which a person works: a large editor that tells what it got.

Orders: {"do": "where"} · {"do": "clear"} · {"do": "prompt"}: a small window that Enter closes.
"""

import json
import sys
import threading

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit


class Editor(QPlainTextEdit):
    """Covers the screen, so that whatever no dialog takes lands here."""

    ordered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("neighbour")
        self.setGeometry(0, 20, 1280, 780)
        self.prompt = QLineEdit()
        self.ordered.connect(self.obey)

    def obey(self, order: str) -> None:
        if order == "clear":
            self.clear()
            self.prompt.close()
        elif order == "prompt":
            self.prompt = QLineEdit()
            self.prompt.setGeometry(20, 40, 200, 60)
            self.prompt.returnPressed.connect(self.prompt.close)
            self.prompt.show()
            self.prompt.activateWindow()
        told = {
            "text": self.toPlainText(),
            "active": self.isActiveWindow() and self.hasFocus(),
            "prompt": self.prompt.isActiveWindow(),
        }
        print(json.dumps(told), flush=True)


def read(ordered: QObject) -> None:
    assert isinstance(ordered, Editor)
    for line in sys.stdin:
        ordered.ordered.emit(json.loads(line)["do"])


if __name__ == "__main__":
    app = QApplication(sys.argv[:1])
    editor = Editor()
    editor.show()
    threading.Thread(target=read, args=(editor,), daemon=True).start()
    sys.exit(app.exec())
