"""What Qt finds on this machine, as JSON. Run on its own: without a library, Qt ends the process."""

import json
import os
import sys
from pathlib import Path

from PySide6.QtCore import qVersion
from PySide6.QtDBus import QDBusConnection
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

NOTIFICATIONS = "org.freedesktop.Notifications"


def notifications() -> bool | None:
    """Whether a program shows notifications, or would be started for it; None without a session bus."""
    own = Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent")) / "bus"
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS") and not own.exists():
        return None  # not asked: on X11 the library would start a bus of its own
    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return None
    known = bus.interface()
    return bool(known.isServiceRegistered(NOTIFICATIONS).value()) or (
        NOTIFICATIONS in known.activatableServiceNames().value()
    )


def main() -> None:
    """Print one JSON object."""
    app = QApplication(sys.argv)
    korean = QFontDatabase.families(QFontDatabase.WritingSystem.Korean)
    found = {
        "version": qVersion(),
        "platform": QGuiApplication.platformName(),
        "tray": QSystemTrayIcon.isSystemTrayAvailable(),
        "hangul": korean[:1],
        "notifications": notifications(),
    }
    print(json.dumps(found))  # noqa: T201 - the answer to the one who started this
    app.quit()


if __name__ == "__main__":
    main()
