"""An episode keeps head and tail of texts and short arguments."""

import pytest

from jarvis_desktop.core.items.calls import ResultStatus, ToolCall
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.memory import KeptCall, KeptText
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.memory.episode_text import (
    REPLY_CHARS,
    REQUEST_CHARS,
    VALUE_CHARS,
    first_tool,
    kept,
    kept_calls,
)


def call(name: str, number: str, **arguments: object) -> Message:
    return Message(Role.ASSISTANT, "", (ToolCall(CallId(number), name, arguments),))


def result(number: str, status: ResultStatus) -> Message:
    return Message(Role.TOOL, "", call_id=CallId(number), tool_name="x", status=status)


def test_a_thousand_characters_are_kept_whole() -> None:
    assert kept("가" * 1000, REQUEST_CHARS) == KeptText("가" * 1000)


def test_of_more_the_head_and_the_tail_are_kept_in_the_same_thousand() -> None:
    text = "h" * 600 + "middle" + "t" * 400
    assert kept(text, REQUEST_CHARS) == KeptText("h" * 600, "t" * 400)
    assert kept("h" * 300 + "middle" + "t" * 700, REPLY_CHARS) == KeptText("h" * 300, "t" * 700)
    assert str(kept(text, REQUEST_CHARS)).count("[…]") == 1


@pytest.mark.promise("T-097")
def test_only_calls_that_succeeded_are_kept_with_values_of_at_most_200_characters() -> None:
    messages = [
        call("write_file", "1", path="a.md", content="비" * 5000, backup=True, mode=None),
        result("1", ResultStatus.OK),
        call("bash", "2", command="rm -r x"),
        result("2", ResultStatus.DENIED),
        call("grep", "3", paths=["a" * 150, "b" * 150]),
        result("3", ResultStatus.OK),
    ]
    written, searched = kept_calls(messages)
    assert written == KeptCall(
        "write_file", {"path": "a.md", "content": "비" * (VALUE_CHARS - 1) + "…", "backup": True}
    )
    assert len(str(searched.arguments["paths"])) == VALUE_CHARS
    assert first_tool(messages) == "write_file"


def test_a_conversation_without_tools_has_no_first_tool() -> None:
    assert first_tool([Message(Role.ASSISTANT, "hello")]) == ""
