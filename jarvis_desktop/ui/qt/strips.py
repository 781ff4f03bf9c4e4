"""Strips between header and conversation: trouble, open questions, notices."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.decisions import Question
from jarvis_desktop.core.items.events import Event, Part
from jarvis_desktop.core.items.ids import QuestionId
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import words
from jarvis_desktop.ui.qt.agreed_strip import AgreedStrip
from jarvis_desktop.ui.qt.icons import line_icon, pixmap
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.taught_strip import TaughtStrip
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.setup_steps import STEP_OF_PART, Step
from jarvis_desktop.ui.visible_text import visible

NOTICE_MS = 8000


class Strips(QWidget):
    """A column of strips; takes no room while there is nothing to say."""

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        show_question: Callable[[QuestionId], None],
        set_up: Callable[[Step | None], None],
        send: Callable[[Command], None],
    ) -> None:
        super().__init__()
        self._theme = theme
        self._texts = texts
        self._show_question = show_question
        self._set_up = set_up
        self._troubles: dict[Part, QFrame] = {}
        self._dismissed: dict[Part, str] = {}
        self._questions: dict[QuestionId, QFrame] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(18, 8, 18, 0)
        self._column.setSpacing(6)
        self._stopped: QFrame | None = None
        self._advice: QFrame | None = None
        self._advice_told = ""
        self._notice = QFrame()
        self._notice.setObjectName("notice")
        self._notice_text = plain_label("", "noticeText")
        self._notice_text.setWordWrap(True)
        QHBoxLayout(self._notice).addWidget(self._notice_text)
        self._column.addWidget(self._notice)
        self.taught = TaughtStrip(theme, texts, send, self._show_or_hide)
        self.agreed = AgreedStrip(theme, texts, send, self._show_or_hide)
        self._column.addWidget(self.taught)
        self._column.addWidget(self.agreed)
        self._notice.hide()
        self.hide()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._end_notice)

    def take(self, event: Event) -> None:
        """Show what can be taken back."""
        self.taught.take(event)
        self.agreed.take(event)

    def show_troubles(self, troubles: dict[Part, str]) -> None:
        """One strip for each text; what was dismissed comes back only with another one."""
        troubles = self._each_once(troubles)
        self._dismissed = {part: text for part, text in self._dismissed.items() if troubles.get(part) == text}
        for part in [part for part in self._troubles if part not in troubles]:
            self._drop(self._troubles.pop(part))
        for part, text in troubles.items():
            if self._dismissed.get(part) == text:
                continue
            if part in self._troubles:
                if self._troubles[part].property("text") == text:
                    continue
                self._drop(self._troubles.pop(part))
            self._troubles[part] = self._trouble(part, text)
            self._column.addWidget(self._troubles[part])
        self._show_or_hide()

    def _each_once(self, troubles: dict[Part, str]) -> dict[Part, str]:
        """Parts in trouble without those that would say again what another strip says."""
        said = {str(self._stopped.property("text"))} if self._stopped is not None else set[str]()
        new: dict[Part, str] = {}
        for part, text in troubles.items():
            if text not in said:
                said.add(text)
                new[part] = text
        return new

    def show_advice(self, text: str) -> None:
        """A strip with something worth knowing, until it is put away."""
        if not text or text == self._advice_told:
            return
        if self._advice is not None:
            self._drop(self._advice)
        self._advice_told = text
        self._advice = self._advice_strip(text)
        self._column.addWidget(self._advice)
        self._show_or_hide()

    def _advice_strip(self, text: str) -> QFrame:
        strip = QFrame()
        strip.setObjectName("notice")
        label = plain_label(visible(text), "adviceText")
        label.setWordWrap(True)
        close = QToolButton()
        close.setIcon(line_icon("close", self._theme.colours.text))
        close.setAccessibleName(self._texts("Put this advice away"))
        close.setToolTip(self._texts("Dismiss"))
        close.clicked.connect(self._put_advice_away)
        row = QHBoxLayout(strip)
        row.setContentsMargins(12, 6, 6, 6)
        row.addWidget(label, 1)
        row.addWidget(close)
        return strip

    def _put_advice_away(self) -> None:
        if self._advice is not None:
            self._drop(self._advice)
            self._advice = None
            self._show_or_hide()

    def show_stopped(self, text: str) -> None:
        """The core has ended: a strip that stays, because nothing else works."""
        if self._stopped is None:
            self._stopped = self._warning(text, text)
            self._column.insertWidget(0, self._stopped)
            self._show_or_hide()

    def show_questions(self, questions: dict[QuestionId, Question]) -> None:
        """One strip for each open question, so that a closed dialog can be found again."""
        for question_id in [known for known in self._questions if known not in questions]:
            self._drop(self._questions.pop(question_id))
        for question_id, question in questions.items():
            if question_id not in self._questions:
                self._questions[question_id] = self._question(question)
                self._column.insertWidget(0, self._questions[question_id])
        self._show_or_hide()

    def notice(self, text: str) -> None:
        """Say something for a few seconds."""
        self._notice_text.setText(text)
        self._notice.show()
        self._timer.start(NOTICE_MS)
        self._show_or_hide()

    def _end_notice(self) -> None:
        self._notice.hide()
        self._show_or_hide()

    def _show_or_hide(self) -> None:
        # An empty strip area would still take its margin.
        told = self._troubles or self._questions or self._stopped or self._advice
        kept = not all(one.isHidden() for one in (self._notice, self.taught, self.agreed))
        self.setVisible(bool(told) or kept)

    @property
    def trouble_texts(self) -> tuple[str, ...]:
        """The troubles shown."""
        stopped = (self._stopped,) if self._stopped is not None else ()
        return tuple(str(strip.property("text")) for strip in (*stopped, *self._troubles.values()))

    @property
    def advice_text(self) -> str:
        """The advice shown; empty when there is none."""
        return "" if self._advice is None else self._advice_told

    @property
    def notice_text(self) -> str:
        """The notice shown; empty when there is none."""
        return "" if self._notice.isHidden() else self._notice_text.text()

    def _trouble(self, part: Part, text: str) -> QFrame:
        name = words.part_text(part, self._texts)
        strip = self._warning(text, f"{name}: {text}")
        close = QToolButton()
        close.setIcon(line_icon("close", self._theme.colours.warning))
        close.setAccessibleName(self._texts("Dismiss: {part}").format(part=name))
        close.setToolTip(self._texts("Dismiss"))
        close.clicked.connect(lambda: self._dismiss(part, text))
        row = strip.layout()
        if row is not None:
            if part in STEP_OF_PART:
                row.addWidget(self._set_up_button(part, name))
            row.addWidget(close)
        return strip

    def _set_up_button(self, part: Part, name: str) -> QPushButton:
        button = self._link(self._texts("Set up"), "strip.set_up")
        button.setAccessibleName(self._texts("Set up: {part}").format(part=name))
        button.clicked.connect(lambda: self._set_up(STEP_OF_PART[part]))
        return button

    def _link(self, text: str, identifier: str) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("kind", "link")
        button.setAccessibleIdentifier(identifier)
        # Enter belongs to the input line; this button must not catch it by default.
        button.setAutoDefault(False)
        return button

    def _warning(self, text: str, name: str) -> QFrame:
        strip = QFrame()
        strip.setObjectName("trouble")
        strip.setProperty("text", text)
        label = plain_label(visible(text), "troubleText")
        label.setWordWrap(True)
        label.setAccessibleName(name)
        icon = QLabel()
        icon.setPixmap(pixmap("ui-warning", 18, self._theme.colours.warning, ratio=self.devicePixelRatioF()))
        row = QHBoxLayout(strip)
        row.setContentsMargins(12, 6, 6, 6)
        row.addWidget(icon)
        row.addWidget(label, 1)
        return strip

    def _question(self, question: Question) -> QFrame:
        strip = QFrame()
        strip.setObjectName("pending")
        label = plain_label(words.headline(question, self._texts), "pendingText")
        button = self._link(self._texts("Look at it"), "strip.show_question")
        button.clicked.connect(lambda: self._show_question(question.question_id))
        row = QHBoxLayout(strip)
        row.setContentsMargins(14, 4, 6, 4)
        row.addWidget(label, 1)
        row.addWidget(button)
        return strip

    def retranslate(self, questions: dict[QuestionId, Question]) -> None:
        """Our own words in the language now in force; troubles stay as the core worded them."""
        self.show_questions({})
        self.show_questions(questions)
        self.restyle()

    def restyle(self) -> None:
        """Draw the troubles in the theme's colours."""
        self.taught.restyle()
        self.agreed.restyle()
        troubles = {part: str(strip.property("text")) for part, strip in self._troubles.items()}
        while self._troubles:
            self._drop(self._troubles.popitem()[1])
        self.show_troubles({**self._dismissed, **troubles})
        if self._stopped is not None:
            text = str(self._stopped.property("text"))
            self._drop(self._stopped)
            self._stopped = None
            self.show_stopped(text)
        if self._advice is not None:
            text, self._advice_told = self._advice_told, ""
            self.show_advice(text)

    def _dismiss(self, part: Part, text: str) -> None:
        self._dismissed[part] = text
        strip = self._troubles.pop(part, None)
        if strip is not None:
            self._drop(strip)
        self._show_or_hide()

    def _drop(self, strip: QFrame) -> None:
        self._column.removeWidget(strip)
        strip.hide()
        strip.deleteLater()
