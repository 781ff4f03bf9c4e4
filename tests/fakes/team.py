"""A team without files."""

from collections.abc import Sequence

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId

JARVIS = AgentCard(MAIN_AGENT, "JARVIS", ("JARVIS", "자비스"))
KAREN = AgentCard(AgentId("karen"), "KAREN", ("KAREN", "카렌"), persona="You are Karen.")


class FakeTeam:
    """Fills ``Team`` with these cards; ``put`` changes them at the next look."""

    def __init__(self, *cards: AgentCard) -> None:
        self._cards = cards or (JARVIS, KAREN)
        self._next: Sequence[AgentCard] | None = None

    def put(self, *cards: AgentCard) -> None:
        """From the next look on these are the team."""
        self._next = cards

    async def look(self) -> None:
        if self._next is not None:
            self._cards, self._next = tuple(self._next), None

    def agents(self) -> tuple[AgentCard, ...]:
        return self._cards

    def find(self, agent_id: AgentId) -> AgentCard | None:
        return next((card for card in self._cards if card.agent_id == agent_id), None)

    def named(self, word: str) -> AgentCard | None:
        called = word.casefold()
        return next(
            (
                card
                for card in self._cards
                if called in {name.casefold() for name in (*card.answers_to, card.name, card.agent_id)}
            ),
            None,
        )
