"""Which tools a turn may use: the agent's boundaries and the situation, as one table (G-055 to G-058)."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from jarvis_desktop.core.items.agents import Bound, Boundaries
from jarvis_desktop.core.items.memory import RECALL_TOOL
from jarvis_desktop.core.items.turn import Situation


class Reach(StrEnum):
    """What a tool is to a turn."""

    USED = "used"
    HIDDEN = "hidden"
    """The model does not see it, and calling it all the same is not permitted."""
    ASK_FIRST = "ask_first"
    """Hidden, and named among the things that a person has to be asked about first."""

    @property
    def offered(self) -> bool:
        """The model sees the tool and may call it."""
        return self is Reach.USED


_TABLE: Mapping[tuple[Situation, Bound], Reach] = MappingProxyType(
    {
        (Situation.CONVERSATION, Bound.ALONE): Reach.USED,
        (Situation.CONVERSATION, Bound.ASK): Reach.USED,  # an order counts as asked
        (Situation.CONVERSATION, Bound.NEVER): Reach.HIDDEN,
        (Situation.GOAL, Bound.ALONE): Reach.USED,
        (Situation.GOAL, Bound.ASK): Reach.ASK_FIRST,
        (Situation.GOAL, Bound.NEVER): Reach.HIDDEN,
        (Situation.SCHEDULE, Bound.ALONE): Reach.USED,
        (Situation.SCHEDULE, Bound.ASK): Reach.HIDDEN,
        (Situation.SCHEDULE, Bound.NEVER): Reach.HIDDEN,
        (Situation.PROACTIVE, Bound.ALONE): Reach.USED,
        (Situation.PROACTIVE, Bound.ASK): Reach.HIDDEN,
        (Situation.PROACTIVE, Bound.NEVER): Reach.HIDDEN,
    }
)
ASKED_IN_GOALS = ("goal", "schedule")
"""A goal makes no goals and no schedules (G-059), and what is due makes none either."""


def reach(tool: str, boundaries: Boundaries, situation: Situation) -> Reach:
    """What ``tool`` is to a turn in this situation of an agent with these boundaries."""
    bound = boundaries.bound(tool)
    if situation is Situation.GOAL and tool == RECALL_TOOL:
        return Reach.HIDDEN  # conditions are where tools read them, not in old conversations (G-079)
    if situation is Situation.SCHEDULE and tool in ASKED_IN_GOALS:
        # "Every Monday …" in a task that is due was once read as the wish for one more of them.
        return Reach.HIDDEN
    if situation is Situation.GOAL and tool in ASKED_IN_GOALS and bound is Bound.ALONE:
        bound = Bound.ASK
    return _TABLE[situation, bound]


def attended(situation: Situation) -> bool:
    """Somebody can be asked; otherwise what needs approval runs by a remembered rule only (decision 20)."""
    return situation is Situation.CONVERSATION


def takes_user_values(situation: Situation) -> bool:
    """Arguments that only the person may set are taken from the model: it repeats what the person said.

    In a goal turn, or when something is done ahead, nobody said anything: the example amounts of a prompt
    were once calculated with (G-060 to G-062).
    """
    return situation in (Situation.CONVERSATION, Situation.SCHEDULE)
