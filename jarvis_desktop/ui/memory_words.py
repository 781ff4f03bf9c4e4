"""Wordings of what is remembered: outcomes, episodes, forgetting."""

from collections.abc import Mapping

from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.memory import Episode, SessionKind
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import rule_words, words
from jarvis_desktop.ui.visible_text import Care, one_line, visible

REQUEST_CHARS = 160


def outcome_text(outcome: TurnEnd, texts: Texts) -> str:
    """How a turn ended, in a word or two."""
    return words.end_text(outcome, texts) or texts("Answered")


def agent_text(agent_id: AgentId, names: Mapping[AgentId, str]) -> str:
    """What people call an agent."""
    return visible(names.get(agent_id, agent_id), Care.COMMAND)


def episode_cells(episode: Episode, names: Mapping[AgentId, str], texts: Texts) -> tuple[str, ...]:
    """An episode in a row: when, what was asked, how it ended, whose it is."""
    return (
        rule_words.short_time(episode.at),
        one_line(str(episode.request), REQUEST_CHARS),
        outcome_text(episode.outcome, texts),
        agent_text(episode.agent_id, names),
    )


def episode_facts(episode: Episode, names: Mapping[AgentId, str], texts: Texts) -> str:
    """What else is known of an episode, in lines."""
    calls = ", ".join(dict.fromkeys(visible(call.name, Care.COMMAND) for call in episode.calls))
    lines = [
        texts("{time} · {agent} · {outcome} · took {seconds} s").format(
            time=rule_words.time_text(episode.at),
            agent=agent_text(episode.agent_id, names),
            outcome=outcome_text(episode.outcome, texts),
            seconds=round(episode.took_s),
        ),
        texts("Tools that worked: {tools}").format(tools=calls) if calls else "",
        texts("Text from the web was in this turn.") if episode.foreign else "",
        _kind(episode.kind, texts),
    ]
    return "\n".join(line for line in lines if line)


def kept_text(days: int, texts: Texts) -> str:
    """For how long turns are kept."""
    if not days:
        return texts("for ever")
    return texts.plural("for {count} day", "for {count} days", days).format(count=f"{days:,}")


def _kind(kind: SessionKind, texts: Texts) -> str:
    if kind is SessionKind.CONVERSATION:
        return ""
    if kind is SessionKind.DELEGATION:
        return texts("Another agent asked for it.")
    return texts("Nobody was there: it was done on Jarvis's own account.")
