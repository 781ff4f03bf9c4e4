"""A small real model is taught a way of working, and reads what it kept before the next request."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.core.items.memory_desk import PatternTaught
from jarvis_desktop.core.ports import CallStyle, ChatPiece, ChatRequest
from jarvis_desktop.core.settings import ModelSettings
from jarvis_desktop.core.tools.remember_task_pattern import RememberTaskPattern
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.prompt import PromptBuilder
from tests.fakes.texts import PlainTexts
from tests.fakes.tools import FakeBash
from tests.parts.memory import Past
from tests.parts.ollama import RealOllama
from tests.unit.policy.asking import REQUEST
from tests.unit.turn.stage import Stage

pytestmark = [pytest.mark.real_ollama, pytest.mark.timeout(600)]
TEACHING = (
    "Remember how I want weather requests done from now on: name the city first, then the temperature. "
    "The keywords are 날씨 and weather."
)


class Overheard(OllamaModel):
    """Keeps what the model reads."""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings, PlainTexts())
        self.requests: asyncio.Queue[ChatRequest] = asyncio.Queue()

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:  # type: ignore[override] # also a generator
        self.requests.put_nowait(request)
        async for piece in super().stream(request):
            yield piece


@pytest.mark.promise("T-048")
async def test_what_a_small_model_was_taught_changes_the_prompt_of_the_next_turn(
    real_ollama: RealOllama, past: Past
) -> None:
    name = real_ollama.model("qwen15-schema")
    wanted = {"host": real_ollama.host, "name": name, "context_tokens": 4096, "temperature": 0}
    model = Overheard(ModelSettings.model_validate(wanted))
    stage = Stage([FakeBash()])
    stage.tools.append(RememberTaskPattern(past.memory, PlainTexts(), stage.emit))
    engine = TurnEngine(model, stage.runner, PromptBuilder(), stage.clock, PlainTexts(), stage.emit)
    engine.recollect_from(past.memory)
    await engine.run(replace(REQUEST, text=TEACHING), (), CallStyle.SCHEMA)
    (taught,) = stage.seen(PatternTaught)
    while not model.requests.empty():
        model.requests.get_nowait()
    later = asyncio.create_task(engine.run(replace(REQUEST, text="내일 부산 날씨는?"), (), CallStyle.SCHEMA))
    read = await model.requests.get()
    later.cancel()  # what it answers is no promise of ours
    await asyncio.wait({later})
    await model.close()
    assert taught.pattern.content in "\n".join(one.text for one in read.messages)
