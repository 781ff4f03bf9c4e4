"""The conversation: rows that scroll, the last one growing while the model speaks."""

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.delegation import DelegateEnded, DelegateStarted, DelegateUsedTool
from jarvis_desktop.core.items.events import (
    ConversationOpened,
    Event,
    ModelWaiting,
    ReplyDelta,
    ReplyReplaced,
    StoredLine,
    ToolCalled,
    ToolFinished,
    TurnEnded,
    TurnQueued,
    TurnStarted,
)
from jarvis_desktop.core.items.goals import GoalSpoke, GoalSuggested
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.memory_desk import PatternsUsed
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.turn import Origin, Role
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.goal_cmd import giving
from jarvis_desktop.ui.agent_picture import shown_name
from jarvis_desktop.ui.picture import RunningTurn
from jarvis_desktop.ui.qt.asking_row import asking_rows
from jarvis_desktop.ui.qt.greeting import Greeting
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.one_line_label import MOST_OF_A_LINE, OneLineLabel
from jarvis_desktop.ui.qt.rows import COLUMN_PX, AnswerRow, PersonRow, plain_label
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.visible_text import one_line

SHOWN_LINES = 200
"""Stored lines that a window builds; older ones stay in the database."""
_NEAR_END_PX = 32


class TranscriptView(QScrollArea):
    """Takes events and shows the conversation they make."""

    def __init__(
        self, theme: Theme, texts: Texts, submit: Callable[[str], None], begin: Callable[[str], None]
    ) -> None:
        """submit: works on a request; begin: puts its beginning where people type."""
        super().__init__()
        self._submit, self._begin = submit, begin
        self.setObjectName("transcript")
        self.setAccessibleName(texts("Conversation"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._theme = theme
        self._texts = texts
        self._answers: dict[TurnId, AnswerRow] = {}
        self._queued: deque[tuple[str, QLabel]] = deque()
        self._last_opened: ConversationOpened | None = None
        self._agent: AgentCard | None = None
        """Whose conversation it is; None: the main agent's."""
        self._follows = True
        self._build()
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._range_changed)
        bar.valueChanged.connect(self._scrolled)

    def _build(self) -> None:
        inner = QWidget()
        inner.setObjectName("rows")
        outer = QHBoxLayout(inner)
        outer.setContentsMargins(22, 14, 22, 14)
        column = QWidget()
        column.setMaximumWidth(COLUMN_PX)
        # No row, however wide it wants to be, makes the conversation wider than the window.
        for part in (inner, column):
            part.setMinimumWidth(1)
        self._rows = QVBoxLayout(column)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(2)
        self.greeting = Greeting(self._texts)
        self._rows.addWidget(self.greeting)
        self._rows.addStretch(1)
        outer.addStretch(1)
        outer.addWidget(column, 1000)
        outer.addStretch(1)
        self.setWidget(inner)
        self._latest = QToolButton(self)
        self._latest.setObjectName("latest")
        self._latest.setIcon(line_icon("down", self._theme.colours.text))
        self._latest.setAccessibleName(self._texts("Jump to the newest message"))
        self._latest.setToolTip(self._latest.accessibleName())
        self._latest.clicked.connect(self.follow)
        self._latest.hide()

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case TurnStarted():
                self._started(event)
            case TurnQueued():
                self._queue(event.text)
            case ReplyDelta():
                answer = self._answer(event.turn_id)
                answer.show_text(answer.text + event.text, streaming=True)
            case ReplyReplaced():
                self._answer(event.turn_id).show_text(event.text, streaming=True)
            case TurnEnded():
                self._ended(event)
            case SlashAnswered():
                self._command(event)
            case GoalSpoke():
                self._goal_spoke(event)
            case _:
                self._take_work(event)

    def _take_work(self, event: Event) -> None:
        match event:
            case ModelWaiting():
                text = self._texts("Waiting for the model ({seconds} s)…")
                self._answer(event.turn_id).wait(text.format(seconds=round(event.waited_s)))
            case PatternsUsed(turn_id=turn_id, patterns=patterns) if turn_id in self._answers:
                self._answers[turn_id].taught(", ".join(one.name for one in patterns))
            case ToolCalled():
                self._answer(event.turn_id).tool_called(event.call)
            case ToolFinished():
                self._answer(event.turn_id).tool_finished(event.call, event.result, event.took_s)
            case DelegateStarted() | DelegateUsedTool() | DelegateEnded():
                self._answer(event.turn_id).take_delegate(event)
            case GoalSuggested(turn_id=turn_id, sentence=sentence) if turn_id in self._answers:
                self._answers[turn_id].suggest(sentence, lambda: self._submit(giving(sentence)))
            case _:
                pass

    def open(
        self, opened: ConversationOpened, running: RunningTurn | None, agent: AgentCard | None = None
    ) -> None:
        """Show a stored conversation from its beginning; a running turn goes on streaming."""
        self._last_opened, self._agent = opened, agent
        self.greeting.show_agent(agent)
        self._clear()
        lines = opened.lines[-SHOWN_LINES:]
        if len(lines) < len(opened.lines):
            self._add(plain_label(self._texts("Older messages are stored, but not shown here."), "note"))
        for line in lines:
            self._restore(line, running)
        if running is not None and any(line.turn_id == running.turn_id for line in lines):
            answer = self._answer(running.turn_id)
            answer.wait()
            answer.show_text(running.text, streaming=True)
        for text in opened.waiting:
            self._queue(text)
        self.follow()

    def _restore(self, line: StoredLine, running: RunningTurn | None) -> None:
        if line.role is Role.USER:
            origin = Origin.SPOKEN if line.spoken else Origin.TYPED
            self._add(PersonRow(line.text, origin, self._theme.colours, self._texts, line.expansion))
            if running is not None and line.turn_id == running.turn_id:
                self._answer(line.turn_id)
        elif line.delegate is not None:
            self._answer(line.turn_id).delegate_restored(line.delegate)
        elif line.role is Role.TOOL:
            self._answer(line.turn_id).tool_restored(line.text, line.status)
        elif line.role is Role.SYSTEM:
            self._answer(line.turn_id).taught(line.text)
        elif line.role is Role.ASSISTANT and (running is None or line.turn_id != running.turn_id):
            answer = self._answer(line.turn_id)
            answer.show_text(line.text, streaming=False)
            if not line.complete:
                answer.mark(self._texts("Interrupted"))

    def _started(self, event: TurnStarted) -> None:
        self._unqueue(event.text)
        self._add(PersonRow(event.text, event.origin, self._theme.colours, self._texts, event.expansion))
        self._answer(event.turn_id).wait()
        self.follow()

    def _command(self, event: SlashAnswered) -> None:
        """A command and its answer stand together, also while a turn is still being answered above."""
        if self._last_opened is not None and event.session_id != self._last_opened.session_id:
            return  # another conversation was opened meanwhile; it is kept in its own
        self._add(PersonRow(event.text, event.origin, self._theme.colours, self._texts))
        self._answer(event.turn_id).show_text(event.answer, streaming=False)
        self.follow()

    def _goal_spoke(self, event: GoalSpoke) -> None:
        """The agent's words stand there as an answer that nobody had to ask for."""
        if self._last_opened is None or event.session_id != self._last_opened.session_id:
            return  # it is kept in its own conversation
        self._answer(event.turn_id).show_text(event.text, streaming=False)
        for row in asking_rows(event, self._texts, self._submit, self._begin):
            self._add(row)
        self.follow()

    def _ended(self, event: TurnEnded) -> None:
        answer = self._answer(event.turn_id)
        answer.show_text(event.text or answer.text, streaming=False)
        answer.ended(event.end)

    def _queue(self, text: str) -> None:
        line = one_line(text, MOST_OF_A_LINE)
        label = OneLineLabel(self._texts("Waits its turn: {text}").format(text=line), "queued")
        self._queued.append((text, label))
        self._rows.insertWidget(self._rows.count() - 1, label, 0, Qt.AlignmentFlag.AlignRight)
        self.follow()

    def _unqueue(self, text: str) -> None:
        for waiting in self._queued:
            if waiting[0] == text:
                self._queued.remove(waiting)
                waiting[1].deleteLater()
                return

    def _answer(self, turn_id: TurnId) -> AnswerRow:
        if turn_id not in self._answers:
            sender = shown_name(self._agent, self._texts)
            self._answers[turn_id] = AnswerRow(turn_id, self._theme.colours, self._texts, sender)
            self._add(self._answers[turn_id])
        return self._answers[turn_id]

    def _add(self, row: QWidget) -> None:
        self.greeting.hide()
        # Waiting requests stay below everything, the stretch below them.
        self._rows.insertWidget(self._rows.count() - 1 - len(self._queued), row)

    def _clear(self) -> None:
        for index in reversed(range(self._rows.count())):
            item = self._rows.itemAt(index)
            row = item.widget() if item is not None else None
            if row is not None and row is not self.greeting:
                self._rows.removeWidget(row)
                row.hide()
                row.deleteLater()
        self._answers.clear()
        self._queued.clear()
        self.greeting.show()

    # --- scrolling ----------------------------------------------------------------------------

    def follow(self) -> None:
        """Show the newest message, and keep doing so while it grows."""
        self._follows = True
        self._latest.hide()
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _range_changed(self) -> None:
        if self._follows:
            self.follow()

    def _scrolled(self, value: int) -> None:
        self._follows = value >= self.verticalScrollBar().maximum() - _NEAR_END_PX
        self._latest.setVisible(not self._follows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the jump button in its corner and the end in view."""
        super().resizeEvent(event)
        size = self._latest.sizeHint()
        self._latest.setGeometry(
            self.width() - size.width() - 26, self.height() - size.height() - 14, size.width(), size.height()
        )

    # --- looks and copying --------------------------------------------------------------------

    def restyle(self) -> None:
        """Draw all texts in the theme's colours."""
        self._latest.setIcon(line_icon("down", self._theme.colours.text))
        for answer in self._answers.values():
            answer.view.colours = self._theme.colours
            if answer.chip is not None:
                answer.chip.restyle(self._theme.colours)
            for delegate in answer.delegates:
                delegate.restyle(self._theme.colours)
            if answer.text:
                answer.view.show_markdown(answer.text)

    def copy_last(self) -> None:
        """Put the newest answer, as Markdown, on the clipboard."""
        answers = [answer for answer in self._answers.values() if answer.text]
        if answers:
            QGuiApplication.clipboard().setText(answers[-1].text)

    @property
    def queued(self) -> tuple[str, ...]:
        """Requests that wait, oldest first."""
        return tuple(text for text, _ in self._queued)

    @property
    def answers(self) -> tuple[AnswerRow, ...]:
        """The answers shown, oldest first."""
        return tuple(self._answers.values())
