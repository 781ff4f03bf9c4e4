"""Schema-bound tool choice: the whole answer is one JSON object, a tool's call or ``answer``."""

import json
from collections.abc import Mapping, Sequence

from pydantic_core import from_json

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import ToolSpec

ANSWER = "answer"
"""The choice that speaks to the person; no tool may have this name."""

ANSWER_DESCRIPTION = (
    "Answer the person directly: small talk, questions about yourself, general knowledge, "
    "and what tools found."
)

_STRUCTURE = ("type", "required", "enum", "const", "additionalProperties", "$ref")
"""What the shape of an answer is made of. Lengths, patterns and bounds are left to the arguments'
own check: the server turns ``maxLength: 200000`` into a grammar that it then refuses."""

_ANSWER_PARAMETERS: Mapping[str, Json] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


def lean(schema: Mapping[str, Json], extra: tuple[str, ...] = ()) -> dict[str, Json]:
    """``schema`` with nothing but its structure and the keywords in ``extra``."""
    kept: dict[str, Json] = {key: schema[key] for key in (*_STRUCTURE, *extra) if key in schema}
    for key in ("properties", "$defs"):
        named = schema.get(key)
        if isinstance(named, dict):
            kept[key] = {name: lean(one, extra) for name, one in named.items()}
    items, choices = schema.get("items"), schema.get("anyOf")
    if isinstance(items, dict):
        kept["items"] = lean(items, extra)
    if isinstance(choices, list):
        kept["anyOf"] = [lean(one, extra) for one in choices]
    return kept


def choice_schema(tools: Sequence[ToolSpec], said: str = "") -> dict[str, Json]:
    """JSON schema of one answer: any one of ``tools`` with its arguments, or ``answer``.

    said: what was said in this turn; an argument of seldom use is offered only after it was named there.
    """
    parameters = {tool.name: lean(_usual(tool.parameters, said)) for tool in tools}
    parameters[ANSWER] = lean(_ANSWER_PARAMETERS)
    shared: dict[str, Json] = {}
    for one in parameters.values():  # references are read from the root of the whole schema
        defined = one.pop("$defs", {})
        shared.update(defined if isinstance(defined, dict) else {})
    whole: dict[str, Json] = {"anyOf": [_choice(name, one) for name, one in parameters.items()]}
    return {**whole, "$defs": shared} if shared else whole


def _usual(parameters: Mapping[str, Json], said: str = "") -> Mapping[str, Json]:
    """``parameters`` without those of seldom use that nobody named.

    Offered, they were filled in: ``"timeout_s": 0``, ``"start_line": 2, "max_lines": 1``.
    """
    named = parameters.get("properties")
    if not isinstance(named, dict):
        return parameters
    kept = {
        name: one
        for name, one in named.items()
        if name in said or not (isinstance(one, dict) and one.get("seldom"))
    }
    return {**parameters, "properties": kept}


def _choice(name: str, parameters: Mapping[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": {"tool": {"const": name}, "arguments": parameters},
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }


def tool_lines(tools: Sequence[ToolSpec]) -> str:
    """The tools as the system prompt lists them, one a line."""
    lines = [f"- {tool.name}: {tool.description} {_argument_names(tool.parameters)}" for tool in tools]
    return "\n".join((*lines, f'- {ANSWER}: {ANSWER_DESCRIPTION} {{"text"}}'))


def _argument_names(parameters: Mapping[str, Json]) -> str:
    properties, required = _usual(parameters).get("properties"), parameters.get("required")
    named = properties if isinstance(properties, dict) else {}
    needed = required if isinstance(required, list) else []
    return "{" + ", ".join(f'"{name}"' + ("" if name in needed else "?") for name in named) + "}"


def partial_answer(raw: str) -> str | None:
    """The answer's text in JSON that is still growing; None while there is none."""
    try:
        found = from_json(raw, allow_partial="trailing-strings")
    except ValueError:
        return None
    if not isinstance(found, dict) or found.get("tool") != ANSWER:
        return None
    arguments = found.get("arguments")
    text = arguments.get("text") if isinstance(arguments, dict) else None
    return text if isinstance(text, str) else None


def as_choices(messages: Sequence[Message]) -> tuple[Message, ...]:
    """``messages`` the way a model under the schema wrote and read them.

    Templates of models without native calls drop calls and tool messages, so both become plain text.
    """
    return tuple(plain for message in messages for plain in _plain(message))


def _plain(message: Message) -> list[Message]:
    if message.role is Role.TOOL:
        return [Message(Role.USER, f"[result of {message.tool_name}]\n{message.text}")]
    if message.role is not Role.ASSISTANT:
        return [message]
    if not message.calls:
        return [Message(Role.ASSISTANT, _written(ANSWER, {"text": message.text}))]
    return [Message(Role.ASSISTANT, _written(call.name, call.arguments)) for call in message.calls]


def _written(name: str, arguments: Mapping[str, Json]) -> str:
    return json.dumps({"tool": name, "arguments": dict(arguments)}, ensure_ascii=False)
