"""Rows of the conversation: what a person said, what Jarvis answers, what waits."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from jarvis_desktop.core.items.calls import ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.delegation import (
    DelegateEnded,
    DelegateEvent,
    DelegateStarted,
    DelegateUsedTool,
)
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.turn import Origin, StoredDelegate, TurnEnd
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import words
from jarvis_desktop.ui.qt.delegate_row import DelegateRow
from jarvis_desktop.ui.qt.goal_chip import GoalChip
from jarvis_desktop.ui.qt.icons import pixmap
from jarvis_desktop.ui.qt.message_view import MessageView, StreamingView
from jarvis_desktop.ui.qt.one_line_label import MOST_OF_A_LINE, OneLineLabel
from jarvis_desktop.ui.qt.skill_fold import SkillFold
from jarvis_desktop.ui.qt.theme import Colours
from jarvis_desktop.ui.visible_text import one_line

_WORTH_SAYING_S = 0.1
COLUMN_PX = 780
"""Widest that text runs; longer lines are hard to follow."""


def plain_label(text: str, name: str) -> QLabel:
    """A label that never reads its text as HTML."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    label.setObjectName(name)
    return label


class PersonRow(QWidget):
    """A request in a bubble on the right."""

    def __init__(
        self, text: str, origin: Origin, colours: Colours, texts: Texts, expansion: str = ""
    ) -> None:
        """expansion: what a skill made of it for the model."""
        super().__init__()
        self.setAccessibleName(texts("You: {text}").format(text=text))
        self.view = MessageView(colours)
        self.view.setAccessibleName(texts("Your request"))
        self.view.show_plain(text)
        self._bubble = QFrame()
        self._bubble.setObjectName("bubble")
        inside = QHBoxLayout(self._bubble)
        # The line height leaves room below the last line already.
        inside.setContentsMargins(15, 10, 15, 5)
        inside.setSpacing(8)
        if origin is Origin.SPOKEN:
            mic = QLabel()
            mic.setPixmap(pixmap("ui-mic", 16, colours.muted, ratio=self.devicePixelRatioF()))
            mic.setToolTip(texts("Spoken"))
            inside.addWidget(mic, 0, Qt.AlignmentFlag.AlignTop)
        said = QVBoxLayout()
        said.setSpacing(0)
        said.addWidget(self.view)
        self.skill = SkillFold(expansion, colours, texts) if expansion else None
        if self.skill is not None:
            self.skill.fold.toggled.connect(self._fit)
            said.addWidget(self.skill)
        inside.addLayout(said)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 8, 0, 4)
        row.addStretch(1)
        row.addWidget(self._bubble)
        self._extra = 30 + (24 if origin is Origin.SPOKEN else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The bubble is as wide as its text, up to four fifths of the column."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        most = max(24, int(self.width() * 0.8) - self._extra)
        ideal = max(24, self.view.ideal_width())
        if self.skill is not None and self.skill.fold.isChecked():
            ideal = max(ideal, self.skill.view.ideal_width())
            self.skill.view.setFixedWidth(min(ideal, most))
        self.view.setFixedWidth(min(ideal, most))


class AnswerRow(QWidget):
    """An answer: tools that were used, the text, and a mark when it did not end well."""

    def __init__(self, turn_id: TurnId | None, colours: Colours, texts: Texts, sender: str = "") -> None:
        """sender: who answers; empty: the main agent."""
        super().__init__()
        self.turn_id = turn_id
        self._texts = texts
        self._colours = colours
        self._tools: dict[str, OneLineLabel] = {}
        self._delegates: dict[TurnId, DelegateRow] = {}
        self.text = ""
        self.chip: GoalChip | None = None
        """What the person is offered about this answer."""
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 10)
        column.setSpacing(6)
        column.addWidget(plain_label(sender or texts("Jarvis"), "sender"))
        self._tool_box = QVBoxLayout()
        self._tool_box.setSpacing(5)
        column.addLayout(self._tool_box)
        self._waiting = plain_label(texts("Thinking…"), "waiting")
        self._waiting.hide()
        column.addWidget(self._waiting)
        self.view = StreamingView(colours)
        self.view.setAccessibleName(texts("Answer"))
        self.view.hide()
        column.addWidget(self.view)
        self._mark = plain_label("", "mark")
        self._mark.hide()
        column.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignLeft)

    def wait(self, text: str | None = None) -> None:
        """Nothing has been answered yet; say that it is being worked on."""
        if not self.text:
            self._waiting.setText(text or self._texts("Thinking…"))
            self._waiting.show()

    def show_text(self, text: str, *, streaming: bool) -> None:
        """The whole answer so far."""
        self.text = text
        if not text:
            return
        self._waiting.hide()
        self.view.show()
        self.view.grow_to(text)
        if not streaming:
            self.view.flush()

    def tool_called(self, call: ToolCall) -> None:
        """A tool is at work."""
        self._tools[call.call_id] = self._tool_line(f"⋯  {_call_line(call)}")

    def tool_finished(self, call: ToolCall, result: ToolResult, took_s: float) -> None:
        """It is done, or was refused."""
        if call.call_id not in self._tools:
            self.tool_called(call)
        label = self._tools[call.call_id]
        good = result.status is ResultStatus.OK
        took = f"   {took_s:.1f} s" if took_s >= _WORTH_SAYING_S else ""
        label.show_line(_done_line(_call_line(call), good=good), took)
        label.setToolTip("" if good else _as_plain_tip(result.text))
        _tint(label, good=good)

    def tool_restored(self, call: str, status: ResultStatus) -> None:
        """A stored call, with the result that it had."""
        good = status is ResultStatus.OK
        _tint(self._tool_line(_done_line(one_line(call, MOST_OF_A_LINE), good=good)), good=good)

    def take_delegate(self, event: DelegateEvent) -> None:
        """Another agent works for this answer."""
        match event:
            case DelegateStarted(_, delegate_id, name, asker, task):
                self._delegate(delegate_id, name, asker, task)
            case DelegateUsedTool(_, delegate_id, call, result, took_s) if delegate_id in self._delegates:
                status = None if result is None else result.status
                self._delegates[delegate_id].tool(call.call_id, call.in_short, status, took_s)
            case DelegateEnded(_, delegate_id, done, took_s):
                self._delegate(delegate_id, done.name, done.asker, done.task).ended(done, took_s)
            case _:
                pass

    def delegate_restored(self, done: StoredDelegate) -> None:
        """What another agent did for this answer, as it was stored."""
        row = self._delegate(TurnId(str(len(self._delegates))), done.name, done.asker, done.task)
        row.ended(done)

    def _delegate(self, delegate_id: TurnId, name: str, asker: str, task: str) -> DelegateRow:
        if delegate_id not in self._delegates:
            self._delegates[delegate_id] = DelegateRow(name, asker, task, self._colours, self._texts)
            self._tool_box.addWidget(self._delegates[delegate_id])
        return self._delegates[delegate_id]

    @property
    def delegates(self) -> tuple[DelegateRow, ...]:
        """What other agents did for this answer, in the order in which they began."""
        return tuple(self._delegates.values())

    def taught(self, names: str) -> None:
        """What a person taught stands before this turn."""
        self._tool_line(
            self._texts("✎  As you taught: {names}").format(names=one_line(names, MOST_OF_A_LINE))
        )

    def _tool_line(self, text: str) -> OneLineLabel:
        label = OneLineLabel(text, "tool")
        self._tool_box.addWidget(label)
        return label

    def ended(self, end: TurnEnd) -> None:
        """The turn is over."""
        self._waiting.hide()
        self.view.flush()
        mark = words.end_text(end, self._texts)
        # A refusal says so itself, in the fixed line.
        if mark and not (end in (TurnEnd.DENIED, TurnEnd.TIMED_OUT) and self.text):
            self.mark(mark)

    def suggest(self, sentence: str, keep: Callable[[], None]) -> None:
        """Offer to keep what was asked as a goal."""
        if self.chip is None:
            self.chip = GoalChip(sentence, self._colours, self._texts, keep)
            self._column.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignLeft)

    def mark(self, text: str) -> None:
        """Show a mark under the text."""
        self._mark.setText(text)
        self._mark.show()

    @property
    def marked(self) -> str:
        """The mark that is shown; empty when there is none."""
        return "" if self._mark.isHidden() else self._mark.text()


def _call_line(call: ToolCall) -> str:
    return one_line(call.in_short, MOST_OF_A_LINE)


def _done_line(call: str, *, good: bool) -> str:
    return f"{'✓' if good else '✕'}  {call}"


def _tint(label: QLabel, *, good: bool) -> None:
    label.setProperty("bad", not good)
    label.style().polish(label)


def _as_plain_tip(text: str) -> str:
    # A tool tip that begins like HTML would be read as HTML; this one begins with a zero-width joint.
    return "\u2060" + one_line(text, 300)
