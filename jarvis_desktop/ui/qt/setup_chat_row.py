"""One chat model that can be chosen: what it needs, how fast it is here, and the download."""

from PySide6.QtWidgets import QHBoxLayout, QRadioButton

from jarvis_desktop.core.items.setup import Backend, ChangeSetting, ChatChoice, MeasureModel
from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.qt.page import Card, push, rename, say, wrapped
from jarvis_desktop.ui.qt.setup_fetch_row import FetchControls
from jarvis_desktop.ui.qt.setup_page import SetupParts
from jarvis_desktop.ui.visible_text import one_line


class ChatCard(Card):
    """A radio button with everything one wants to know before choosing."""

    def __init__(self, parts: SetupParts, choice: ChatChoice) -> None:
        super().__init__()
        self._parts = parts
        self._choice = choice
        texts = parts.texts
        name = one_line(choice.name, 60)
        self.setAccessibleName(name)
        self.use = QRadioButton(name)
        self.use.setObjectName("cardChoice")
        self.use.setAccessibleIdentifier(f"setup.use.{choice.backend}.{choice.name}")
        # One group over all cards: Qt's own grouping ends at the card's edge.
        self.use.setAutoExclusive(False)
        self.use.clicked.connect(self._use_pressed)
        self.badge = wrapped("", "badge")
        self.badge.setWordWrap(False)
        self._top = QHBoxLayout()
        self._top.addWidget(self.use)
        self._top.addStretch(1)
        self._top.addWidget(self.badge)
        self.column.addLayout(self._top)
        self.note = wrapped("", "cardText")
        self.facts = wrapped("", "cardFacts")
        self.fits = wrapped("", "cardWarning")
        self.speed = wrapped("", "cardText")
        for label in (self.note, self.facts, self.fits, self.speed):
            self.column.addWidget(label)
        self.controls = FetchControls(parts, choice)
        self.measure = push(texts("Measure the speed"), f"measure.{choice.name}", self._measure)
        self.controls.buttons.insertWidget(0, self.measure)
        self.column.addWidget(self.controls)
        self.show_choice(choice)

    def show_choice(self, choice: ChatChoice) -> None:
        """The model as it is now."""
        self._choice = choice
        picture, texts = self._parts.picture, self._parts.texts
        there, chosen = picture.there(choice), picture.chosen()
        in_use = chosen is not None and (chosen.backend, chosen.name) == (choice.backend, choice.name)
        self.use.setChecked(in_use)
        self.use.setEnabled(there or in_use)
        badges = [texts("in use")] if in_use and there else [texts("chosen")] if in_use else []
        badges += [texts("recommended for this computer")] if choice.recommended else []
        say(self.badge, " · ".join(badges))
        say(self.note, choice.note)
        say(self.facts, setup_words.chat_facts(choice, texts))
        say(self.fits, self._hindrance(choice))
        measured = picture.measured.get((choice.backend, choice.name))
        say(self.speed, setup_words.speed_text(choice, measured, texts))
        runs = choice.backend is Backend.EMBEDDED or picture.ollama_answers
        self.controls.possible = runs
        self.controls.show_choice(choice)
        busy = (choice.backend, choice.name) in picture.measuring
        self.measure.setVisible(there and runs)
        self.measure.setEnabled(not busy)
        rename(self.measure, texts("Measuring…") if busy else texts("Measure the speed"), choice.name)

    def _hindrance(self, choice: ChatChoice) -> str:
        texts = self._parts.texts
        if not choice.fits:
            return texts("Needs more memory than this computer has; it would be very slow.")
        if choice.backend is Backend.OLLAMA and not self._parts.picture.ollama_answers:
            return texts("Needs Ollama; see above.")
        return ""

    def _use_pressed(self) -> None:
        # The core has the last word: the settings in force set the button.
        self.use.setChecked(True)
        for command in choosing(self._choice):
            self._parts.send(command)

    def _measure(self) -> None:
        self._parts.send(MeasureModel(self._choice.backend, self._choice.name))


def choosing(choice: ChatChoice) -> tuple[ChangeSetting, ...]:
    """What makes ``choice`` the model that answers."""
    # "auto" rather than "ollama": the model inside Jarvis may still help out where no server answers.
    backend = "embedded" if choice.backend is Backend.EMBEDDED else "auto"
    return ChangeSetting("model.name", choice.name), ChangeSetting("model.backend", backend)
