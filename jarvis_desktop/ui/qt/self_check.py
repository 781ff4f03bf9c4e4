"""What Qt finds on this machine, as JSON. Run on its own: without a library, Qt ends the process."""

import json
import sys

from PySide6.QtCore import qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon


def main() -> None:
    """Print one JSON object."""
    app = QApplication(sys.argv)
    korean = QFontDatabase.families(QFontDatabase.WritingSystem.Korean)
    found = {
        "version": qVersion(),
        "platform": QGuiApplication.platformName(),
        "tray": QSystemTrayIcon.isSystemTrayAvailable(),
        "hangul": korean[:1],
    }
    print(json.dumps(found))  # noqa: T201 - the answer to the one who started this
    app.quit()


if __name__ == "__main__":
    main()
