"""The page of the chat model: what this machine can carry, Ollama, and the models to choose from."""

from collections.abc import Callable
from dataclasses import replace

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.setup import Backend, ChatChoice, Fetch
from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.qt.setup_chat_row import ChatCard, choosing
from jarvis_desktop.ui.qt.setup_ollama_box import OllamaBox
from jarvis_desktop.ui.qt.setup_page import Card, SetupPage, SetupParts, drop, say, wrapped
from jarvis_desktop.ui.setup_picture import fetch_id


class ChatPage(SetupPage):
    """Machine, Ollama, models."""

    def __init__(self, parts: SetupParts) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            texts("Chat model"),
            texts("The chat model understands requests and writes the answers. It runs on this computer."),
        )
        self.parts = replace(parts, send=self._send)
        self._send_out: Callable[[Command], None] = parts.send
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
        choices = facts.chat if facts is not None else ()
        say(self.better, self._better_text(choices))
        none = texts(
            "There is no model to choose yet. Install Ollama as said above, then press “Look again”; "
            "everything else of Jarvis works meanwhile."
        )
        say(self.nothing, none if facts is not None and not choices else "")
        self._show_cards(choices)

    def _show_cards(self, choices: tuple[ChatChoice, ...]) -> None:
        wanted = {(choice.backend, choice.name): choice for choice in choices}
        if list(self.cards) != list(wanted):
            drop(self.cards)
        for key, choice in wanted.items():
            if key not in self.cards:
                self.cards[key] = ChatCard(self.parts, choice)
                self.column.insertWidget(self.column.count() - 1, self.cards[key])
            self.cards[key].show_choice(choice)

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

    def _send(self, command: Command) -> None:
        """Fetching a model while the chosen one is not there means choosing it."""
        self._send_out(command)
        picture = self.parts.picture
        chosen = picture.chosen()
        if not isinstance(command, Fetch) or (chosen is not None and picture.there(chosen)):
            return
        for choice in picture.facts.chat if picture.facts is not None else ():
            if fetch_id(choice) == (command.kind, command.name) and choice != chosen:
                for change in choosing(choice):
                    self._send_out(change)
