"""Which goal a sentence names: the same sentence is one goal, and a part of it finds it again."""

import hashlib
import unicodedata
from collections.abc import Iterable

from jarvis_desktop.core.items.goals import Goal, GoalId
from jarvis_desktop.core.items.ids import AgentId

ID_DIGITS = 16
"""64 bits: among 10,000 goals two share an id once in 400 billion homes."""
MOST_CHARS = 500
"""Of a goal's sentence."""


def one_line(sentence: str) -> str:
    """The sentence as it is kept: one spelling of each letter, single blanks."""
    return " ".join(unicodedata.normalize("NFC", sentence).split())


def folded(sentence: str) -> str:
    """The sentence as it is compared: neither blanks nor case make another goal (G-052)."""
    return one_line(sentence).casefold()


def goal_id(agent_id: AgentId, sentence: str) -> GoalId:
    """The same for the same agent and sentence, on every machine."""
    named = f"{agent_id}\n{folded(sentence)}"
    return GoalId(hashlib.sha256(named.encode()).hexdigest()[:ID_DIGITS])


def matching(part: str, goals: Iterable[Goal]) -> tuple[Goal, ...]:
    """The goals that ``part`` can mean: the one with that id or whole sentence, else all that contain it."""
    wanted = folded(part)
    known = tuple(goals)
    exact = tuple(one for one in known if wanted in (one.goal_id, folded(one.sentence)))
    return exact or tuple(one for one in known if wanted and wanted in folded(one.sentence))
