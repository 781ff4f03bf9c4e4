"""The page of the speech models: what would be fetched, how big, from where, under which licence."""

from jarvis_desktop.core.items.fetching import FetchKind
from jarvis_desktop.core.items.setup import Fetch, FileChoice
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.qt.page import Card, drop, mark, push, rename, say, wrapped
from jarvis_desktop.ui.qt.setup_fetch_row import FetchControls
from jarvis_desktop.ui.qt.setup_page import SetupPage, SetupParts


class FileCard(Card):
    """One model of the manifest."""

    def __init__(self, parts: SetupParts, choice: FileChoice) -> None:
        super().__init__(setup_words.model_name(choice.name, parts.texts))
        self._parts = parts
        texts = parts.texts
        self.state = wrapped("", "cardState")
        self.column.addWidget(self.state)
        self.column.addWidget(wrapped(choice.purpose, "cardText"))
        self.column.addWidget(wrapped(setup_words.file_facts(choice, texts), "cardFacts"))
        source = wrapped("", "cardFacts")
        say(source, setup_words.from_text(choice.sources, texts))
        self.column.addWidget(source)
        self.controls = FetchControls(parts, choice)
        self.column.addWidget(self.controls)
        self.show_choice(choice)

    def show_choice(self, choice: FileChoice) -> None:
        """The model as it is now."""
        there = self._parts.picture.there(choice)
        say(self.state, _state_text(choice, self._parts.texts, there=there))
        mark(self.state, "good", on=there)
        self.controls.show_choice(choice)


class SpeechPage(SetupPage):
    """Every model for ears and mouth, and one button for those that are needed."""

    def __init__(self, parts: SetupParts) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            texts("Speech models"),
            texts(
                "Jarvis hears and understands with models that run on this computer. They are fetched once; "
                "each file is checked before it is used. Downloads go on while you turn to other pages."
            ),
        )
        self.cards: dict[str, FileCard] = {}
        self._nothing = wrapped("", "setupHint")
        self.column.addWidget(self._nothing)
        self._total = wrapped("", "cardText")
        self.all = push("", "fetch_all", self._fetch_all, "primary")
        self._all_card = Card()
        self._all_card.column.addWidget(self._total)
        self._all_card.add_row(self.all)
        self.column.addWidget(self._all_card)
        self.column.addStretch(1)
        self.refresh()

    def refresh(self) -> None:
        """Show the models and their downloads."""
        picture, texts = self.parts.picture, self.parts.texts
        choices = picture.speech_files()
        say(self._nothing, "" if choices else _nothing_text(texts, looked=picture.facts is not None))
        if list(self.cards) != [choice.name for choice in choices]:
            drop(self.cards)
        for choice in choices:
            if choice.name not in self.cards:
                self.cards[choice.name] = FileCard(self.parts, choice)
                self.column.insertWidget(self.column.count() - 1, self.cards[choice.name])
            self.cards[choice.name].show_choice(choice)
        self._show_total()

    def _show_total(self) -> None:
        picture, texts = self.parts.picture, self.parts.texts
        wanted = picture.wanted_files()
        self._all_card.setVisible(bool(picture.speech_files()))
        self.all.setVisible(len(wanted) > 0)
        size = sum(choice.size_bytes for choice in wanted)
        rename(self.all, texts("Fetch what is needed ({size})").format(size=setup_words.size_text(size)))
        free = picture.facts.machine.free_disk_bytes if picture.facts is not None else 0
        told = setup_words.total_text(size, free, texts)
        if not wanted:
            told = setup_words.moving_text(picture, texts) or texts("Everything that is needed is there.")
        say(self._total, told)

    def _fetch_all(self) -> None:
        for choice in self.parts.picture.wanted_files():
            self.parts.send(Fetch(FetchKind.FILES, choice.name))


def _state_text(choice: FileChoice, texts: Texts, *, there: bool) -> str:
    if there:
        return texts("There")
    told = [texts("Needed to listen") if choice.needed else texts("Optional")]
    if choice.untested:
        told.append(texts("not tried with this release yet"))
    return " · ".join(told)


def _nothing_text(texts: Texts, *, looked: bool) -> str:
    if not looked:
        return texts("Looking at this computer…")
    return texts("The list of models could not be read. Install Jarvis again, or look at the log.")
