"""What is taken as a request, and in which form."""

import unicodedata

import pytest

from jarvis_desktop.core.turn.input_check import refusal, taken
from tests.fakes.texts import PlainTexts


def why(text: str, most: int = 100) -> str:
    return refusal(text, most, PlainTexts())


@pytest.mark.promise("T-173")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<script>alert(1)</script>", "<script>"),
        ("< SCRIPT src=x>", "<script>"),
        ("click javascript:alert(1)", "javascript:"),
        ("JavaScript : x", "javascript:"),
        ('<img src=x onerror="alert(1)">', "on…="),
        ("<body ONLOAD = x>", "on…="),
        ("onmouseover=alert(1)", "on…="),
    ],
)
def test_scripts_are_refused_with_what_was_found(text: str, found: str) -> None:
    assert why(text).startswith(f"The request holds {found}, which is not taken")


@pytest.mark.promise("T-173")
def test_a_text_that_is_too_long_is_refused_and_one_that_just_fits_is_not() -> None:
    assert "101 characters; the most allowed is 100" in why("x" * 101)
    assert why("x" * 100) == ""


@pytest.mark.parametrize(
    "text",
    [
        "What is a script tag?",
        "Which languages are like JavaScript?",
        "once = 1, only = 2, one=3",
        "if money == 3: option=4",
        "config.onload = x",
        "a < b and c > d",
        "<b>bold</b> &amp; R&D",
    ],
)
def test_ordinary_text_and_code_is_taken(text: str) -> None:
    assert why(text) == ""


@pytest.mark.promise("T-174")
def test_text_is_taken_in_one_spelling_and_nothing_is_escaped() -> None:
    apart = unicodedata.normalize("NFD", "한글 <b>é</b> &amp; \"x\" > 'y'")
    assert taken(f"  {apart}\n") == "한글 <b>é</b> &amp; \"x\" > 'y'"
    assert taken(" \n\t ") == ""
