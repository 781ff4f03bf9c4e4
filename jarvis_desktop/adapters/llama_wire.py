"""Our requests in the words of llama.cpp's ``/v1``, and its answers in ours."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from jarvis_desktop.adapters.ollama_wire import wire_tool
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import CallPiece, ChatPiece, ChatRequest, DonePiece, TextPiece, ThinkingPiece

Wire = dict[str, Any]
"""JSON of the protocol; never leaves the adapter."""
DATA = "data: "
END = "[DONE]"


def chat_body(request: ChatRequest, temperature: float, max_tokens: int) -> Wire:
    """The body of a streaming ``/v1/chat/completions``.

    max_tokens: where the request names none; without an end a model in a loop would run for good.
    """
    body: Wire = {
        "messages": [wire_message(message) for message in request.messages],
        "temperature": temperature if request.temperature is None else request.temperature,
        "max_tokens": request.max_tokens or max_tokens,
        "cache_prompt": True,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = [wire_tool(spec) for spec in request.tools]
    if request.schema is not None:
        schema = {"name": "answer", "schema": dict(request.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def wire_message(message: Message) -> Wire:
    """One message."""
    wire: Wire = {"role": message.role.value, "content": message.text}
    if message.calls:
        wire["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": json.dumps(dict(call.arguments), ensure_ascii=False),
                },
            }
            for call in message.calls
        ]
    if message.role is Role.TOOL:
        wire["tool_call_id"] = message.call_id or ""
    return wire


class RefusedError(Exception):
    """The engine says in words why it does not answer."""


class _Function(BaseModel):
    name: str | None = None
    arguments: str | None = None


class _Call(BaseModel):
    index: int = 0
    function: _Function = _Function()


class _Delta(BaseModel):
    content: str | None = None
    reasoning_content: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(BaseModel):
    delta: _Delta = _Delta()
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Timings(BaseModel):
    cache_n: int = 0
    prompt_ms: float = 0
    predicted_ms: float = 0


class _Problem(BaseModel):
    message: str = ""


class _Chunk(BaseModel):
    choices: list[_Choice] = []
    usage: _Usage | None = None
    timings: _Timings | None = None
    error: _Problem | None = None


class AnswerReader:
    """Reads the lines of one streamed answer."""

    def __init__(self) -> None:
        self._reason = "stop"
        self._usage = _Usage()
        self._timings = _Timings()
        self._calls: dict[int, tuple[str, str]] = {}
        self.done = False
        """The answer came to its end."""

    def read(self, line: str) -> Iterator[ChatPiece]:
        """The pieces that a line holds.

        Raises:
            RefusedError: the engine broke off with a reason.
            ValueError: it is not a line of this protocol.
        """
        if line.startswith("error: "):
            raise RefusedError(problem_of(line.removeprefix("error: ")))
        if not line.startswith(DATA):
            return  # blank lines, and comments that keep the connection alive
        content = line.removeprefix(DATA)
        if content.strip() == END:
            yield from self._end()
            return
        chunk = _Chunk.model_validate_json(content)
        if chunk.error is not None:
            raise RefusedError(chunk.error.message)
        self._usage, self._timings = chunk.usage or self._usage, chunk.timings or self._timings
        for choice in chunk.choices:
            self._reason = choice.finish_reason or self._reason
            yield from self._said(choice.delta)

    def _said(self, delta: _Delta) -> Iterator[ChatPiece]:
        if delta.reasoning_content:
            yield ThinkingPiece(delta.reasoning_content)
        if delta.content:
            yield TextPiece(delta.content)
        for call in delta.tool_calls or ():
            name, arguments = self._calls.get(call.index, ("", ""))
            grown = arguments + (call.function.arguments or "")
            self._calls[call.index] = (name + (call.function.name or ""), grown)

    def _end(self) -> Iterator[ChatPiece]:
        self.done = True
        for name, written in self._calls.values():
            arguments = json.loads(written or "{}")
            if not isinstance(arguments, dict):
                raise ValueError(name)  # noqa: TRY004 - the text is wrong, as anywhere in the answer
            yield CallPiece(name, arguments)
        yield DonePiece(self._reason, self._usage.prompt_tokens, self._usage.completion_tokens)

    @property
    def figures(self) -> dict[str, int]:
        """What the answer cost, for the log."""
        return {
            "prompt_tokens": self._usage.prompt_tokens,
            "cached_tokens": self._timings.cache_n,
            "reply_tokens": self._usage.completion_tokens,
            "prompt_ms": round(self._timings.prompt_ms),
            "reply_ms": round(self._timings.predicted_ms),
        }


def problem_of(body: str) -> str:
    """What the engine says about a request that it refused; ``?`` when that cannot be read."""
    try:
        chunk = _Chunk.model_validate_json(body)
    except ValueError:
        return "?"
    return chunk.error.message if chunk.error is not None else "?"
