"""A desktop on a real screen, steered over pipes: orders in, commands out, one JSON object a line.

Orders: {"do": "ask", "text": …} · {"do": "settle"} · {"do": "where"} · {"do": "hide"} · {"do": "quit"}.
"""

import json
import sys
import threading
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from jarvis_desktop.core.items.commands import AnswerQuestion, Attach, Command, SubmitTurn
from jarvis_desktop.core.items.events import QuestionAsked
from jarvis_desktop.core.settings import UiSettings
from jarvis_desktop.ui.qt.desktop import Desktop
from tests.fakes.texts import PlainTexts
from tests.ui.samples import QUESTION, asks, settled


def say(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


def tell(command: Command) -> None:
    """Print what went to the core."""
    fields: dict[str, Any] = {"command": type(command).__name__}
    if isinstance(command, AnswerQuestion):
        fields |= {"answer": command.answer.value, "digest": command.digest, "window": command.window_id}
    elif isinstance(command, SubmitTurn):
        fields["text"] = command.text
    elif isinstance(command, Attach):
        fields["window"] = command.window_id
    say(**fields)


def middle(widget: QWidget) -> list[int]:
    ratio = widget.devicePixelRatioF()
    point = widget.mapToGlobal(widget.rect().center())
    return [round(point.x() * ratio), round(point.y() * ratio)]


class Stage:
    """The desktop and its orders."""

    def __init__(self, *, hidden: bool) -> None:
        self.desktop = Desktop(
            tell, PlainTexts(), UiSettings(language="en", theme="light", hotkey=""), start_hidden=hidden
        )

    def obey(self, order: dict[str, Any]) -> None:
        getattr(self, order.pop("do"))(**order)

    def ask(self, text: str) -> None:
        now = datetime.now(UTC)
        question = asks(text)
        object.__setattr__(question, "deadline_at", now + timedelta(seconds=60))
        self.desktop.deliver(QuestionAsked(question))

    def settle(self) -> None:
        self.desktop.deliver(settled(QUESTION))

    def where(self) -> None:
        """Where things are, and what has the focus."""
        window = self.desktop.windows[0]
        fields: dict[str, Any] = {
            "input": middle(window.composer.field),
            "text": window.composer.text,
            "types": window.composer.field.hasFocus() and window.isActiveWindow(),
            "window_shown": window.isVisible(),
            "tray": self.desktop.tray.present,
            "dialogs": len(self.desktop.desk.dialogs),
        }
        for dialog in self.desktop.desk.dialogs:
            fields |= {
                "shown": dialog.isVisible(),
            }
        say(where=fields)

    def hide(self) -> None:
        self.desktop.windows[0].close()

    def quit(self) -> None:
        self.desktop.quit()

    def read(self) -> None:
        for line in sys.stdin:
            order = json.loads(line)
            self.desktop.bridge.order(partial(self.obey, order))


if __name__ == "__main__":
    stage = Stage(hidden="--hidden" in sys.argv)
    threading.Thread(target=stage.read, daemon=True).start()
    sys.exit(stage.desktop.main())
