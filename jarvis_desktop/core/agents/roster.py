"""The agents of one moment, found by id or by any of their names."""

import unicodedata
from collections.abc import Iterable

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId


class Roster:
    """The cards in order: the main agent first, the others by their names."""

    def __init__(self, cards: Iterable[AgentCard]) -> None:
        self.cards = tuple(
            sorted(cards, key=lambda card: (card.agent_id != MAIN_AGENT, card.name, card.agent_id))
        )

    def find(self, agent_id: AgentId) -> AgentCard | None:
        """The agent of that id."""
        return next((card for card in self.cards if card.agent_id == agent_id), None)

    def named(self, word: str) -> AgentCard | None:
        """The agent that answers to ``word``; where two do, the first."""
        called = _folded(word)
        return next((card for card in self.cards if called in names_of(card)), None) if called else None


def names_of(card: AgentCard) -> frozenset[str]:
    """All that it answers to, its id included, as ``named`` compares them."""
    return frozenset(_folded(name) for name in (card.agent_id, card.name, *card.answers_to))


def _folded(word: str) -> str:
    return " ".join(unicodedata.normalize("NFC", word).casefold().split())
