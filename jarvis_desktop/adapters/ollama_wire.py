"""Our requests in Ollama's words, and its answers in ours."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jarvis_desktop.core.items.turn import Message
from jarvis_desktop.core.ports import (
    CallPiece,
    ChatPiece,
    ChatRequest,
    DonePiece,
    TextPiece,
    ThinkingPiece,
    ToolSpec,
)
from jarvis_desktop.core.settings import ModelSettings

if TYPE_CHECKING:
    from ollama import ChatResponse

Wire = dict[str, Any]
"""JSON of the protocol; never leaves the adapter."""


def options(settings: ModelSettings, max_tokens: int | None, temperature: float | None = None) -> Wire:
    """The options of a request, all of them said: a model file's own values never decide."""
    return {
        # Ollama's own default is small, and what does not fit is dropped from the front without a word.
        "num_ctx": settings.context_tokens,
        "temperature": settings.temperature if temperature is None else temperature,
        # Its default is no end at all; a model in a loop would then run for good.
        "num_predict": max_tokens or settings.context_tokens,
    }


def keep_alive(settings: ModelSettings) -> str:
    """How long the model stays in memory after this request."""
    return f"{settings.keep_alive_minutes}m"


def chat_body(request: ChatRequest, settings: ModelSettings) -> Wire:
    """What ``AsyncClient.chat`` is called with; only ``think`` is left out."""
    body: Wire = {
        "model": settings.name,
        "messages": [wire_message(message) for message in request.messages],
        "options": options(settings, request.max_tokens, request.temperature),
        "keep_alive": keep_alive(settings),
    }
    if request.tools:
        body["tools"] = [wire_tool(spec) for spec in request.tools]
    if request.schema is not None:
        body["format"] = dict(request.schema)
    return body


def wire_message(message: Message) -> Wire:
    """One message."""
    wire: Wire = {"role": message.role.value, "content": message.text}
    if message.calls:
        wire["tool_calls"] = [
            {"function": {"name": call.name, "arguments": dict(call.arguments)}} for call in message.calls
        ]
    if message.tool_name:
        wire["tool_name"] = message.tool_name
    return wire


def wire_tool(spec: ToolSpec) -> Wire:
    """One tool. Properties are simplified to what every version of Ollama reads."""
    parameters: Wire = dict(spec.parameters)
    properties = parameters.get("properties")
    if isinstance(properties, Mapping):
        parameters["properties"] = {name: _plain(shape) for name, shape in properties.items()}
    function = {"name": spec.name, "description": spec.description, "parameters": parameters}
    return {"type": "function", "function": function}


def _plain(shape: Any) -> Any:
    """``anyOf`` of one type and null as that type: chat templates print ``type`` and know nothing else."""
    if not isinstance(shape, Mapping) or "anyOf" not in shape:
        return shape
    kinds = [kind for kind in shape["anyOf"] if kind.get("type") != "null"]
    rest = {key: value for key, value in shape.items() if key != "anyOf"}
    return {**rest, **kinds[0]} if len(kinds) == 1 else shape


def pieces(chunk: "ChatResponse") -> Iterator[ChatPiece]:
    """What one line of the answer says, thinking first."""
    message = chunk.message
    if message.thinking:
        yield ThinkingPiece(message.thinking)
    if message.content:
        yield TextPiece(message.content)
    for call in message.tool_calls or ():
        yield CallPiece(call.function.name, dict(call.function.arguments))
    if chunk.done:
        yield DonePiece(chunk.done_reason or "stop", chunk.prompt_eval_count or 0, chunk.eval_count or 0)


def figures(chunk: "ChatResponse") -> dict[str, int]:
    """What the last line of an answer says about its cost, for the log."""
    return {
        "prompt_tokens": chunk.prompt_eval_count or 0,
        "reply_tokens": chunk.eval_count or 0,
        "load_ms": (chunk.load_duration or 0) // 1_000_000,
        "prompt_ms": (chunk.prompt_eval_duration or 0) // 1_000_000,
        "reply_ms": (chunk.eval_duration or 0) // 1_000_000,
    }
