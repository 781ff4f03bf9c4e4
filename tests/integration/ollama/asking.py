"""Questions to the adapter, for tests."""

import pytest

from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.core.items.errors import ModelUnavailableError
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import (
    ChatPiece,
    ChatRequest,
    ToolSpec,
)
from jarvis_desktop.core.settings import ModelSettings
from tests.fakes.ollama_server import ScriptedOllama
from tests.fakes.texts import PlainTexts

ASK = ChatRequest((Message(Role.SYSTEM, "You are Jarvis."), Message(Role.USER, "지금 몇 시야?")))
BASH = ToolSpec(
    "bash",
    "Run a shell command.",
    {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
)


SCHEMA = {
    "anyOf": [
        {
            "type": "object",
            "properties": {
                "tool": {"const": "answer"},
                "arguments": {"type": "object", "properties": {"text": {"type": "string"}}},
            },
        }
    ]
}


def model_at(host: str, **settings: object) -> OllamaModel:
    return OllamaModel(ModelSettings.model_validate({"host": host, **settings}), PlainTexts())


def model_on(server: ScriptedOllama, **settings: object) -> OllamaModel:
    return model_at(server.host, **settings)


async def answer(model: OllamaModel, request: ChatRequest = ASK) -> list[ChatPiece]:
    try:
        return [piece async for piece in model.stream(request)]
    finally:
        await model.close()


async def trouble(model: OllamaModel, request: ChatRequest = ASK) -> ModelUnavailableError:
    with pytest.raises(ModelUnavailableError) as caught:
        await answer(model, request)
    return caught.value
