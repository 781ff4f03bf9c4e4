"""The page of languages and look: those of the windows, those that are spoken, and the colours."""

from PySide6.QtWidgets import QButtonGroup, QCheckBox, QRadioButton

from jarvis_desktop.ui.qt.page import Card, choice, fill
from jarvis_desktop.ui.qt.setup_page import SetupPage, SetupParts

LANGUAGES = ("system", "ko", "en")
SPOKEN = ("ko", "en")


class LookPage(SetupPage):
    """Everything on it counts at once."""

    def __init__(self, parts: SetupParts, title: str = "", intro: str = "") -> None:
        """title, intro: of a page that begins with something else."""
        texts = parts.texts
        super().__init__(
            parts,
            title or texts("Languages and look"),
            intro or texts("What Jarvis is read in, spoken with, and how its windows look."),
        )
        self.first_cards()
        self._language_card()
        self._spoken_card()
        self._look_card()
        self.column.addStretch(1)
        self.refresh()

    def first_cards(self) -> None:
        """What stands above the languages."""

    def _language_card(self) -> None:
        texts = self.parts.texts
        card = Card(texts("Language of the windows"))
        self.languages = QButtonGroup(self)
        row = card.add_row()
        # The languages' own names: who cannot read the present one finds the way.
        for at, (value, name) in enumerate(
            zip(LANGUAGES, (texts("Like the system"), "한국어", "English"), strict=True)
        ):
            button = QRadioButton(name)
            button.setAccessibleIdentifier(f"setup.language.{value}")
            self.languages.addButton(button, at)
            row.insertWidget(at, button)
        self.languages.idClicked.connect(lambda at: self.change("ui.language", LANGUAGES[at]))
        self.column.addWidget(card)

    def _spoken_card(self) -> None:
        texts = self.parts.texts
        card = Card(texts("Languages you speak with Jarvis"))
        self.spoken = {"ko": QCheckBox(texts("Korean")), "en": QCheckBox(texts("English"))}
        card.add_row(*self.spoken.values())
        for code, box in self.spoken.items():
            box.setAccessibleIdentifier(f"setup.spoken.{code}")
            box.clicked.connect(self._spoken_changed)
        self.column.addWidget(card)

    def _look_card(self) -> None:
        texts = self.parts.texts
        card = Card(texts("Colours"))
        self.look = choice(texts("Colours"), "look", self._look_changed)
        card.add_row(self.look)
        self.column.addWidget(card)

    def _look_changed(self) -> None:
        self.change("ui.theme", self.look.currentData())

    def _spoken_changed(self) -> None:
        wanted = tuple(code for code in SPOKEN if self.spoken[code].isChecked())
        if wanted:
            self.change("voice.languages", wanted)
        else:  # one is needed: the last one stays
            self.refresh()

    def refresh(self) -> None:
        """Show the settings in force."""
        texts, settings = self.parts.texts, self.parts.picture.settings
        language = str(settings.get("ui.language", "system"))
        self.languages.button(LANGUAGES.index(language) if language in LANGUAGES else 0).setChecked(True)
        spoken = settings.get("voice.languages", SPOKEN)
        for code, box in self.spoken.items():
            box.setChecked(isinstance(spoken, tuple | list) and code in spoken)
        looks = (("system", texts("Like the system")), ("light", texts("Light")), ("dark", texts("Dark")))
        fill(self.look, tuple((text, value) for value, text in looks), settings.get("ui.theme", "system"))
