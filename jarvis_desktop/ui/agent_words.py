"""Wordings of agents: who they are, what they may use, and where that stands."""

from jarvis_desktop.core.items.agents import NO_MODEL_WISH, AgentCard
from jarvis_desktop.core.items.team_desk import AgentFact
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import Care, one_line, visible

_NAME_CHARS, _PURPOSE_CHARS = 60, 160


def name_text(fact: AgentFact) -> str:
    """What people call it; the file's name where nothing of it counts."""
    return one_line(fact.card.name if fact.card else fact.file, _NAME_CHARS)


def purpose_text(fact: AgentFact, texts: Texts) -> str:
    """What it is for, or that its file is broken."""
    if fact.card is None:
        return texts("Its file does not count")
    # An empty text is the catalogue's own head.
    return (one_line(texts(fact.card.purpose), _PURPOSE_CHARS) if fact.card.purpose else "") or "–"


def whose_text(fact: AgentFact, texts: Texts) -> str:
    """Where its file comes from."""
    return texts("Yours") if fact.own else texts("Comes with Jarvis")


def facts_of(card: AgentCard, texts: Texts) -> tuple[tuple[str, str], ...]:
    """Everything else about it: what is said, and what it is like."""
    ask, never = (", ".join(sorted(names)) for names in (card.boundaries.ask, card.boundaries.never))
    rows = [
        (texts("Answers to"), ", ".join(card.answers_to)),
        (
            texts("Talks with"),
            texts("you, and other agents") if card.top_level else texts("other agents only"),
        ),
        (texts("Tools"), texts("all") if card.tools is None else ", ".join(card.tools) or texts("none")),
        (texts("Always asks before"), ask),
        (texts("Never uses"), never),
        (texts("Model"), model_text(card, texts)),
    ]
    return tuple((what, visible(said, Care.COMMAND)) for what, said in rows if said)


def model_text(card: AgentCard, texts: Texts) -> str:
    """Which model answers for it, and what it wants of it."""
    wish = card.model
    if wish == NO_MODEL_WISH:
        return texts("as in the settings")
    said = [wish.name or texts("as in the settings")]
    if wish.temperature is not None:
        said.append(texts("temperature {value}").format(value=f"{wish.temperature:g}"))
    if wish.context_tokens is not None:
        said.append(texts("{count} tokens").format(count=f"{wish.context_tokens:,}"))
    if wish.think is not None:
        said.append(texts("thinks first") if wish.think else texts("does not think first"))
    return ", ".join(said)
