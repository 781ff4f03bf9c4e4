"""What a person is offered to keep as a goal: requests meant for good, by their words alone."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.goals.naming import MOST_CHARS
from jarvis_desktop.core.goals.standing import sounds_standing
from jarvis_desktop.core.goals.suggesting import worth_offering
from tests.goal_sentences import FIRST_HELD_OUT, HELD_OUT, KNOWN, Sentence

WORDS = (
    "새",
    "글",
    "나오면",
    "그때",
    "바로",
    "알려줘",
    "앞으로",
    "매일",
    "tell",
    "me",
    "when",
    "every",
    "time",
)


def counted(sentences: Sequence[Sentence], *, standing: bool) -> tuple[int, int]:
    """How many of that kind an offer would follow, and how many there are."""
    mine = [one for one in sentences if one.standing is standing]
    return sum(worth_offering(one.text) for one in mine), len(mine)


@pytest.mark.parametrize("sentence", [*KNOWN, *FIRST_HELD_OUT], ids=lambda one: one.text)
def test_requests_meant_for_good_are_told_from_those_asked_once(sentence: Sentence) -> None:
    assert worth_offering(sentence.text) is sentence.standing


def test_of_sentences_that_the_rules_were_not_made_for_most_are_told_apart() -> None:
    """Measured, not aimed at: whoever changes the rules says what became of these numbers."""
    assert (counted(HELD_OUT, standing=True), counted(HELD_OUT, standing=False)) == ((23, 30), (5, 30))


def test_what_is_offered_is_asked_of_the_model_first() -> None:
    offered = [one.text for one in (*KNOWN, *FIRST_HELD_OUT, *HELD_OUT) if worth_offering(one.text)]
    assert [text for text in offered if not sounds_standing(text)] == []


def test_what_is_too_long_for_a_goal_is_never_offered() -> None:
    text = "새 공고 나오면 알려줘"
    assert worth_offering(text)
    assert not worth_offering(f"{'가' * MOST_CHARS} {text}")


@given(st.lists(st.sampled_from(WORDS)))
def test_any_words_in_any_order_get_an_answer(words: list[str]) -> None:
    assert worth_offering(" ".join(words)) in (True, False)
