"""What fits is sent, and a call stays with its result."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.turn.history import CLIPPED, DROP_TURNS, fitted, text_tokens, total_tokens

CALL = ToolCall(CallId("c1"), "bash", {"command": "ls"})


def user(text: str) -> Message:
    return Message(Role.USER, text)


def turn(text: str) -> list[Message]:
    return [
        user(text),
        Message(Role.ASSISTANT, "", (CALL,)),
        Message(Role.TOOL, text, call_id=CALL.call_id, tool_name="bash"),
        Message(Role.ASSISTANT, text),
    ]


def test_korean_takes_more_tokens_than_english() -> None:
    assert (text_tokens("a" * 30), text_tokens("가" * 30), text_tokens("")) == (10, 20, 0)


def test_what_fits_stays() -> None:
    past = [*turn("one"), *turn("two")]
    assert fitted(past, [user("now")], 1000) == (*past, user("now"))


@pytest.mark.voice_bug("llm", "System prompt dropped when the context is full")
def test_old_turns_go_first_and_whole() -> None:
    past = [message for n in range(10) for message in turn(f"{n}" * 60)]
    one = total_tokens(turn("0" * 60))
    assert fitted(past, [user("now")], one * 7) == (*past[4 * DROP_TURNS :], user("now"))


def test_the_beginning_stays_the_same_while_turns_are_added() -> None:
    turns = [turn(f"{n}" * 60) for n in range(20)]
    one = total_tokens(turns[0])
    firsts = []
    for count in range(1, 20):
        past = [message for each in turns[:count] for message in each]
        firsts.append(fitted(past, [user("now")], one * 9)[0].text[0])
    assert firsts.count(firsts[-1]) >= DROP_TURNS
    assert len(set(firsts)) <= 5


def test_a_past_that_does_not_fit_at_all_is_left_out() -> None:
    assert fitted(turn("x" * 9000), [user("now")], 100) == (user("now"),)


def test_results_without_their_request_are_left_out() -> None:
    assert fitted(turn("a")[1:], [user("now")], 1000) == (user("now"),)


def test_a_huge_result_of_the_running_turn_is_clipped_in_the_middle() -> None:
    long = Message(Role.TOOL, "H" * 9000 + "T" * 9000, call_id=CALL.call_id, tool_name="bash")
    now = [*turn("go")[:2], long]
    first, call, result = fitted(turn("old"), now, 1000)
    assert (first, call) == (now[0], now[1])
    assert result.text.startswith("HHH")
    assert result.text.endswith("TTT")
    assert CLIPPED in result.text
    assert total_tokens([first, call, result]) <= 1000


def test_small_results_are_left_alone_when_even_clipping_cannot_help() -> None:
    now = [user("x" * 900), Message(Role.TOOL, "ok", call_id=CALL.call_id, tool_name="bash")]
    assert fitted([], now, 50) == tuple(now)


@given(st.lists(st.text("ab 가", max_size=200), max_size=9), st.integers(50, 2000))
def test_no_call_is_ever_without_its_result(texts: list[str], budget: int) -> None:
    past = [message for text in texts for message in turn(text)]
    kept = fitted(past, [user("now")], budget)
    assert kept[-1] == user("now")
    assert kept == (*past[len(past) - len(kept) + 1 :], user("now"))
    assert kept[0].role is Role.USER
    assert total_tokens(kept) <= budget
