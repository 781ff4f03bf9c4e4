"""What a plugin may make of the messages: much of the words, nothing of what happened."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.calls import Json, ResultStatus, ToolCall
from jarvis_desktop.core.items.errors import PluginFailedError
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import TurnContext
from jarvis_desktop.core.turn.hook_messages import MAX_LONGER_CHARS, as_payload, edited

CALLS = (ToolCall(CallId("a"), "bash", {"command": "ls"}), ToolCall(CallId("b"), "glob", {"pattern": "*"}))
PAST = (Message(Role.USER, "hi"), Message(Role.ASSISTANT, "hello"))
NOW = (
    Message(Role.USER, "look"),
    Message(Role.ASSISTANT, "", CALLS),
    Message(Role.TOOL, "a.txt", call_id=CallId("a"), tool_name="bash"),
    Message(Role.TOOL, "b.txt", call_id=CallId("b"), tool_name="glob", status=ResultStatus.ERROR),
)
CONTEXT = TurnContext(PAST, NOW)


def given_messages() -> list[dict[str, Json]]:
    messages = as_payload(CONTEXT)
    return [one for one in messages if isinstance(one, dict)]


def test_a_plugin_reads_role_words_calls_and_results() -> None:
    assert as_payload(CONTEXT) == [
        {"number": 0, "role": "user", "content": "hi"},
        {"number": 1, "role": "assistant", "content": "hello"},
        {"number": 2, "role": "user", "content": "look"},
        {
            "number": 3,
            "role": "assistant",
            "content": "",
            "calls": [
                {"tool": "bash", "arguments": {"command": "ls"}},
                {"tool": "glob", "arguments": {"pattern": "*"}},
            ],
        },
        {"number": 4, "role": "tool", "content": "a.txt", "tool": "bash", "status": "ok"},
        {"number": 5, "role": "tool", "content": "b.txt", "tool": "glob", "status": "error"},
    ]


def test_what_comes_back_as_it_was_changes_nothing() -> None:
    made = edited(given_messages(), CONTEXT)
    assert (made.context, made.messages, made.chars) == (CONTEXT, 0, 0)


def test_words_are_edited_left_out_and_added_and_counted() -> None:
    messages = given_messages()
    messages[4]["content"] = "[hidden]"
    wanted = [{"role": "user", "content": "Be kind."}, *messages[1:]]
    made = edited(wanted, CONTEXT)
    assert made.context == TurnContext(
        (Message(Role.USER, "Be kind."), PAST[1]),
        (*NOW[:2], Message(Role.TOOL, "[hidden]", call_id=CallId("a"), tool_name="bash"), NOW[3]),
    )
    assert (made.messages, made.chars) == (3, len("Be kind.") - len("hi") + len("[hidden]") - len("a.txt"))


def test_a_whole_step_may_be_left_out_and_a_remark_added_behind_the_request() -> None:
    wanted = [*given_messages()[:3], {"role": "assistant", "content": "I have looked."}]
    made = edited(wanted, CONTEXT)
    assert made.context.now == (NOW[0], Message(Role.ASSISTANT, "I have looked."))


NEVER = {"role": "tool", "content": "done", "tool": "bash", "status": "ok"}
CALLING = {"role": "assistant", "content": "", "calls": [{"tool": "bash", "arguments": {}}]}


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ("text", "expected a list of messages or None, got str"),
        (["text"], "message 0 is not a dict with a text as its content"),
        ([{"role": "user"}], "message 0 is not a dict"),
        ([{"role": "user", "content": "x", "name": "y"}], "unknown key name"),
        ([{"role": "system", "content": "obey"}], "never happened"),
        ([NEVER], "never happened"),
        ([CALLING], "never happened"),
        ([{"number": True, "role": "user", "content": "x"}], "a number that no message has"),
        ([{"number": 6, "role": "user", "content": "x"}], "a number that no message has"),
        ([{"number": -1, "role": "user", "content": "x"}], "a number that no message has"),
        ([{"number": 0, "role": "system", "content": "hi"}], "something else than its content"),
        ([{"number": 0, "content": "hi", "calls": [{}]}], "something else than its content"),
        ([], "the request, message number 2, was left out"),
    ],
)
def test_what_may_not_be_is_refused_with_a_reason(wanted: Json, why: str) -> None:
    with pytest.raises(PluginFailedError, match=why):
        edited(wanted, CONTEXT)


def test_a_call_keeps_its_arguments_and_its_results_right_behind_it() -> None:
    changes: list[tuple[Callable[[Any], object], str]] = [
        (lambda m: m[3].update(calls=[{"tool": "bash", "arguments": {"command": "rm"}}]), "something else"),
        (lambda m: m[5].update(status="ok"), "something else"),
        (lambda m: m.pop(4), "parted"),
        (lambda m: m.pop(3), "parted"),
        (lambda m: m.pop(5), "parted"),
        (lambda m: m.insert(4, {"role": "user", "content": "x"}), "parted"),
        (lambda m: m.append(m.pop(0)), "another order"),
        (lambda m: m.append(m[5]), "came twice"),
        (lambda m: m[0].update(content="x" * (MAX_LONGER_CHARS + 3)), "characters longer"),
    ]
    for change, why in changes:
        messages = given_messages()
        change(messages)
        with pytest.raises(PluginFailedError, match=why):
            edited(messages, CONTEXT)


NUMBERED = st.builds(
    lambda number, text: {**given_messages()[number], "content": text},
    st.integers(0, len(CONTEXT.messages) - 1),
    st.text(max_size=5),
)
FREE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system"]), "content": st.text(max_size=5)},
    optional={"number": st.integers(-1, 7), "calls": st.just([{}]), "tool": st.just("bash")},
)


@given(st.lists(NUMBERED | FREE, max_size=9))
def test_whatever_comes_back_no_call_and_no_result_is_there_that_never_happened(wanted: Json) -> None:
    try:
        made = edited(wanted, CONTEXT)
    except PluginFailedError:
        return
    messages = made.context.messages
    known = [replace(one, text="") for one in CONTEXT.messages]
    for one in messages:
        assert replace(one, text="") in (*known, Message(Role.USER, ""), Message(Role.ASSISTANT, ""))
    for place, one in enumerate(messages):
        if one.calls:
            behind = messages[place + 1 : place + 1 + len(one.calls)]
            assert [each.call_id for each in behind] == [call.call_id for call in one.calls]
    assert made.context.now[0].role is Role.USER
