"""Questions to the model inside Jarvis, for tests."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from jarvis_desktop.adapters.llama_model import EmbeddedModel, LlamaParts
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.core.items.errors import ModelUnavailableError
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import ChatPiece, ChatRequest, TextPiece
from jarvis_desktop.core.settings import ModelSettings
from tests.fakes.texts import PlainTexts

SMALL = "qwen2.5-coder-0.5b"
PATIENCE_S = 60.0
"""For what happens within a second on a machine that has nothing else to do."""
SYSTEM = Message(Role.SYSTEM, "You are Jarvis. Answer in one short sentence.")
ENDLESS = ChatRequest((SYSTEM, Message(Role.USER, "Count from 1 to 2000, one number a line.")))


def asking(text: str, max_tokens: int = 24) -> ChatRequest:
    return ChatRequest((SYSTEM, Message(Role.USER, text)), max_tokens=max_tokens)


def model_of(
    files: ModelFiles, name: str = SMALL, *, prompts: Path | None = None, **settings: object
) -> EmbeddedModel:
    wanted = {"context_tokens": 2048, "temperature": 0, **settings}
    # What this machine has free is no part of these tests; one of its own has the test's number.
    parts = LlamaParts(files, PlainTexts(), free_memory=lambda: None, prompts=prompts)
    return EmbeddedModel(name, ModelSettings.model_validate(wanted), parts)


async def answer(model: EmbeddedModel, request: ChatRequest) -> list[ChatPiece]:
    return [piece async for piece in model.stream(request)]


async def trouble(model: EmbeddedModel, request: ChatRequest) -> ModelUnavailableError:
    with pytest.raises(ModelUnavailableError) as caught:
        await answer(model, request)
    return caught.value


async def begun(model: EmbeddedModel, request: ChatRequest) -> None:
    """The answer has begun, and the person has had enough."""
    async with aclosing(model.stream(request)) as pieces:
        async for _ in pieces:
            return


def text_of(pieces: list[ChatPiece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))


async def until(true: Callable[[], object], look_s: float = 0.05) -> None:
    """Bounded wait for another process."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():
            await asyncio.sleep(look_s)
