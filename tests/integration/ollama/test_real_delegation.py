"""A small real model asks another agent, and its answer comes back."""

import pytest

from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.core.items.delegation import DelegateEnded
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.core.ports import CallStyle
from jarvis_desktop.core.settings import ModelSettings
from tests.fakes.texts import PlainTexts
from tests.parts.ollama import RealOllama
from tests.unit.turn.delegation_stage import JARVIS, KAREN, Agency

pytestmark = [pytest.mark.real_ollama, pytest.mark.timeout(900)]


async def test_a_small_model_asks_another_agent_and_tells_its_answer(real_ollama: RealOllama) -> None:
    settings = {
        "host": real_ollama.host,
        "name": real_ollama.model("qwen15-schema"),
        "context_tokens": 4096,
        "temperature": 0,
    }
    model = OllamaModel(ModelSettings.model_validate(settings), PlainTexts())
    agency = Agency({}, cards=(JARVIS, KAREN), called=CallStyle.SCHEMA, real_model=model)
    outcome = await agency.turn(text="Ask KAREN what the capital of France is.")
    await model.close()
    (ended,) = agency.seen(DelegateEnded)
    assert (ended.done.name, ended.done.asker, ended.done.end) == ("KAREN", "JARVIS", TurnEnd.ANSWERED)
    assert "Paris" in ended.done.text
    assert (outcome.end, "Paris" in outcome.text) == (TurnEnd.ANSWERED, True)
