"""A model's stream becomes visible text and calls."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.ports import CallPiece, CallStyle, ChatPiece, DonePiece, TextPiece, ThinkingPiece
from jarvis_desktop.core.turn.reply_parser import NO_CHOICE, ParsedReply, ReplyReader
from jarvis_desktop.core.turn.text_calls import CUT_OFF, UNREADABLE
from tests.fakes.chat_model import says

NATIVE, SCHEMA = CallStyle.NATIVE, CallStyle.SCHEMA
LS = ToolCall(CallId("id"), "bash", {"command": "ls"})
LS_JSON = '{"name": "bash", "arguments": {"command": "ls"}}'


def hear(style: CallStyle, *pieces: ChatPiece) -> tuple[ParsedReply, list[str]]:
    """The reply, and every visible text on the way there."""
    reader = ReplyReader(style, lambda: "id")
    texts: list[str] = []
    for piece in pieces:
        reader.feed(piece)
        texts.append(reader.text)
    return reader.finish(), texts


def native(text: str, reason: str = "stop") -> tuple[ParsedReply, list[str]]:
    return hear(NATIVE, *says(text, reason=reason))


def schema(text: str, reason: str = "stop") -> tuple[ParsedReply, list[str]]:
    return hear(SCHEMA, *says(text, reason=reason))


def test_text_is_visible_as_it_grows() -> None:
    assert hear(NATIVE, TextPiece(" Hel"), TextPiece("lo \n"), TextPiece("you"), DonePiece("stop")) == (
        ParsedReply("Hello \nyou"),
        ["Hel", "Hello", "Hello \nyou", "Hello \nyou"],
    )


def test_native_calls_come_with_the_text_before_them() -> None:
    reply, _ = hear(
        NATIVE, TextPiece("Let me look."), CallPiece(" bash ", {"command": "ls"}), DonePiece("stop")
    )
    assert reply == ParsedReply("Let me look.", (LS,))


@pytest.mark.parametrize("style", list(CallStyle))
def test_thinking_is_neither_answer_nor_visible(style: CallStyle) -> None:
    reply, texts = hear(style, ThinkingPiece("hmm"), *says("<think>what now</think>Yes."))
    assert reply == ParsedReply("Yes.")
    assert not any("what" in text or "hmm" in text for text in texts)


def test_an_answer_begins_anew_when_it_turns_out_to_have_been_thinking() -> None:
    reply, texts = native("I wonder</think>Yes.")
    assert "I wonder" in texts
    assert (reply, texts[-1]) == (ParsedReply("Yes."), "Yes.")


@pytest.mark.parametrize(
    "text", [LS_JSON, f"```json\n{LS_JSON}\n```", f"<tool_call>{LS_JSON}</tool_call>", f"\n\n{LS_JSON}"]
)
@pytest.mark.voice_bug("llm", "gemma4 + system prompt + think:false + tools -> JSON in content")
@pytest.mark.voice_bug("llm", "Raw JSON is spoken")
def test_a_call_written_as_text_is_a_call_and_never_visible(text: str) -> None:
    reply, texts = native(text)
    assert reply == ParsedReply("", (LS,))
    assert set(texts) == {""}


def test_a_tagged_call_after_words_is_a_call_and_never_visible() -> None:
    reply, texts = native(f"I will look.\n<tool_call>{LS_JSON}</tool_call>")
    assert reply == ParsedReply("I will look.", (LS,))
    assert not any("<" in text or "{" in text for text in texts)


def test_words_about_tags_are_words() -> None:
    text = "Qwen writes <tool_call> before a call."
    assert native(text)[0] == ParsedReply(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"color": "red"}',
        "```python\nprint(1)\n```",
        "```json\n[1, 2]\n```",
        "[link](https://example.org)",
        '{"name": "Kim", "age": 3}',
        "{",
        "a < b",
    ],
)
def test_json_and_code_that_are_no_call_are_an_answer(text: str) -> None:
    assert native(text)[0] == ParsedReply(text)


def test_code_in_an_answer_is_visible_as_it_grows() -> None:
    assert "```python\nprint" in native("```python\nprint(1)\n```")[1]


def test_the_same_call_natively_and_as_text_is_one_call() -> None:
    reply, _ = hear(NATIVE, *says(LS_JSON)[:-1], CallPiece("bash", {"command": "ls"}), DonePiece("stop"))
    assert reply == ParsedReply("", (LS,))


def test_an_unreadable_call_has_a_reason_for_the_model() -> None:
    assert native("<tool_call>run ls please</tool_call>")[0] == ParsedReply("", problem=UNREADABLE)
    assert schema('{"tool": ')[0] == ParsedReply("", problem=NO_CHOICE)
    assert schema('{"colour": "red"}')[0] == ParsedReply("", problem=NO_CHOICE)


@pytest.mark.parametrize("style", list(CallStyle))
def test_half_a_call_is_not_completed(style: CallStyle) -> None:
    half = '{"tool": "write_file", "arguments": {"path": "a", "content": "half of'
    assert hear(style, *says(half, reason="length"))[0] == ParsedReply("", problem=CUT_OFF)


def test_half_an_answer_is_still_an_answer() -> None:
    assert native("It is wri", "length")[0] == ParsedReply("It is wri")
    assert schema('{"tool": "answer", "arguments": {"text": "It is wri', "length")[0] == ParsedReply(
        "It is wri"
    )


def test_a_schema_bound_call_is_a_call() -> None:
    assert schema('{"tool": "bash", "arguments": {"command": "ls"}}') == (
        ParsedReply("", (LS,)),
        [""] * 49,
    )


def test_a_schema_bound_answer_is_visible_as_it_grows() -> None:
    raw = json.dumps({"tool": "answer", "arguments": {"text": '안녕 \U0001f600 "you"\n끝'}})
    reply, texts = schema(raw)
    assert reply == ParsedReply('안녕 \U0001f600 "you"\n끝')
    assert "안녕" in texts
    assert all(reply.text.startswith(text) for text in texts)


def test_a_file_about_thinking_tags_is_written_with_them() -> None:
    arguments = {"path": "a", "content": "<think>not hidden</think>"}
    reply, _ = schema(json.dumps({"tool": "write_file", "arguments": arguments}))
    assert reply == ParsedReply("", (ToolCall(CallId("id"), "write_file", arguments),))


def test_thinking_before_a_schema_bound_answer_is_left_out() -> None:
    raw = '<think>hm</think>{"tool": "answer", "arguments": {"text": "Yes."}}'
    assert schema(raw)[0] == ParsedReply("Yes.")


def test_an_answer_tool_in_native_style_is_text() -> None:
    assert native('{"tool": "answer", "arguments": {"text": "Yes."}}')[0] == ParsedReply("Yes.")


@pytest.mark.parametrize("style", list(CallStyle))
@pytest.mark.parametrize("text", ["", " \n", "<think></think>", "<think>hmm</think> \n"])
@pytest.mark.voice_bug("llm", "Empty content after tool result")
def test_blanks_and_thinking_alone_are_an_empty_answer(style: CallStyle, text: str) -> None:
    assert hear(style, *says(text))[0] == ParsedReply("")


def test_text_from_a_server_that_ignores_the_schema_is_read_as_text() -> None:
    assert schema("Hello you.")[0] == ParsedReply("Hello you.")
    assert schema(f"<tool_call>{LS_JSON}</tool_call>")[0] == ParsedReply("", (LS,))


@pytest.mark.parametrize("style", list(CallStyle))
@pytest.mark.voice_bug("llm", "Loop of BEGIN_ARG tokens")
def test_a_loop_is_cut(style: CallStyle) -> None:
    reader = ReplyReader(style)
    for _ in range(500):
        reader.feed(TextPiece("Look. "))
        if reader.looping:
            break
    assert reader.looping
    assert reader.finish() == ParsedReply("Look. Look.", looping=True)


def test_a_loop_of_thinking_is_a_loop() -> None:
    reply, _ = hear(NATIVE, *[ThinkingPiece("hm ")] * 200)
    assert reply == ParsedReply("", looping=True)


TEXTS = st.text(alphabet='ab{}[]":,`<>/\n think tool_call json name 안', max_size=60)


@given(TEXTS, st.lists(st.integers(0, 60)), st.sampled_from(CallStyle))
def test_however_it_is_chopped_the_reply_is_the_same(text: str, cuts: list[int], style: CallStyle) -> None:
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    pieces = [TextPiece(text[a:b]) for a, b in pairwise(places)]
    assert hear(style, *pieces)[0] == hear(style, TextPiece(text))[0]


@given(TEXTS)
def test_what_was_visible_stays_unless_it_was_thinking(text: str) -> None:
    reply, texts = native(text)
    if "</think" not in text:
        assert all(reply.text.startswith(shown) for shown in texts)
