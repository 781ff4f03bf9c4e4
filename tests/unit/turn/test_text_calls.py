"""Calls that were written as text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.turn.text_calls import (
    CUT_OFF,
    MAX_CHARS,
    UNREADABLE,
    Leaning,
    RawCall,
    Written,
    leaning,
    read_calls,
)

LS = RawCall("bash", {"command": "ls"})
CAT = RawCall("read_file", {"path": "a.txt"})
LS_JSON = '{"name": "bash", "arguments": {"command": "ls"}}'
CAT_JSON = '{"tool": "read_file", "arguments": {"path": "a.txt"}}'


def read(text: str, *, cut_off: bool = False) -> Written | None:
    return read_calls(text, cut_off=cut_off)


@pytest.mark.parametrize(
    "text",
    [
        LS_JSON,
        f"```json\n{LS_JSON}\n```",
        f"```\n{LS_JSON}\n```",
        f"```json{LS_JSON}```",
        f"```tool_call\n{LS_JSON}\n```\n",
        f"<tool_call>\n{LS_JSON}\n</tool_call>",
        f"<|tool_call|>{LS_JSON}",
        f"<tool_call>{LS_JSON}",
        f"[{LS_JSON}]",
        '{"function": "bash", "parameters": {"command": "ls"}}',
        '{"type": "function", "function": {"name": "bash", "arguments": {"command": "ls"}}}',
        '{"tool_calls": [{"name": "bash", "args": {"command": "ls"}}]}',
        '{"name": "bash", "arguments": "{\\"command\\": \\"ls\\"}"}',
        "{'name': 'bash', 'arguments': {'command': 'ls'}}",
        '{"name": "bash", "arguments": {"command": "ls",}}',
        '{"name": "bash", "arguments": {"command": "ls"}',
        '{name: "bash", arguments: {command: "ls"}}',
        "```json\n{'name': 'bash', 'arguments': {'command': 'ls'}}\n```",
        f"{LS_JSON}\nI am going to list the files.",
    ],
)
@pytest.mark.voice_bug("llm", "gemma4 + system prompt + think:false + tools -> JSON in content")
def test_a_call_in_any_spelling_is_read(text: str) -> None:
    assert read(text) == Written((LS,))


@pytest.mark.parametrize(
    "text",
    [
        f"{LS_JSON}\n{CAT_JSON}",
        f"[{LS_JSON}, {CAT_JSON}]",
        f"<tool_call>{LS_JSON}</tool_call>\n<tool_call>{CAT_JSON}</tool_call>",
        f"```json\n{LS_JSON}\n```\n```json\n{CAT_JSON}\n```",
        "<tool_call>{'name': 'bash', 'arguments': {'command': 'ls'}}</tool_call>"
        f"<tool_call>{CAT_JSON}</tool_call>",
    ],
)
def test_several_calls_keep_their_order(text: str) -> None:
    assert read(text) == Written((LS, CAT))


@pytest.mark.parametrize(
    "content", ["```\ncode\n```", "<b>bold</b> </tool_call> {x}", 'a "quoted" {"name": 1}', "한글\n"]
)
def test_content_that_looks_like_an_end_is_content(content: str) -> None:
    call = RawCall("write_file", {"path": "a.md", "content": content})
    body = json.dumps({"name": call.name, "arguments": call.arguments})
    assert read(f"<tool_call>{body}</tool_call>") == read(f"```json\n{body}\n```") == Written((call,))


@pytest.mark.parametrize(
    "text",
    ["Hello.", '{"a": 1}', '{"name": "Kim", "age": 3}', "[1, 2]", "", "{}", "{", '["name"]', '{"name": 3}'],
)
def test_other_json_is_no_call(text: str) -> None:
    assert read(text) is None


def test_a_call_without_arguments_may_leave_them_out() -> None:
    assert read('{"tool": "list_dir"}') == Written((RawCall("list_dir", {}),))
    assert read('{"tool": "list_dir", "arguments": null}') == Written((RawCall("list_dir", {}),))


@pytest.mark.parametrize("arguments", ["[1]", "7", '"ls -l [x"'])
def test_arguments_that_are_no_object_are_refused_with_the_reason(arguments: str) -> None:
    written = read(f'{{"name": "bash", "arguments": {arguments}}}')
    assert written is not None
    assert written.problem is not None
    assert "must be a JSON object" in written.problem


@pytest.mark.parametrize(
    "text", ["<tool_call>bash ls</tool_call>", "<tool_call>", "<tool_call>{</tool_call>"]
)
def test_a_tag_without_a_readable_call_is_refused_with_the_reason(text: str) -> None:
    assert read(text) == Written(problem=UNREADABLE)


def test_a_call_that_was_cut_off_is_never_completed_by_guessing() -> None:
    half = '{"name": "write_file", "arguments": {"path": "a", "content": "first half of'
    assert read(half, cut_off=True) == Written(problem=CUT_OFF)
    assert read(LS_JSON, cut_off=True) == Written((LS,))
    assert read('{"a": [1, 2', cut_off=True) is None


def test_absurd_input_is_refused_not_read() -> None:
    assert read('{"name": "bash", "arguments": ' + "x" * MAX_CHARS) == Written(problem=CUT_OFF)
    assert read('{"name": "x", "arguments": ' + '{"a":' * 20_000) == Written(problem=UNREADABLE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<tool_call>", Leaning.CALL),
        ("```json\n{'name'", Leaning.UNCLEAR),
        ('```json\n{"name":', Leaning.CALL),
        ('```json {"tool" :', Leaning.CALL),
        ("```", Leaning.UNCLEAR),
        ("```js", Leaning.UNCLEAR),
        ("```json", Leaning.UNCLEAR),
        ("```python", Leaning.TEXT),
        ("```json\nhello", Leaning.TEXT),
        ("```json oops", Leaning.TEXT),
        ("``", Leaning.UNCLEAR),
        ("`x`", Leaning.TEXT),
        ("<tool", Leaning.UNCLEAR),
        ("<b>", Leaning.TEXT),
        ("{", Leaning.UNCLEAR),
        ('{ "na', Leaning.UNCLEAR),
        ('{ "name" ', Leaning.UNCLEAR),
        ('{"name":', Leaning.CALL),
        ('{"color":', Leaning.TEXT),
        ('{"col', Leaning.TEXT),
        ("[", Leaning.UNCLEAR),
        ('[{"name":', Leaning.CALL),
        ("[link](x)", Leaning.TEXT),
        ("{}", Leaning.TEXT),
        ("안녕", Leaning.TEXT),
        ("", Leaning.UNCLEAR),
    ],
)
def test_what_begins_like_a_call_is_held_until_it_is_clear(text: str, expected: Leaning) -> None:
    assert leaning(text) is expected


@given(st.text(alphabet='{}[]":,`\n tool_cal<>/|name1', max_size=60), st.sampled_from([True, False]))
def test_no_text_whatever_makes_the_reader_fail(text: str, cut_off: object) -> None:
    written = read(text, cut_off=bool(cut_off))
    assert written is None or bool(written.calls) != bool(written.problem)


ARGUMENTS = st.dictionaries(
    st.text(max_size=5), st.text(max_size=20) | st.integers() | st.booleans(), max_size=3
)


@given(st.sampled_from(["bash", "read_file"]), ARGUMENTS, st.sampled_from(["{}", "```json\n{}\n```"]))
def test_every_call_written_as_json_comes_back_whole(
    name: str, arguments: dict[str, object], form: str
) -> None:
    text = form.replace("{}", json.dumps({"name": name, "arguments": arguments}))
    assert read(text) == Written((RawCall(name, arguments),))
