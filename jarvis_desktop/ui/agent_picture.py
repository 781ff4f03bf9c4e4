"""What a front end knows of the agents: who there is, who is talked with, whose turn runs elsewhere."""

from dataclasses import dataclass, field

from jarvis_desktop.core.items.agents import AgentCard, AgentsListed
from jarvis_desktop.core.items.events import ConversationOpened, Event, TurnQueued, TurnStarted
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, SessionId, TurnId
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import Care, one_line, visible

KEPT_TURNS = 32
"""Turns whose conversation is remembered; one runs at a time, with those it asked of others."""
MOST_OF_A_NAME = 40
MOST_IN_A_FIELD = 16
MOST_OF_A_PURPOSE = 70


@dataclass(frozen=True, slots=True)
class _Begun:
    session_id: SessionId
    card: AgentCard | None


@dataclass(slots=True)
class AgentsPicture:
    """The present state of the agents, as far as screens show it."""

    listed: tuple[AgentCard, ...] = ()
    """Those that people talk with, the main one first."""
    shown: AgentId = MAIN_AGENT
    """The one whose conversation windows show."""
    session_id: SessionId | None = None
    """That conversation; None before the first was opened."""
    _begun: dict[TurnId, _Begun] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        """The picture after ``event``."""
        match event:
            case AgentsListed():
                self.listed = event.agents
            case ConversationOpened():
                self.shown, self.session_id = event.agent_id, event.session_id
            case TurnStarted():
                self._begun[event.turn_id] = _Begun(event.session_id, event.card)
                if len(self._begun) > KEPT_TURNS:
                    del self._begun[next(iter(self._begun))]
            case _:
                pass

    @property
    def card(self) -> AgentCard | None:
        """The agent that is talked with; None before anybody was listed."""
        return next((card for card in self.listed if card.agent_id == self.shown), None)

    def other_name(self, texts: Texts) -> str:
        """The name of the agent that is talked with; empty while it is the app's own."""
        name = shown_name(self.card, texts)
        return "" if name == texts("Jarvis") else one_line(name, MOST_IN_A_FIELD)

    def is_elsewhere(self, event: Event) -> bool:
        """It belongs to a conversation that windows do not show now."""
        if self.session_id is None:
            return False
        if isinstance(event, TurnStarted | TurnQueued):
            return event.session_id not in (None, self.session_id)
        return self.works_elsewhere(getattr(event, "turn_id", None)) is not None

    def works_elsewhere(self, turn_id: TurnId | None) -> AgentCard | None:
        """The agent of a turn in a conversation that windows do not show."""
        begun = self._begun.get(turn_id) if turn_id is not None else None
        if begun is None or self.session_id is None or begun.session_id == self.session_id:
            return None
        return begun.card or AgentCard(MAIN_AGENT, "JARVIS")


def shown_name(card: AgentCard | None, texts: Texts) -> str:
    """The name that people read; the app's own where the main agent has no other."""
    if card is None or (card.agent_id == MAIN_AGENT and card.name.casefold() == "jarvis"):
        return texts("Jarvis")
    return one_line(visible(card.name, Care.COMMAND), MOST_OF_A_NAME)


def purpose_text(card: AgentCard, texts: Texts) -> str:
    """What the agent is for, in one line; its file's words, ours in the app's language."""
    return one_line(texts(card.purpose), MOST_OF_A_PURPOSE) if card.purpose else ""


def shipped_purposes(texts: Texts) -> tuple[str, ...]:
    """Every ``purpose`` of the files that come with the app, so that the catalogue holds them."""
    return (
        texts("Works with the files and programs of this computer."),
        texts("Knows public housing in Korea, its notices and its loans."),
    )
