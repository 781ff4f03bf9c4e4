"""The windows before the real broker: calls go in at the tool runner, answers come from the dialogs."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton

from jarvis_desktop.core.items.calls import ToolCall, ToolResult
from jarvis_desktop.core.items.commands import AnswerQuestion, Attach, Detach
from jarvis_desktop.core.items.decisions import Answer
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.ui.qt.approval_dialog import ApprovalDialog
from jarvis_desktop.ui.qt.main_window import MainWindow
from tests.fakes.clock import settle
from tests.fakes.tools import FakeBash
from tests.ui.conftest import Stage as Windows
from tests.unit.policy.asking import REQUEST
from tests.unit.turn.stage import Stage as Core


@dataclass
class ShownCore(Core):
    """A core whose events reach the windows as well."""

    show: Callable[[Event], None] = field(default=lambda _event: None)

    async def emit(self, event: Event) -> None:
        await super().emit(event)
        self.show(event)


class Room:
    """Windows, broker and a bash that only notes what ran. One clock for both sides."""

    def __init__(self, windows: Windows) -> None:
        self.windows = windows
        self.bash = FakeBash()
        self.core = ShownCore([self.bash], attended=False, show=windows.take)
        desk = windows.desktop.desk
        desk._parts = replace(desk._parts, monotonic_s=windows.time.monotonic_s)
        self._obeyed = 0

    async def pump(self) -> None:
        """What the windows sent reaches the broker, and what comes of it the windows."""
        while self._obeyed < len(self.windows.sent):
            command = self.windows.sent[self._obeyed]
            self._obeyed += 1
            match command:
                case Attach():
                    await self.core.broker.attach(command.window_id)
                case Detach():
                    self.core.broker.detach(command.window_id)
                case AnswerQuestion():
                    await self.core.broker.answer(command)
                case _:
                    pass
            await settle()
        await settle()

    async def begin(self, command: str) -> "asyncio.Task[ToolResult]":
        """A call of the model; it is asked about now, if anybody is there."""
        await self.pump()
        call = ToolCall(CallId(f"call {command}"), "bash", {"command": command})
        running = asyncio.create_task(self.core.runner.run(call, REQUEST))
        if self.core.broker.shown is None:
            self.core.asking.clear()
            asked = asyncio.create_task(self.core.asking.wait())
            # A long command is read in a thread.
            await asyncio.wait((running, asked), timeout=30, return_when=asyncio.FIRST_COMPLETED)
            asked.cancel()
        await settle()
        return running

    async def answer(self, kind: Answer) -> None:
        """A person answers in the first dialog, calmly."""
        dialog = rests(self.dialogs[0])
        comes_forward(dialog)
        self.windows.time.passed_s += 1
        button = {
            Answer.ALLOW: dialog.allow,
            Answer.DENY: dialog.deny,
            Answer.ALWAYS: dialog.sheet.always,
        }[kind]
        assert button is not None
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await self.pump()

    async def pass_time(self, seconds: float) -> None:
        """Both clocks go on."""
        self.windows.time.passed_s += seconds
        await self.core.clock.advance(seconds)

    @property
    def dialogs(self) -> tuple[ApprovalDialog, ...]:
        return self.windows.desktop.desk.dialogs

    def visible(self) -> list[str]:
        """What the dialogs on screen ask about."""
        return [dialog.question.detail for dialog in self.dialogs if dialog.isVisible()]

    def dialog(self) -> ApprovalDialog:
        (only,) = self.dialogs
        return only


def rests(dialog: ApprovalDialog) -> ApprovalDialog:
    """The offscreen platform activates whatever is shown; a dialog of ours asks not to be."""
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowDeactivate))
    return dialog


def comes_forward(dialog: ApprovalDialog) -> None:
    """A person clicks on the dialog's ground."""
    QTest.mouseClick(dialog.sheet.hint, Qt.MouseButton.LeftButton)
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowActivate))


def buttons_by_default(dialog: ApprovalDialog) -> list[str]:
    """Buttons that Enter would press by itself."""
    return [one.text() for one in dialog.findChildren(QPushButton) if one.isDefault() or one.autoDefault()]


def activity(window: MainWindow) -> list[str]:
    """The lines of a window's activity list."""
    lines = window.activity.lines
    return [lines.item(row).text() for row in range(lines.count())]


def sees(view: QPlainTextEdit, position: int) -> bool:
    """The letter at ``position`` is in view, without scrolling."""
    cursor = view.textCursor()
    cursor.setPosition(position)
    spot, shown = view.cursorRect(cursor), view.viewport().rect()
    return view.isVisible() and shown.contains(spot.center()) and shown.contains(spot.center() + QPoint(0, 4))
