"""The real question desk before a real broker, steered over pipes: one JSON object a line, either way.

Orders: {"do": "ask", "commands": [...]} · {"do": "where"} · {"do": "nudge", "to": [x, y]} · {"do": "clear"}.
Told: {"where": ...} · {"answer": ..., "calm": ...} for each answer · {"ended": ..., "command": ...}.
"""

import asyncio
import json
import sys
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRect
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QWidget

from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.core.items.commands import AnswerQuestion, Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import WindowId
from jarvis_desktop.core.policy.broker import Asking, Broker
from jarvis_desktop.ui.picture import Picture
from jarvis_desktop.ui.qt.application import application
from jarvis_desktop.ui.qt.approval_dialog import ApprovalDialog
from jarvis_desktop.ui.qt.approval_gate import ARM_S
from jarvis_desktop.ui.qt.bridge import Bridge
from jarvis_desktop.ui.qt.question_desk import DeskParts, Place, QuestionDesk
from jarvis_desktop.ui.qt.theme import Theme
from tests.fakes.texts import PlainTexts
from tests.unit.policy.asking import ASKING

PLACE = Place(WindowId("window"), QRect(0, 0, 1280, 800))
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick, QEvent.Type.KeyPress)
_STIRS = (QEvent.Type.Show, QEvent.Type.Move, QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate)


def say(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


def middle(widget: QWidget) -> list[int]:
    point = widget.mapToGlobal(widget.rect().center())
    return [point.x(), point.y()]


class Watch(QObject):
    """What reached the dialogs, told by Qt itself and not by the gate that is tried."""

    def __init__(self) -> None:
        super().__init__()
        self._since_s = monotonic()
        """When anything last reached a dialog."""
        self.pressed = 0
        self.calm = False
        """The last press came after a second of quiet in which the dialog neither moved nor lost the
        keyboard, or after such a press."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        kind = event.type()
        if kind in _PRESSES and isinstance(watched, QWindow):
            self.calm = self.calm or monotonic() - self._since_s >= ARM_S
            self._since_s = monotonic()
            self.pressed += 1
        elif kind in _STIRS and isinstance(watched, ApprovalDialog):
            self.calm = False
            self._since_s = monotonic()
        return False


class Program:
    """Desk and broker, each in its own thread as in the real program."""

    def __init__(self) -> None:
        self.app = application()
        self.watch = Watch()
        self.app.installEventFilter(self.watch)
        self.picture = Picture()
        self.bridge = Bridge(self.take)
        clock = SystemClock()
        parts = DeskParts(
            self.answered, Theme(self.app, "light"), PlainTexts(), self.picture, lambda: (PLACE,), clock.now
        )
        self.desk = QuestionDesk(parts)
        self.broker = Broker(clock, self.emit)
        self.core = asyncio.new_event_loop()
        self.asked: list[Future[None]] = []

    async def emit(self, event: Event) -> None:
        self.bridge.deliver(event)

    def take(self, event: Event) -> None:
        self.picture.take(event)
        self.desk.take(event)

    def answered(self, command: Command) -> None:
        assert isinstance(command, AnswerQuestion)
        say(answer=command.answer.value, calm=self.watch.calm)
        self.start(self.give(command))

    async def give(self, command: AnswerQuestion) -> None:
        await self.broker.answer(command)

    def start(self, work: Coroutine[Any, Any, None]) -> "Future[None]":
        return asyncio.run_coroutine_threadsafe(work, self.core)

    # --- orders -------------------------------------------------------------------------------

    def obey(self, order: dict[str, Any]) -> None:
        getattr(self, order.pop("do"))(**order)

    def ask(self, commands: list[str]) -> None:
        self.asked += [self.start(self.put(command)) for command in commands]

    async def put(self, command: str) -> None:
        asking: Asking = replace(ASKING, detail=command, digest=f"digest of {command}")
        settled = await self.broker.ask(asking)
        say(ended=settled.end.value, command=command, answer=settled.answer and settled.answer.value)

    def clear(self) -> None:
        """Withdraw whatever is open."""
        for asked in self.asked:
            asked.cancel()
        self.asked.clear()

    def nudge(self, to: list[int]) -> None:
        """The dialog moves so that its Allow lies there."""
        for dialog in self.desk.dialogs:
            dialog.move(dialog.pos() + QPoint(*to) - QPoint(*middle(dialog.allow)))

    def where(self) -> None:
        told: dict[str, Any] = {"dialogs": len(self.desk.dialogs), "pressed": self.watch.pressed}
        for dialog in self.desk.dialogs:
            told |= {
                "command": dialog.question.detail,
                "shown": dialog.isVisible(),
                "active": dialog.isActiveWindow(),
                "stage": dialog.gate.stage.value,
                "enter": dialog.gate.enter_allows,
                "age_s": (SystemClock().now() - dialog.question.asked_at).total_seconds(),
                "allow": middle(dialog.allow),
                "deny": middle(dialog.deny),
                "ground": middle(dialog.sheet.hint),
            }
        say(where=told)

    # --- threads ------------------------------------------------------------------------------

    def read(self) -> None:
        for line in sys.stdin:
            self.bridge.order(partial(self.obey, json.loads(line)))
        self.bridge.order(self.app.quit)

    def main(self) -> int:
        core = threading.Thread(target=self.core.run_forever, daemon=True)
        core.start()
        threading.Thread(target=self.read, daemon=True).start()
        self.start(self.broker.attach(PLACE.window_id)).result()
        say(ready=True)
        return self.app.exec()


if __name__ == "__main__":
    sys.exit(Program().main())
