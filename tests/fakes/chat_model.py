"""A chat model that says what a script tells it to."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import TypeAlias

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.ports import CallPiece, ChatPiece, ChatRequest, DonePiece, TextPiece

ScriptStep: TypeAlias = ChatPiece | Exception | asyncio.Event
"""A piece is said, an error raised, an event waited for."""


def says(text: str, *, reason: str = "stop") -> tuple[ChatPiece, ...]:
    """An answer of ``text``, character by character: the worst chopping there is."""
    return (*(TextPiece(char) for char in text), DonePiece(reason))


def calls(name: str, /, **arguments: Json) -> tuple[ChatPiece, ...]:
    """An answer that is one native call."""
    return (CallPiece(name, arguments), DonePiece("stop"))


class ScriptedModel:
    """Fills ``ChatModel``. Each request takes the next answer; one too many is an error."""

    def __init__(self, *answers: Sequence[ScriptStep], context_tokens: int = 8192) -> None:
        self.name = "scripted"
        self.context_tokens = context_tokens
        self.requests: list[ChatRequest] = []
        self.open_streams = 0
        """Streams that were begun and not closed."""
        self.warmed_up = 0
        self.prefix: ChatRequest | None = None
        """What it was last asked to read ahead."""
        self._answers = list(answers)
        # Held, so that only closing ends a stream, and never the garbage collector.
        self._streams: list[AsyncGenerator[ChatPiece, None]] = []

    def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        self._streams.append(self._pieces(request))
        return self._streams[-1]

    async def _pieces(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        self.requests.append(request)
        assert self._answers, "the script has no answer for this request"
        self.open_streams += 1
        try:
            for step in self._answers.pop(0):
                if isinstance(step, Exception):
                    raise step
                if isinstance(step, asyncio.Event):
                    await step.wait()
                else:
                    yield step
        finally:
            self.open_streams -= 1

    async def warm_up(self, prefix: ChatRequest | None = None) -> None:
        self.prefix = prefix
        self.warmed_up += 1

    async def close(self) -> None:
        self._answers.clear()
