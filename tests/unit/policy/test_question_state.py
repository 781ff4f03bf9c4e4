"""Every pair of the question's table."""

from itertools import product

import pytest

from jarvis_desktop.core.items.errors import InvariantError
from jarvis_desktop.core.policy.question_state import NEXT, QuestionCue, QuestionState, advance

OVER = {QuestionState.ANSWERED, QuestionState.EXPIRED, QuestionState.WITHDRAWN}


@pytest.mark.parametrize(("state", "cue"), list(product(QuestionState, QuestionCue)))
def test_every_pair_either_has_a_step_or_is_refused_by_name(state: QuestionState, cue: QuestionCue) -> None:
    if (state, cue) in NEXT:
        assert advance(state, cue) is NEXT[state, cue]
        return
    with pytest.raises(InvariantError, match=f"{state.value} has no step for {cue.value}"):
        advance(state, cue)


@pytest.mark.promise("T-256")
def test_a_question_that_is_over_stays_over() -> None:
    assert not [pair for pair in NEXT if pair[0] in OVER]


def test_only_a_shown_question_can_be_answered_or_run_out() -> None:
    ways = {cue: {s for s in QuestionState if (s, cue) in NEXT} for cue in QuestionCue}
    assert ways[QuestionCue.ANSWER] == ways[QuestionCue.TIME_UP] == {QuestionState.SHOWN}
    assert set(NEXT.values()) == set(QuestionState) - {QuestionState.WAITING}
