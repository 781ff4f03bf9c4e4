"""Words of other people in our own Markdown, in the window and on a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.slash.markup import code, plain, readable, whole


@pytest.mark.parametrize(
    ("text", "shown"),
    [("git *", "`git *`"), ("a`b", "``a`b``"), ("`a`", "`` `a` ``"), ("a\nb", "`a b`"), ("", "")],
)
def test_code_holds_whatever_it_is_given(text: str, shown: str) -> None:
    assert code(text) == shown


def test_prose_is_one_line_without_a_meaning_to_markdown() -> None:
    assert plain("a *b*\n# c") == r"a \*b\* \# c"
    assert plain("x" * 100, 10) == "x" * 9 + "…"


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        (r"the \*bold\* plan **open**", "the *bold* plan open"),
        (r"1. `grep \*\*` — **x**", r"1. `grep \*\*` — x"),
        ("``a`b`` c", "``a`b`` c"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_a_terminal_shows_the_words_and_not_their_marks(markdown: str, shown: str) -> None:
    assert readable(markdown) == shown


@given(st.text(alphabet="ab*_#[]()\\`", max_size=12))
def test_what_is_escaped_for_the_window_is_read_as_it_was_on_a_terminal(text: str) -> None:
    assert readable(plain(text)) == " ".join(text.split())


@given(st.text(alphabet="ab*`\\", min_size=1, max_size=12))
def test_code_is_never_changed_on_its_way_to_a_terminal(text: str) -> None:
    assert readable(f"x {code(text)} y") == f"x {code(text)} y"


def test_many_lines_stay_many_lines_inside_a_fence_that_they_cannot_close() -> None:
    assert whole("a\n```\nb") == "````\na\n```\nb\n````"
