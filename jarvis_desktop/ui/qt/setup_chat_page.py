"""The page of the chat model: what this machine can carry, Ollama, and the models to choose from."""

from jarvis_desktop.core.items.setup import Backend, ChatChoice
from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.qt.page import Card, drop, say, wrapped
from jarvis_desktop.ui.qt.setup_chat_row import ChatCard
from jarvis_desktop.ui.qt.setup_ollama_box import OllamaBox
from jarvis_desktop.ui.qt.setup_page import SetupPage, SetupParts


class ChatPage(SetupPage):
    """Machine, Ollama, models."""

    def __init__(self, parts: SetupParts) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            texts("Chat model"),
            texts("The chat model understands requests and writes the answers. It runs on this computer."),
        )
        card = Card(texts("What this computer has"))
        self.machine = wrapped("", "cardText")
        card.column.addWidget(self.machine)
        self.column.addWidget(card)
        self.ollama = OllamaBox(parts)
        self.column.addWidget(self.ollama)
        self.better = wrapped("", "setupHint")
        self.column.addWidget(self.better)
        self.nothing = wrapped("", "setupHint")
        self.column.addWidget(self.nothing)
        self.cards: dict[tuple[Backend, str], ChatCard] = {}
        self.column.addStretch(1)
        self.refresh()

    def refresh(self) -> None:
        """Show machine, Ollama and models."""
        texts, facts = self.parts.texts, self.parts.picture.facts
        looking = texts("Looking at this computer…")
        say(self.machine, setup_words.machine_text(facts.machine, texts) if facts is not None else looking)
        self.ollama.refresh()
        choices = self.parts.picture.chat_by_use()
        say(self.better, self._better_text(choices))
        none = texts(
            "There is no model to choose yet. Install Ollama as said above, then press “Look again”; "
            "everything else of Jarvis works meanwhile."
        )
        say(self.nothing, none if facts is not None and not choices else "")
        self._show_cards(choices)

    def _show_cards(self, choices: tuple[ChatChoice, ...]) -> None:
        """A card keeps its place while it is looked at, whatever is chosen or arrives."""
        wanted = {(choice.backend, choice.name): choice for choice in choices}
        if self.cards.keys() != wanted.keys():
            drop(self.cards)
        for key, choice in wanted.items():
            if key not in self.cards:
                self.cards[key] = ChatCard(self.parts, choice)
                self.column.insertWidget(self.column.count() - 1, self.cards[key])
            self.cards[key].show_choice(choice)

    def entered(self) -> None:
        """What can be used comes first."""
        choices = self.parts.picture.chat_by_use()
        if list(self.cards) != [(choice.backend, choice.name) for choice in choices]:
            drop(self.cards)
            self._show_cards(choices)

    def _better_text(self, choices: tuple[ChatChoice, ...]) -> str:
        texts = self.parts.texts
        if not any(choice.backend is Backend.EMBEDDED for choice in choices):
            return ""
        if self.parts.picture.ollama_answers:
            return texts(
                "Gemma through Ollama answers better than the model inside Jarvis, which is there for "
                "computers without Ollama."
            )
        return texts(
            "The model inside Jarvis works without anything else, and is small. Gemma through Ollama answers "
            "better: install and start Ollama as said above, then fetch Gemma here."
        )
