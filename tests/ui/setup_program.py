"""The setup on a real screen with a scripted service: a line in, where the keyboard is as JSON out."""

import json
import sys
import threading
from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.settings import UiSettings
from jarvis_desktop.ui.qt.desktop import Desktop
from tests.fakes.texts import PlainTexts
from tests.ui.setup_samples import BARE, FULL, Service


def seen_whole(widget: QWidget) -> bool:
    """The widget, or as much of it as fits, lies inside the scrolled area that holds it."""
    holder = widget.parentWidget()
    while holder is not None and not isinstance(holder, QScrollArea):
        holder = holder.parentWidget()
    if holder is None or holder is widget:
        return True
    top = widget.mapTo(holder.viewport(), QPoint(0, 0)).y()
    return top >= 0 and top + min(widget.height(), holder.viewport().height()) <= holder.viewport().height()


class Program:
    """The desktop, and what a test may know of it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.sent: list[str] = []
        settings = UiSettings(language="en", theme="light", hotkey="")
        self.desktop = Desktop(self.send, PlainTexts(), settings)
        self.desktop.show_setup()

    def send(self, command: Command) -> None:
        self.sent.append(type(command).__name__)
        for event in self.service.answers(command):
            self.desktop.deliver(event)

    def where(self) -> None:
        """Where the keyboard is."""
        window, focus = self.desktop.setup.window, QApplication.focusWidget()
        fields: dict[str, Any] = {"shown": self.desktop.setup.shown, "sent": self.sent}
        if window is not None:
            frame, room = window.frameGeometry(), window.screen().geometry()
            fields |= {"step": window.step.value, "active": window.isActiveWindow()}
            fields["fits"] = room.contains(frame)
        if focus is not None:
            fields |= {"focus": focus.accessibleIdentifier() or focus.objectName(), "seen": seen_whole(focus)}
        print(json.dumps(fields), flush=True)

    def read(self) -> None:
        for _ in sys.stdin:
            self.desktop.bridge.order(self.where)


if __name__ == "__main__":
    program = Program(Service(FULL if "--full" in sys.argv else BARE))
    threading.Thread(target=program.read, daemon=True).start()
    sys.exit(program.desktop.main())
