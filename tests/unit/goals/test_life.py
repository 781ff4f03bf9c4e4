"""What becomes of a goal, and which goal a sentence names."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.goals.life import NEXT, after, at, is_open, runs
from jarvis_desktop.core.goals.naming import folded, goal_id, matching, one_line
from jarvis_desktop.core.items.goals import EVERY_HOUR, Goal, GoalCue, GoalId, GoalState
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from tests.fakes.clock import START

LATER = START + timedelta(hours=2)
ACTIVE, PAUSED, SNOOZED, DONE, STOPPED = GoalState


def goal(state: GoalState = ACTIVE, sentence: str = "새 공고 나오면 알려줘") -> Goal:
    until = LATER if state is SNOOZED else None
    return Goal(GoalId("g1"), MAIN_AGENT, sentence, "Asia/Seoul", START, state=state, snoozed_until=until)


# Cues in their order: give, pause, resume, snooze, wake, finish, stop.
WALK = {
    ACTIVE: (ACTIVE, PAUSED, ACTIVE, SNOOZED, ACTIVE, DONE, STOPPED),
    PAUSED: (ACTIVE, PAUSED, ACTIVE, SNOOZED, PAUSED, DONE, STOPPED),
    SNOOZED: (ACTIVE, PAUSED, ACTIVE, SNOOZED, ACTIVE, DONE, STOPPED),
    DONE: (ACTIVE, DONE, ACTIVE, DONE, DONE, DONE, STOPPED),
    STOPPED: (ACTIVE, STOPPED, ACTIVE, STOPPED, STOPPED, STOPPED, STOPPED),
}


@pytest.mark.parametrize("state", GoalState)
@pytest.mark.parametrize("cue", GoalCue)
def test_every_state_knows_what_follows_on_every_cue(state: GoalState, cue: GoalCue) -> None:
    follows = after(goal(state), cue, LATER)
    assert follows.state is WALK[state][list(GoalCue).index(cue)]
    assert (follows.snoozed_until is not None) is (follows.state is SNOOZED)


def test_the_table_has_no_row_for_what_changes_nothing_and_cannot_be() -> None:
    assert set(NEXT) <= {(state, cue) for state in GoalState for cue in GoalCue}
    assert len(NEXT) == 26


def test_a_snooze_ends_at_its_very_instant_and_an_ended_goal_never_wakes() -> None:
    snoozed = goal(SNOOZED)
    assert [runs(snoozed, moment) for moment in (START, LATER - timedelta(seconds=1), LATER)] == [
        False,
        False,
        True,
    ]
    assert at(snoozed, LATER) == goal(ACTIVE)
    assert [(runs(goal(state), LATER), is_open(goal(state))) for state in (DONE, STOPPED, PAUSED)] == [
        (False, False),
        (False, False),
        (False, True),
    ]


@pytest.mark.promise("G-025")
def test_a_goal_has_its_turns_every_hour_from_nine_to_nine_unless_it_says_otherwise() -> None:
    assert (goal().cron, EVERY_HOUR) == ("0 9-21 * * *", "0 9-21 * * *")


@pytest.mark.promise("G-052")
@given(
    words=st.lists(st.text("가나다abcDEF공고", min_size=1, max_size=5), min_size=1, max_size=6),
    blank=st.sampled_from([" ", "  ", "\t", "\n", "\u3000"]),
)
def test_neither_blanks_nor_case_make_another_goal(words: list[str], blank: str) -> None:
    plain, odd = " ".join(words), f"{blank}{blank.join(words).upper()}{blank}"
    assert goal_id(MAIN_AGENT, plain) == goal_id(MAIN_AGENT, odd)
    assert goal_id(MAIN_AGENT, plain) != goal_id(AgentId("karen"), plain)
    assert one_line(odd) == plain.upper()


def test_another_spelling_of_the_same_letters_is_the_same_goal() -> None:
    decomposed = "\u1109\u1162 \u1100\u1169\u11bc\u1100\u1169"
    assert folded(decomposed) == folded("새 공고")


def test_a_part_finds_all_goals_that_have_it_and_the_whole_sentence_just_the_one() -> None:
    rent, sale = goal(sentence="새 공고 임대"), goal(sentence="새 공고 임대와 분양")
    assert matching("공고", [rent, sale]) == (rent, sale)
    assert matching("새  공고 임대", [rent, sale]) == (rent,)
    assert matching("분양", [rent, sale]) == (sale,)
    assert matching("", [rent, sale]) == ()
    assert matching("g1", [rent]) == (rent,)
