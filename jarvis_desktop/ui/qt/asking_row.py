"""Buttons under what a goal asked: each answer is a request like a typed one, with the question in it."""

from collections.abc import Callable, Iterator

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from jarvis_desktop.core.items.goals import GoalSpoke
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.turn.goal_budgets import RESTING_KEYS
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.visible_text import one_line

_QUESTION_CHARS = 500


class AskingRow(QWidget):
    """Yes, no, or in one's own words. It allows nothing: what the turn does is asked about as ever."""

    def __init__(
        self,
        question: str,
        texts: Texts,
        submit: Callable[[str], None],
        begin: Callable[[str], None],
        *,
        named: bool = False,
        command: str = "",
    ) -> None:
        """submit: works on a request; begin: puts its beginning where people type.

        named: the question stands above its buttons, since the message asks more than one.
        command: what a yes is, where no model need be asked what it means; a no leaves things as they are.
        """
        super().__init__()
        asked = one_line(question, _QUESTION_CHARS)
        self.setAccessibleName(texts("Answer: {question}").format(question=asked))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 10)
        column.setSpacing(4)
        self.question = plain_label(asked, "asked") if named else None
        if self.question is not None:
            self.question.setWordWrap(True)
            column.addWidget(self.question)
        row = QHBoxLayout()
        row.setSpacing(8)
        column.addLayout(row)
        yes = command or texts("“{question}” Yes.").format(question=asked)
        no = "" if command else texts("“{question}” No.").format(question=asked)
        answers = (
            ("yes", texts("Yes"), lambda: self._answer(submit, yes)),
            ("no", texts("No"), lambda: self._answer(submit, no)),
            ("words", texts("Answer…"), lambda: begin(f"“{asked}” ")),
        )
        self.buttons: dict[str, QPushButton] = {}
        for key, label, pressed in answers:
            button = self.buttons[key] = QPushButton(label)
            button.setAccessibleName(f"{label}: {asked}")
            button.setAccessibleIdentifier(f"goal.ask.{key}")
            # Enter belongs to the input line; no button here must catch it by default.
            button.setAutoDefault(False)
            button.clicked.connect(pressed)
            row.addWidget(button)
        row.addStretch(1)

    def _answer(self, submit: Callable[[str], None], text: str) -> None:
        self.setEnabled(False)  # a second click is no second answer
        if text:
            submit(text)


def asking_rows(
    event: GoalSpoke, texts: Texts, submit: Callable[[str], None], begin: Callable[[str], None]
) -> Iterator[AskingRow]:
    """One for each question in what a goal told; that it may go on is an order of its own."""
    for item in event.asks:
        command = f"/goal resume {event.goal_id}" if item.key in RESTING_KEYS else ""
        yield AskingRow(item.line, texts, submit, begin, named=len(event.asks) > 1, command=command)
