"""Taught patterns that fit a request stand before it, whatever language either is in."""

from datetime import UTC, datetime, timedelta

import pytest

from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.memory import TaskPattern
from jarvis_desktop.core.memory.pattern_fit import as_prompt, fitting

DAY = datetime(2026, 12, 1, tzinfo=UTC)


def taught(name: str, *keywords: str, when: str = "", content: str = "Do it.", age: int = 0) -> TaskPattern:
    return TaskPattern(AgentId("main"), name, when, keywords, content, DAY - timedelta(days=age))


WEATHER = taught("Weather report", "weather", "날씨", when="somebody asks for the weather")
MINUTES = taught("회의록", "회의록", "minutes", when="회의록을 정리해 달라고 할 때")


@pytest.mark.parametrize(
    "request_text", ["오늘 서울날씨 어때?", "What's the WEATHER like?", "weathers", "날씨가 궁금해"]
)
def test_a_pattern_fits_in_the_language_in_which_it_was_not_taught(request_text: str) -> None:
    assert fitting(request_text, [WEATHER, MINUTES]) == (WEATHER,)


def test_without_a_keyword_a_request_like_the_description_fits() -> None:
    described = taught("보고서", "quarterly", when="분기 보고서를 작성할 때")
    assert fitting("분기 보고서를 작성해 줘", [described, WEATHER]) == (described,)


@pytest.mark.parametrize("request_text", ["안녕", "hello there", "", "날", "3월"])
def test_what_does_not_fit_stands_before_no_turn(request_text: str) -> None:
    assert fitting(request_text, [WEATHER, MINUTES, taught("x", "plan")]) == ()


def test_a_short_word_fits_whole_and_a_longer_one_by_its_beginning() -> None:
    assert fitting("categories of cats", [taught("pets", "cat")]) == ()
    assert fitting("planning a trip", [taught("plans", "plan")]) != ()


def test_every_word_of_a_keyword_must_be_said() -> None:
    keyword = taught("list", "to do")
    assert fitting("What do you think?", [keyword]) == ()
    assert fitting("Add milk to what I must do", [keyword]) == (keyword,)


def test_at_most_three_with_1500_characters_in_all_the_best_first() -> None:
    long = taught("long", "report", "weekly", "friday", content="x" * 1000)
    middle = taught("middle", "report", "weekly", content="y" * 600)
    small = [taught(f"small {number}", "report", content="z" * 100, age=number) for number in range(4)]
    assert fitting("the weekly report of friday", [*reversed(small), middle, long]) == (
        long,
        small[0],
        small[1],
    )


def test_the_prompt_names_them_and_says_whose_they_are() -> None:
    assert as_prompt(()) == ""
    text = as_prompt([WEATHER])
    assert "Weather report: Do it." in text
    assert "taught" in text.splitlines()[0]
