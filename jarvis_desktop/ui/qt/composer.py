"""The input line: several lines when needed, sends on Enter, never loses what was typed."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QInputMethodEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QToolButton

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.parsing import kept
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.slash_completion import SlashCompletion, Taken
from jarvis_desktop.ui.qt.theme import Theme

MOST_LINES = 8
_KEPT_HISTORY = 100
_COUNT_FROM = 0.8
"""Share of the limit from which the count is shown."""


class InputField(QPlainTextEdit):
    """A text field that grows, and knows when an input method is still composing.

    Hangul: while a syllable is being composed, Enter may reach us before the syllable is committed.
    Sending at once would send the text without it, and the late commit would then be sent a second
    time. So Enter while composing asks the input method to commit, and sends once that has arrived.
    """

    submitted = Signal()
    history = Signal(int)
    focused = Signal(bool)
    composed = Signal()
    """An input method has changed or ended its syllable."""

    keys: Callable[[QKeyEvent], bool] | None = None
    """Sees every key first; true when it has used it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("input")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(4)
        self._composing = False
        self._send_when_committed = False
        self.textChanged.connect(self._grow)
        self._grow()

    @property
    def composing(self) -> bool:
        """A syllable is not committed yet."""
        return self._composing

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Take what the input method says, then send if Enter was waiting for it."""
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())
        self.composed.emit()
        if self._send_when_committed and not self._composing:
            self._send_when_committed = False
            self.submitted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends, Shift+Enter breaks the line, Up and Down walk through earlier requests."""
        key, held = event.key(), event.modifiers()
        if self.keys is not None and self.keys(event):
            event.accept()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter(event)
        elif key == Qt.Key.Key_Up and not held and self._on_first_line():
            self.history.emit(-1)
        elif key == Qt.Key.Key_Down and not held and self._on_last_line():
            self.history.emit(1)
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: FBT001 - Qt's own
        """Qt asks here what Tab does, before it becomes a key of the field."""
        tab = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
        if forward and self.keys is not None and self.keys(tab):
            return True
        return super().focusNextPrevChild(forward)

    def _enter(self, event: QKeyEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertText("\n")
            return
        if event.isAutoRepeat():
            return
        if not self._composing:
            self.submitted.emit()
            return
        self._send_when_committed = True
        QGuiApplication.inputMethod().commit()

    def _on_first_line(self) -> bool:
        return self.textCursor().blockNumber() == 0 and not self._composing

    def _on_last_line(self) -> bool:
        return self.textCursor().blockNumber() == self.blockCount() - 1 and not self._composing

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The frame around shows the focus."""
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A waiting Enter is void when the field loses the focus."""
        super().focusOutEvent(event)
        self._send_when_committed = False
        self.focused.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other widths wrap otherwise."""
        super().resizeEvent(event)
        self._grow()

    def _grow(self) -> None:
        # QPlainTextDocumentLayout measures in lines.
        lines = min(MOST_LINES, max(1, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 8)
        hidden = lines < MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if hidden else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)


class Composer(QFrame):
    """The field, the count near its limit, and one button that sends or stops."""

    typed = Signal()
    """The text changed, or the syllable that an input method composes."""

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        *,
        limit: int,
        submit: Callable[[str], None],
        interrupt: Callable[[], None],
        ask_choices: Callable[[str], None],
    ) -> None:
        super().__init__()
        self.setObjectName("composer")
        self._theme = theme
        self._texts = texts
        self._limit = limit
        self._agent = ""
        self._submit = submit
        self._interrupt = interrupt
        self._busy = False
        self._off = False
        self._sent: list[str] = []
        self._at = 0
        self._draft = ""
        self._build()
        self.completion = SlashCompletion(self.field, theme, texts, lambda: self.field.composing, ask_choices)
        self.field.keys = lambda event: self.completion.take_key(event) is Taken.YES
        for moved in (self.field.textChanged, self.field.composed, self.field.focused):
            moved.connect(self.completion.refresh)
        self.field.textChanged.connect(self._changed)
        for grown in (self.field.textChanged, self.field.composed):
            grown.connect(self.typed)
        self.field.submitted.connect(self.submit)
        self.field.history.connect(self._walk)
        self.field.focused.connect(self._show_focus)
        self._changed()

    def _build(self) -> None:
        self.field = InputField()
        self._name_field()
        self.field.setAccessibleIdentifier("composer.input")
        self.counter = QLabel()
        self.counter.setObjectName("counter")
        self.button = QToolButton()
        self.button.setObjectName("send")
        self.button.setAccessibleIdentifier("composer.send")
        self.button.setIconSize(QSize(20, 20))
        self.button.clicked.connect(self._pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 7, 7, 7)
        row.setSpacing(8)
        row.addWidget(self.field, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.counter, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        self.setFocusProxy(self.field)

    def _name_field(self) -> None:
        texts, agent = self._texts, self._agent
        if agent:
            self.field.setPlaceholderText(texts("Ask {agent} anything").format(agent=agent))
            self.field.setAccessibleName(texts("Message to {agent}").format(agent=agent))
        else:
            self.field.setPlaceholderText(texts("Ask Jarvis anything"))
            self.field.setAccessibleName(texts("Message to Jarvis"))

    def show_agent(self, name: str) -> None:
        """Who reads what is sent; empty for the main agent."""
        self._agent = name
        self._name_field()

    def retranslate(self) -> None:
        """Our own words in the language now in force; what is typed is not touched."""
        self._name_field()
        self.completion.retranslate()
        self._changed()

    @property
    def text(self) -> str:
        """What is typed and not sent."""
        return self.field.toPlainText()

    def submit(self) -> None:
        """Send what is typed; nothing, too much, and everything while sending is off, stay where they are."""
        text = kept(self.text)
        if self._off or not text or len(text) > self._limit:
            return
        self._submit(text)
        if not self._sent or self._sent[-1] != text:
            self._sent = [*self._sent, text][-_KEPT_HISTORY:]
        self._draft, self._at = "", len(self._sent)
        self.field.clear()

    def set_busy(self, busy: bool) -> None:  # noqa: FBT001 - a plain setter, like Qt's own
        """A turn runs: with nothing typed, the button stops it."""
        self._busy = busy
        self._changed()

    def turn_off(self) -> None:
        """Nobody takes requests any more; what is typed stays, to be copied."""
        if not self._off:
            self._off = True
            self._changed()

    def allow(self, limit: int) -> None:
        """From now on a request may have so many characters."""
        self._limit = limit
        self._changed()

    def give_back(self, text: str) -> None:
        """A request was refused: its text is there again, unless something else was typed meanwhile."""
        if not self.text.strip():
            self.field.setPlainText(text)
            self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    def begin(self, text: str) -> None:
        """``text`` stands before what was typed, and a person goes on behind it."""
        self.field.setPlainText(text + self.text)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        self.setFocus()

    def restyle(self) -> None:
        """Draw the button in the theme's colours."""
        self._changed()

    def _stops(self) -> bool:
        return self._busy and not self.text.strip()

    def _pressed(self) -> None:
        if self._stops():
            self._interrupt()
        else:
            self.submit()
        self.field.setFocus()

    def _changed(self) -> None:
        length = len(self.text.strip())
        over = length > self._limit
        self.counter.setVisible(length >= self._limit * _COUNT_FROM)
        self.counter.setText(f"{length:,} / {self._limit:,}")
        self.counter.setToolTip(
            self._texts("Too long by {count} characters").format(count=length - self._limit) if over else ""
        )
        if self.counter.property("over") != over:
            self.counter.setProperty("over", over)
            self.counter.style().polish(self.counter)
        name = self._texts("Stop") if self._stops() else self._texts("Send")
        colours = self._theme.colours
        self.button.setIcon(line_icon("stop" if self._stops() else "send", colours.on_accent, colours.faint))
        self.button.setAccessibleName(name)
        self.button.setToolTip(f"{name} (Esc)" if self._stops() else f"{name} (Enter)")
        self.button.setEnabled(not self._off and (self._stops() or (0 < length <= self._limit)))

    def _walk(self, step: int) -> None:
        if not self._sent:
            return
        if self._at >= len(self._sent):
            self._draft = self.text
        self._at = max(0, min(len(self._sent), self._at + step))
        self.field.setPlainText(self._draft if self._at == len(self._sent) else self._sent[self._at])
        self.completion.put_away()  # or the next arrow would be taken by a list that nobody asked for
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    def _show_focus(self, focused: bool) -> None:  # noqa: FBT001 - a slot
        self.setProperty("focused", focused)
        self.style().polish(self)
