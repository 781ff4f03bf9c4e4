"""What of a turn's items is told, and by what a turn knows that nothing has changed."""

from dataclasses import replace

import pytest

from jarvis_desktop.core.goals.fingerprint import fingerprint
from jarvis_desktop.core.goals.telling import said, untold
from jarvis_desktop.core.items.calls import ResultStatus, ToolResult
from jarvis_desktop.core.items.goals import GoalItem, PastCall
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.web_text import foreign
from tests.unit.goals.test_life import goal

A, B, ASKS = GoalItem("a", "A"), GoalItem("b", "B"), GoalItem("ask-money", "현금이 얼마예요?")
CALLS = (PastCall("budget", {"picks_only": True, "city": "서울"}),)


def result(text: str = "항목: [a] A", status: ResultStatus = ResultStatus.OK) -> ToolResult:
    return ToolResult(CallId("c"), "budget", text, status)


@pytest.mark.promise("G-004")
@pytest.mark.promise("G-019")
@pytest.mark.promise("G-119")
def test_code_leaves_out_what_was_told() -> None:
    assert untold((A, B), {"a": ""}) == (B,)
    assert untold((replace(A, version="2"),), {"a": "1"}) == (replace(A, version="2"),)


@pytest.mark.promise("G-037")
@pytest.mark.promise("G-125")
def test_questions_alone_have_no_head() -> None:
    assert said("새 소식이에요.", (ASKS,)) == "현금이 얼마예요?"
    assert said("새 소식이에요.", (A, ASKS)) == "새 소식이에요.\n\n- A\n- 현금이 얼마예요?"
    assert said("", (A,), "3 more wait.") == "A\n\n3 more wait."


@pytest.mark.promise("G-036")
@pytest.mark.promise("G-038")
def test_a_question_is_asked_once() -> None:
    assert ASKS.asks
    assert not A.asks
    assert untold((ASKS,), {"ask-money": ""}) == ()


@pytest.mark.promise("G-039")
def test_the_same_results_have_the_same_fingerprint_and_other_ones_another() -> None:
    mark = fingerprint(goal(), CALLS, [result()])
    assert len(mark) == 64
    turned = (PastCall("budget", {"city": "서울", "picks_only": True}),)
    assert fingerprint(goal(), turned, [result()]) == mark
    others = [
        fingerprint(goal(), CALLS, [result("항목: [a] A2")]),
        fingerprint(goal(), (PastCall("budget", {"picks_only": False, "city": "서울"}),), [result()]),
        fingerprint(goal(sentence="다른 목표"), CALLS, [result()]),
    ]
    assert len({mark, *others}) == 4


def test_the_tag_around_strangers_text_is_no_change() -> None:
    pages = [fingerprint(goal(), CALLS, [result(foreign("lh.or.kr", "two notices"))]) for _ in range(2)]
    assert pages[0] == pages[1]


@pytest.mark.promise("G-042")
def test_without_a_call_or_with_an_error_there_is_nothing_to_go_by() -> None:
    assert fingerprint(goal(), (), ()) == ""
    for status in (ResultStatus.ERROR, ResultStatus.DENIED, ResultStatus.TIMED_OUT):
        assert fingerprint(goal(), CALLS, [result(status=status)]) == ""
    assert fingerprint(goal(), (*CALLS, *CALLS), [result()]) == ""
