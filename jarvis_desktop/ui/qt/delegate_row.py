"""What another agent did for an answer: one line that unfolds into its tools and its own answer."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.turn import StoredDelegate, TurnEnd
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import words
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.message_view import MessageView
from jarvis_desktop.ui.qt.one_line_label import MOST_OF_A_LINE, OneLineLabel
from jarvis_desktop.ui.qt.theme import Colours
from jarvis_desktop.ui.visible_text import one_line, visible

_WORTH_SAYING_S = 0.1
_FOLD_PX = 14


class DelegateRow(QWidget):
    """Folded at first: the answer that a person waits for is another one."""

    def __init__(self, name: str, asker: str, task: str, colours: Colours, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        self._colours = colours
        self._who = words.asked(name, asker, texts)
        self._task = task
        self._tools: dict[str, OneLineLabel] = {}
        self.setObjectName("delegate")
        self.fold = QToolButton()
        self.fold.setObjectName("fold")
        self.fold.setCheckable(True)
        self.fold.setIconSize(QSize(_FOLD_PX, _FOLD_PX))
        self.fold.setAccessibleName(texts("Details of what {agent} did").format(agent=one_line(name, 60)))
        self.fold.toggled.connect(self._unfold)
        self._line = OneLineLabel("", "tool")
        self._line.setCursor(Qt.CursorShape.PointingHandCursor)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(4)
        head.addWidget(self.fold)
        head.addWidget(self._line)
        head.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addLayout(head)
        column.addWidget(self._make_body())
        self._unfold(open_=False)
        self._head("⋯")

    def _make_body(self) -> QFrame:
        self._body = QFrame()
        self._body.setObjectName("delegateBody")
        inside = QVBoxLayout(self._body)
        inside.setContentsMargins(14, 4, 0, 4)
        inside.setSpacing(5)
        asked = QLabel()
        asked.setObjectName("note")
        asked.setTextFormat(Qt.TextFormat.PlainText)
        asked.setWordWrap(True)
        asked.setText(visible(self._task))
        asked.setAccessibleName(self._texts("It was asked: {task}").format(task=visible(self._task)))
        inside.addWidget(asked)
        self._tool_box = QVBoxLayout()
        self._tool_box.setSpacing(5)
        inside.addLayout(self._tool_box)
        self.view = MessageView(self._colours)
        self.view.setAccessibleName(self._texts("What it answered"))
        self.view.hide()
        inside.addWidget(self.view)
        return self._body

    @property
    def line(self) -> str:
        """The folded line, whole."""
        return self._line.whole

    @property
    def tools(self) -> tuple[str, ...]:
        """The lines of its tools."""
        return tuple(label.whole for label in self._tools.values())

    def tool(self, key: str, call: str, status: ResultStatus | None, took_s: float = 0.0) -> None:
        """A tool of the agent is at work (no status), or is done."""
        if key not in self._tools:
            self._tools[key] = OneLineLabel("", "tool")
            self._tool_box.addWidget(self._tools[key])
        sign = "⋯" if status is None else "✓" if status is ResultStatus.OK else "✕"
        label = self._tools[key]
        label.show_line(f"{sign}  {one_line(call, MOST_OF_A_LINE)}", _tail(took_s))
        _tint(label, good=status in (None, ResultStatus.OK))

    def ended(self, done: StoredDelegate, took_s: float = 0.0) -> None:
        """It is over: how, and with which words."""
        if not self._tools:
            for number, (call, status) in enumerate(done.tools):
                self.tool(str(number), call, status)
        good = done.end is TurnEnd.ANSWERED
        mark = words.end_text(done.end, self._texts)
        self._head("✓" if good else "✕", "".join(f"   {one}" for one in (mark,) if one) + _tail(took_s))
        _tint(self._line, good=good)
        if done.text:
            self.view.show_markdown(done.text)
            self.view.show()

    def restyle(self, colours: Colours) -> None:
        """Draw in these colours."""
        self._colours = colours
        self.view.colours = colours
        self._draw_arrow()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the line unfolds it, too."""
        if event.button() is Qt.MouseButton.LeftButton and self._line.geometry().contains(event.pos()):
            self.fold.toggle()
        super().mouseReleaseEvent(event)

    def _head(self, sign: str, tail: str = "") -> None:
        self._line.show_line(f"{sign}  {self._who}: {one_line(self._task, MOST_OF_A_LINE)}", tail)

    def _unfold(self, open_: bool) -> None:  # noqa: FBT001 - a signal's argument
        self._body.setVisible(open_)
        self._draw_arrow()

    def _draw_arrow(self) -> None:
        name = "fold-open" if self.fold.isChecked() else "fold"
        self.fold.setIcon(line_icon(name, self._colours.muted))


def _tail(took_s: float) -> str:
    return f"   {took_s:.1f} s" if took_s >= _WORTH_SAYING_S else ""


def _tint(label: OneLineLabel, *, good: bool) -> None:
    label.setProperty("bad", not good)
    label.style().polish(label)
