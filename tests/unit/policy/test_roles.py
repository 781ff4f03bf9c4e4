"""Which tools a turn may use."""

import pytest

from jarvis_desktop.core.items.agents import NO_BOUNDARIES, Boundaries
from jarvis_desktop.core.items.memory import RECALL_TOOL
from jarvis_desktop.core.items.turn import Situation
from jarvis_desktop.core.policy.roles import Reach, attended, reach, takes_user_values

CONVERSATION, GOAL, SCHEDULE, PROACTIVE = Situation
KAREN = Boundaries(ask=frozenset({"profile", "both"}), never=frozenset({"wipe", "both"}))


@pytest.mark.promise("G-053", "G-055", "G-056", "G-057", "G-058")
@pytest.mark.parametrize(
    ("situation", "asked"),
    [
        (CONVERSATION, Reach.USED),
        (GOAL, Reach.ASK_FIRST),
        (SCHEDULE, Reach.HIDDEN),
        (PROACTIVE, Reach.HIDDEN),
    ],
)
def test_the_table_says_what_a_tool_is_to_a_turn(situation: Situation, asked: Reach) -> None:
    assert reach("profile", KAREN, situation) is asked
    assert reach("read_file", KAREN, situation) is Reach.USED
    assert reach("wipe", KAREN, situation) is Reach.HIDDEN
    assert reach("both", KAREN, situation) is Reach.HIDDEN


@pytest.mark.promise("G-059")
@pytest.mark.parametrize("tool", ["goal", "schedule"])
def test_a_goal_makes_no_goals_and_no_schedules(tool: str) -> None:
    assert reach(tool, NO_BOUNDARIES, GOAL) is Reach.ASK_FIRST
    assert reach(tool, Boundaries(never=frozenset({tool})), GOAL) is Reach.HIDDEN
    assert reach(tool, NO_BOUNDARIES, CONVERSATION) is Reach.USED


def test_only_in_a_conversation_somebody_can_be_asked() -> None:
    assert [attended(one) for one in Situation] == [True, False, False, False]


def test_only_what_is_used_is_offered() -> None:
    assert [one for one in Reach if one.offered] == [Reach.USED]


@pytest.mark.promise("G-060", "G-061")
def test_values_that_only_the_person_sets_are_taken_where_a_person_gave_the_instruction() -> None:
    assert [takes_user_values(one) for one in Situation] == [True, False, True, False]


@pytest.mark.promise("G-079")
def test_a_goal_does_not_look_into_old_conversations() -> None:
    found = {one: reach(RECALL_TOOL, NO_BOUNDARIES, one) for one in Situation}

    assert {one for one, what in found.items() if what is not Reach.USED} == {Situation.GOAL}
    assert found[Situation.GOAL] is Reach.HIDDEN
