"""A stuck model is noticed, and long honest text is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.turn.repetition import RepetitionGuard, loop_unit, without_loop


def heard(*pieces: str) -> bool:
    guard = RepetitionGuard()
    for piece in pieces:
        guard.feed(piece)
    return guard.looping


@pytest.mark.voice_bug("llm", "Loop of BEGIN_ARG tokens")
def test_the_same_token_over_and_over_is_a_loop() -> None:
    assert heard(*["BEGIN_ARG"] * 40)


def test_the_same_line_over_and_over_is_a_loop() -> None:
    assert heard(*["The answer is in the file that you asked about.\n"] * 9)


def test_a_loop_of_blanks_is_a_loop() -> None:
    assert heard("Yes.", *["\n"] * 300)


@pytest.mark.parametrize(
    "text",
    ["-" * 120, "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 12, "ha " * 40, "네, 알겠습니다. " * 7],
)
def test_what_people_write_is_no_loop(text: str) -> None:
    assert not heard(*text)


def test_a_loop_is_cut_down_to_a_unit_or_two() -> None:
    assert without_loop("It is here. " + "Look. " * 60) == "It is here. Look."
    assert without_loop("It is here.") == "It is here."


@given(st.text(min_size=1, max_size=20), st.text(max_size=30))
def test_every_unit_repeated_long_enough_is_found_and_cut(unit: str, before: str) -> None:
    text = before + unit * (300 // len(unit) + 8)
    assert loop_unit(text) > 0
    assert len(without_loop(text)) <= len(before) + 2 * len(unit)
