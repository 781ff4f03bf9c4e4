"""Thinking is never seen."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.turn.hidden_text import HiddenText

WORDS = st.text(alphabet="ab <>/think", max_size=12)
SAFE = st.text(alphabet="ab <>é안", max_size=12)


def seen(*pieces: str) -> str:
    hidden = HiddenText()
    return "".join(hidden.feed(piece) for piece in pieces) + hidden.finish()


def test_thinking_is_cut_out_wherever_it_stands() -> None:
    assert seen("a<think>b</think>c<thinking>d</thinking>e") == "ace"


def test_a_tag_split_over_pieces_is_still_a_tag() -> None:
    assert seen("a<th", "ink>secret</thi", "nk>b") == "ab"


def test_what_only_looks_like_a_tag_is_text() -> None:
    assert seen("1 < 2 and <th", "e end>") == "1 < 2 and <the end>"
    assert seen("ends with <thi") == "ends with <thi"


def test_thinking_that_never_ends_stays_hidden() -> None:
    assert seen("a<think>b", "c") == "a"


def test_a_closing_tag_alone_means_that_all_before_was_thinking() -> None:
    hidden = HiddenText()
    assert hidden.feed("I wonder ") == "I wonder "
    assert hidden.feed("why</think>Because.") == "Because."
    assert hidden.all_was_hidden


@given(
    st.lists(st.tuples(SAFE, st.text("xyz<", max_size=9)), max_size=4), SAFE, st.lists(st.integers(0, 200))
)
def test_however_it_is_chopped_the_same_text_is_seen(
    parts: list[tuple[str, str]], end: str, cuts: list[int]
) -> None:
    whole = "".join(f"{text}<think>{thought}</think>" for text, thought in parts) + end
    places = sorted({min(cut, len(whole)) for cut in cuts} | {0, len(whole)})
    pieces = [whole[a:b] for a, b in pairwise(places)]
    assert seen(*pieces) == seen(whole) == "".join(text for text, _ in parts) + end


@given(st.lists(WORDS, max_size=8))
def test_nothing_between_tags_ever_gets_out(pieces: list[str]) -> None:
    assert "SECRET" not in seen(*pieces, "<think>", "SECRET", *(p for p in pieces if "/" not in p))
