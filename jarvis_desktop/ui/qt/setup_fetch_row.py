"""One download in a page: a bar, a line of words, one button for the next thing to do and one against it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QProgressBar, QVBoxLayout, QWidget

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.fetching import FetchStage, FetchState
from jarvis_desktop.core.items.setup import (
    ChatChoice,
    DropFetch,
    Fetch,
    FileChoice,
    PauseFetch,
    RemoveModel,
)
from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.qt.page import mark, push, rename, say, wrapped
from jarvis_desktop.ui.qt.setup_page import SetupParts
from jarvis_desktop.ui.setup_picture import MOVING, fetch_id

_BAR_STEPS = 1000


class FetchControls(QWidget):
    """Shows how far a model's download is and lets a person steer it."""

    def __init__(self, parts: SetupParts, choice: ChatChoice | FileChoice) -> None:
        super().__init__()
        self._parts = parts
        self._choice = choice
        self._state: FetchState | None = None
        self.possible = True
        """Somebody is there who could fetch it."""
        self._name = setup_words.model_name(choice.name, parts.texts)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self.bar.setAccessibleName(parts.texts("Progress: {model}").format(model=self._name))
        self.line = wrapped("", "fetchLine")
        # One button for the next step: it keeps the keyboard while its word changes.
        self.main = push("", f"fetch.{choice.name}", self._main_pressed)
        self.other = push("", f"drop.{choice.name}", self._other_pressed, "link")
        self.anew = push(parts.texts("Try a new connection"), f"anew.{choice.name}", self._fetch, "link")
        rename(self.anew, self.anew.text(), self._name)
        for button in (self.main, self.anew, self.other):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.buttons = buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.main)
        buttons.addWidget(self.anew)
        buttons.addWidget(self.other)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(7)
        column.addWidget(self.bar)
        column.addWidget(self.line)
        column.addLayout(buttons)
        self.show_choice(choice)

    def show_choice(self, choice: ChatChoice | FileChoice) -> None:
        """The model as it is now."""
        self._choice = choice
        picture, texts = self._parts.picture, self._parts.texts
        self._state = state = picture.fetches.get(fetch_id(choice))
        there = picture.there(choice)
        going = state is not None and not there
        moves = state is not None and state.stage in MOVING
        # A bar without an end moves by itself; nothing that stands still may look like that.
        self.bar.setVisible(state is not None and going and (moves or bool(state.total_bytes)))
        if state is not None and going:
            self.bar.setRange(0, _BAR_STEPS if state.total_bytes or not moves else 0)
            self.bar.setValue(round(_BAR_STEPS * state.done_bytes / max(1, state.total_bytes)))
            mark(self.line, "bad", on=state.stage is FetchStage.FAILED)
        say(self.line, setup_words.fetch_text(state, texts) if state is not None and going else "")
        slow = state is not None and state.stage is FetchStage.RUNNING and bool(state.trouble)
        self.anew.setVisible(slow)
        self._show_main(state, there=there)
        self._show_other(state, there=there)

    def _show_main(self, state: FetchState | None, *, there: bool) -> None:
        texts = self._parts.texts
        self.main.setVisible(not there)
        word = texts("Fetch")
        if state is not None:
            word = {
                FetchStage.PAUSED: texts("Go on"),
                FetchStage.FAILED: texts("Try again"),
                FetchStage.DONE: texts("Fetch"),
            }.get(state.stage, texts("Pause"))
        elif self._choice.size_bytes:
            word = texts("Fetch ({size})").format(size=setup_words.size_text(self._choice.size_bytes))
        rename(self.main, word, self._name)
        self.main.setEnabled(self.possible and (state is None or state.stage is not FetchStage.CHECKING))

    def _show_other(self, state: FetchState | None, *, there: bool) -> None:
        texts = self._parts.texts
        self.other.setVisible(there or state is not None)
        rename(self.other, texts("Remove…") if there else texts("Drop…"), self._name)

    def _main_pressed(self) -> None:
        if self._state is not None and self._state.stage in MOVING:
            self._parts.send(PauseFetch(*fetch_id(self._choice)))
        else:
            self._fetch()

    def _fetch(self) -> None:
        self._parts.send(Fetch(*fetch_id(self._choice)))

    def _other_pressed(self) -> None:
        texts = self._parts.texts
        kind, name = fetch_id(self._choice)
        if self._parts.picture.there(self._choice):
            self._confirm(
                texts("Remove this model?"),
                texts("Its files are deleted from the disk. You can fetch them again at any time."),
                texts("Remove"),
                RemoveModel(kind, name),
            )
        else:
            self._confirm(
                texts("Drop this download?"),
                texts("What has come so far is deleted. “Pause” would keep it."),
                texts("Drop"),
                DropFetch(kind, name),
            )

    def _confirm(self, question: str, what: str, word: str, command: Command) -> None:
        box = QMessageBox(self)
        box.setWindowTitle("Jarvis")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(question)
        box.setInformativeText(f"{self._name}\n{what}")
        sure = box.addButton(word, QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(self._parts.texts("Keep"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        sure.clicked.connect(lambda: self._parts.send(command))
        box.finished.connect(box.deleteLater)
        box.finished.connect(lambda _: self._parts.vanished())
        box.open()
