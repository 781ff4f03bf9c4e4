"""What a scripted Ollama says: steps, the models it has, and how a step looks on the wire."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jarvis_desktop.core.items.calls import Json

JsonObject = Mapping[str, Any]
CHUNK = 8
"""Characters in a piece when a text is cut for streaming."""


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """A tool call that the model asks for."""

    name: str
    arguments: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """The answer to one chat request. Fields that are not set do nothing."""

    say: tuple[str, ...] = ()
    """Pieces of text; in an answer bound by a tool schema they become the answer's text."""
    think: tuple[str, ...] = ()
    """Pieces of thinking, sent first."""
    calls: tuple[ScriptedCall, ...] = ()
    """Native calls; in an answer bound by a tool schema the (only) call is rendered as its JSON."""
    reply: Json = None
    """JSON value sent as text, for a schema that is not a choice of tool."""
    when: str | None = None
    """Only for a request whose last user message contains this."""
    repeat: bool = False
    """The step is not used up."""
    gate: str = ""
    """Nothing is sent, not even headers, before ``release(gate)``: a cold load."""
    pause: str = ""
    """After the first piece nothing more is sent before ``release(pause)``."""
    delay_s: float = 0.0
    every_s: float = 0.0
    """Seconds between pieces."""
    endless: bool = False
    """The last piece of ``say`` comes again and again until the client hangs up."""
    status: int = 200
    error: str = ""
    """With ``status``: the error's text (3xx: where it sends the client). With 200: a last line."""
    garbage: str = ""
    """A line that is not Ollama's, after the pieces."""
    cut: bool = False
    """The connection breaks after the pieces."""
    done_reason: str = "stop"
    """Empty: the stream ends properly, but nobody said that it is done."""
    prompt_tokens: int = 20

    def fits(self, body: JsonObject) -> bool:
        """This step may answer that request."""
        return self.when is None or self.when in last_user_text(body)


def say(*pieces: str, **how: Any) -> Step:
    """A step that says this; one piece is cut as a real server would."""
    return Step(say=pieces if len(pieces) != 1 else tuple(cut(pieces[0])), **how)


def call(tool: str, arguments: JsonObject, **how: Any) -> Step:
    """A step that calls one tool."""
    return Step(calls=(ScriptedCall(tool, arguments),), **how)


@dataclass(frozen=True, slots=True)
class Script:
    """A whole scripted server."""

    steps: tuple[Step, ...] = ()
    models: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType({"gemma4:e2b": ("completion", "tools", "thinking")})
    )
    """Name of each model it has, with its capabilities."""
    version: str = "0.12.0"


def read_script(path: Path) -> Script:
    """The script in a JSON file: a list of steps, or ``{"steps": [...], "models": {...}, "version": "..."}``.

    In a step ``say`` and ``think`` may be one text or a list, and ``call`` is ``{"name": …, "arguments": …}``
    or a list of those.

    Raises:
        ValueError: a step has an unknown field.
    """
    raw = json.loads(path.read_text("utf-8"))
    whole: dict[str, Any] = {"steps": raw} if isinstance(raw, list) else raw
    rest: dict[str, Any] = {key: whole[key] for key in ("version",) if key in whole}
    if "models" in whole:
        rest["models"] = {name: tuple(able) for name, able in whole["models"].items()}
    return Script(steps=tuple(_step(one) for one in whole.get("steps", ())), **rest)


def script_json(script: Script) -> str:
    """``script`` as ``read_script`` reads it."""

    def plain(step: Step) -> dict[str, Any]:
        values = {f.name: getattr(step, f.name) for f in fields(step)}
        calls = [{"name": c.name, "arguments": dict(c.arguments)} for c in values.pop("calls")]
        return values | ({"call": calls} if calls else {})

    return json.dumps(
        {
            "steps": [plain(step) for step in script.steps],
            "models": {name: list(able) for name, able in script.models.items()},
            "version": script.version,
        }
    )


def _step(raw: Mapping[str, Any]) -> Step:
    values = dict(raw)
    for key in ("say", "think"):
        if key in values:
            given = values[key]
            values[key] = tuple(cut(given)) if isinstance(given, str) else tuple(given)
    calls = values.pop("call", ())
    values["calls"] = tuple(
        ScriptedCall(one["name"], one.get("arguments", {}))
        for one in ([calls] if isinstance(calls, dict) else calls)
    )
    unknown = set(values) - {f.name for f in fields(Step)}
    if unknown:
        raise ValueError(f"unknown field in a step: {', '.join(sorted(unknown))}")
    return Step(**values)


def cut(text: str) -> Iterator[str]:
    """``text`` in pieces of ``CHUNK`` characters."""
    for start in range(0, len(text), CHUNK):
        yield text[start : start + CHUNK]


def last_user_text(body: JsonObject) -> str:
    """Text of the last message that a user wrote; empty without one."""
    messages = [m for m in body.get("messages") or () if m.get("role") == "user"]
    return str(messages[-1].get("content", "")) if messages else ""


def messages_of(step: Step, body: JsonObject) -> Iterator[JsonObject]:
    """The ``message`` values of the answer, in order; endless where the step is.

    Raises:
        ValueError: the step cannot be an answer to this request.
    """
    bound = body.get("format")
    value = _bound_value(step, bound) if bound else step.reply
    texts = step.say if value is None else tuple(cut(json.dumps(value, ensure_ascii=False)))
    return _messages(step, texts, () if bound else step.calls)


def _messages(step: Step, texts: Sequence[str], calls: Sequence[ScriptedCall]) -> Iterator[JsonObject]:
    for piece in step.think:
        yield {"role": "assistant", "content": "", "thinking": piece}
    for piece in texts:
        yield {"role": "assistant", "content": piece}
    for one in calls:
        function = {"name": one.name, "arguments": dict(one.arguments)}
        yield {"role": "assistant", "content": "", "tool_calls": [{"function": function}]}
    while step.endless:
        yield {"role": "assistant", "content": texts[-1]}


def _bound_value(step: Step, schema: Any) -> Json:
    """What the step says, in the shape of a schema that offers tools and ``answer``."""
    if step.reply is not None:
        return step.reply
    if len(step.calls) > 1:
        raise ValueError("a schema-bound answer holds one call")
    if step.calls:
        return _choice(schema, step.calls[0].name, step.calls[0].arguments)
    return _choice(schema, "answer", "".join(step.say))


def _choice(schema: Any, name: str, value: JsonObject | str) -> Json:
    for branch in _branches(schema):
        shape: dict[str, Any] = branch.get("properties", {})
        key = next((k for k, v in shape.items() if v.get("const") == name or v.get("enum") == [name]), None)
        if key is None:
            continue
        rest = {k: v for k, v in shape.items() if k != key}
        return {key: name} | _filled(rest, value)
    raise ValueError(f"the schema offers no {name}")


def _filled(shape: Mapping[str, Any], value: JsonObject | str) -> dict[str, Any]:
    """``value`` under the one property of ``shape`` that holds arguments, or spread over its properties."""
    name, inner = next(iter(shape.items()))
    if isinstance(value, str):
        held = inner.get("properties")
        return {name: {next(iter(held)): value} if held else value}
    if len(shape) == 1 and (inner.get("type") == "object" or "properties" in inner):
        return {name: dict(value)}
    return dict(value)


def _branches(schema: Any) -> Sequence[dict[str, Any]]:
    if not isinstance(schema, dict):
        return ()
    offered: Iterable[Any] = schema.get("anyOf") or schema.get("oneOf") or (schema,)
    return [branch for branch in offered if isinstance(branch, dict)]
