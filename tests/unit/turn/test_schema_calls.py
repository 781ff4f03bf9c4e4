"""One JSON object per answer: a tool's call or ``answer``."""

from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.errors import InvariantError
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import ToolSpec
from jarvis_desktop.core.tool import SELDOM, ToolArguments
from jarvis_desktop.core.turn.schema_calls import as_choices, choice_schema, lean, partial_answer, tool_lines
from jarvis_desktop.core.turn.tool_registry import ToolRegistry
from tests.fakes.team import JARVIS
from tests.fakes.tools import FakeBash, LookTool

ANSWER_CHOICE = {
    "type": "object",
    "properties": {
        "tool": {"const": "answer"},
        "arguments": {
            "type": "object",
            "required": ["text"],
            "additionalProperties": False,
            "properties": {"text": {"type": "string"}},
        },
    },
    "required": ["tool", "arguments"],
    "additionalProperties": False,
}


def test_the_schema_is_any_one_of_the_tools_or_an_answer() -> None:
    bash = {
        "type": "object",
        "required": ["command"],
        "additionalProperties": False,
        "properties": {"command": {"type": "string"}},
    }
    assert choice_schema([FakeBash().spec]) == {
        "anyOf": [
            {
                "type": "object",
                "properties": {"tool": {"const": "bash"}, "arguments": bash},
                "required": ["tool", "arguments"],
                "additionalProperties": False,
            },
            ANSWER_CHOICE,
        ]
    }


def test_nested_arguments_keep_their_shape_and_find_their_definitions() -> None:
    class Inner(BaseModel):
        title: str = Field(max_length=5)

    class Outer(BaseModel):
        items: list[Inner]
        choice: int | None = None

    schema = choice_schema([ToolSpec("t", "d", Outer.model_json_schema())])
    assert schema["$defs"] == {
        "Inner": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}
    }
    assert lean(Outer.model_json_schema())["properties"] == {
        "items": {"type": "array", "items": {"$ref": "#/$defs/Inner"}},
        "choice": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    }


def test_lengths_never_reach_the_servers_grammar() -> None:
    bounded = TypeAdapter(Annotated[str, Field(max_length=9, min_length=2, pattern="a")]).json_schema()
    assert lean(bounded) == {"type": "string"}


@pytest.mark.parametrize(
    ("said", "offered"),
    [
        ("run make", ["command"]),
        ("[not finished after 30 s; timeout_s allows up to 600]", ["command", "timeout_s"]),
    ],
)
def test_an_argument_of_seldom_use_is_offered_once_it_was_named(said: str, offered: list[str]) -> None:
    class Arguments(ToolArguments):
        command: str
        timeout_s: float = Field(30, json_schema_extra=SELDOM)

    spec = ToolSpec("bash", "Run it.", Arguments.model_json_schema())
    schema = choice_schema([spec], said)["anyOf"]
    assert isinstance(schema, list)
    arguments = TypeAdapter(dict[str, Any]).validate_python(schema[0])["properties"]["arguments"]
    assert list(arguments["properties"]) == offered
    assert "seldom" not in str(schema)
    assert tool_lines([spec]).startswith('- bash: Run it. {"command"}\n')


def test_the_prompt_lists_each_tool_with_its_arguments() -> None:
    assert tool_lines([LookTool().spec, ToolSpec("ping", "Ping.", {})]) == (
        '- look: Look at something. {"path", "count"?}\n'
        "- ping: Ping. {}\n"
        "- answer: Answer the person directly: small talk, questions about yourself, general knowledge, "
        'and what tools found. {"text"}'
    )


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("", None),
        ('{"tool": "answer"', None),
        ('{"tool": "bash", "arguments": {"text": "x', None),
        ('{"tool": "answer", "arguments": {"text": "', ""),
        ('{"tool": "answer", "arguments": {"text": "Hi \\', "Hi "),
        ('{"tool": "answer", "arguments": {"text": "Hi \\ud83d', "Hi "),
        ('{"tool": "answer", "arguments": {"text": "Hi \\ud83d\\ude00', "Hi \U0001f600"),
        ('{"tool": "answer", "arguments": {"text": 7}}', None),
        ('{"tool": "answer", "arguments": []}', None),
        ("[]", None),
        ("{'", None),
    ],
)
def test_the_answer_is_read_out_of_growing_json(raw: str, text: str | None) -> None:
    assert partial_answer(raw) == text


@given(st.text(alphabet='{}[]":,\\ tolanswergume', max_size=60))
def test_no_growing_text_makes_it_fail(raw: str) -> None:
    found = partial_answer(raw)
    assert found is None or isinstance(found, str)


def test_earlier_messages_are_told_in_the_same_form() -> None:
    call = ToolCall(CallId("c"), "bash", {"command": "echo 안녕"})
    messages = [
        Message(Role.USER, "say hi"),
        Message(Role.ASSISTANT, "", (call,)),
        Message(Role.TOOL, "안녕", call_id=call.call_id, tool_name="bash"),
        Message(Role.ASSISTANT, "Done."),
    ]
    assert as_choices(messages) == (
        Message(Role.USER, "say hi"),
        Message(Role.ASSISTANT, '{"tool": "bash", "arguments": {"command": "echo 안녕"}}'),
        Message(Role.USER, "[result of bash]\n안녕"),
        Message(Role.ASSISTANT, '{"tool": "answer", "arguments": {"text": "Done."}}'),
    )


def test_no_tool_may_be_called_answer() -> None:
    class Answer(LookTool):
        name = "answer"

    with pytest.raises(InvariantError, match="answer"):
        ToolRegistry(lambda: [Answer()]).offered(JARVIS)
