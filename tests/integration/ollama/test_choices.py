"""The chat models that can be chosen, with an Ollama server on loopback."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.ollama_shelf import shelved_models
from jarvis_desktop.adapters.ollama_status import ModelStatus
from jarvis_desktop.app.chat_choices import LIBRARY, ChatChoices, ChoiceParts, needed_bytes
from jarvis_desktop.app.chat_models import (
    SMALL_STARTER,
    STARTER,
    ChosenModel,
    ChosenParts,
    ModelMakers,
)
from jarvis_desktop.app.model_speeds import SPEEDS_NAME, ModelSpeeds
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.setup import Backend, ChatChoice, MachineFacts, ModelMeasured
from jarvis_desktop.core.ports import DonePiece, TextPiece
from jarvis_desktop.core.settings import ModelSettings
from tests.fakes.chat_model import ScriptedModel, ScriptStep
from tests.fakes.clock import FakeClock
from tests.fakes.ollama_script import Script
from tests.fakes.ollama_server import ScriptedOllama
from tests.fakes.texts import PlainTexts

PLENTY = MachineFacts(32_000_000_000, 8, gpu="GeForce RTX 4070")
SMALL = MachineFacts(4_000_000_000, 2)
NOBODY = "http://127.0.0.1:1"
NO_WEIGHTS = ModelUnavailableError(ModelTrouble.NO_MODEL, "No weights.")


class Inside(ScriptedModel):
    """A model inside Jarvis that says what the test wants."""

    async def status(self) -> ModelStatus:
        return ModelStatus(model_found=True)


async def ignored(event: Event) -> None:
    del event


class Shop:
    """The choices on a home of their own."""

    def __init__(self, home: Path, host: str = NOBODY, *steps: ScriptStep) -> None:
        texts, self.clock = PlainTexts(), FakeClock()
        self.settings = ModelSettings.model_validate({"host": host})
        self.inside = Inside(steps)
        makers = ModelMakers(
            ollama=lambda wanted: OllamaModel(wanted, texts),
            embedded=lambda name, wanted: self._embedded(name),
            starter=STARTER,
        )
        chosen = ChosenModel(self.settings, ChosenParts(makers, self.clock, texts, ignored))
        files = ModelFiles(home / "models", texts=texts)
        self.choices = ChatChoices(ChoiceParts(home, files, makers, chosen, self.clock, texts))

    def _embedded(self, name: str) -> Inside:
        self.inside.name = name
        return self.inside

    async def look(self, machine: MachineFacts) -> Mapping[str, ChatChoice]:
        return {one.name: one for one in await self.choices.look(self.settings, machine)}


async def test_on_a_strong_machine_all_fit_and_gemma_is_recommended(tmp_path: Path) -> None:
    choices = await Shop(tmp_path).look(PLENTY)

    assert [one.name for one in choices.values() if one.recommended] == ["gemma4:e2b"]
    assert all(one.fits and one.note and not one.present for one in choices.values())
    assert list(choices) == [*(known.name for known in LIBRARY), STARTER, SMALL_STARTER]
    assert choices[STARTER].backend is Backend.EMBEDDED
    assert choices[STARTER].size_bytes == 1_117_320_768


async def test_on_a_small_machine_the_small_starter_is_recommended_and_the_rest_say_what_they_need(
    tmp_path: Path,
) -> None:
    choices = await Shop(tmp_path).look(SMALL)

    assert [one.name for one in choices.values() if one.recommended] == [SMALL_STARTER]
    gemma = choices["gemma4:e2b"]
    assert (gemma.fits, gemma.note) == (False, "Needs about 10 GB of memory; this machine has 4 GB.")


async def test_what_the_server_has_is_there_even_when_we_do_not_know_it(tmp_path: Path) -> None:
    there = MappingProxyType({"gemma4:e2b": ("completion",), "mistral:7b": ("completion",)})
    with ScriptedOllama(script=Script(models=there)) as ollama:
        choices = await Shop(tmp_path, ollama.host).look(PLENTY)

    assert [name for name, one in choices.items() if one.present] == ["gemma4:e2b", "mistral:7b"]
    assert choices["mistral:7b"].note == "Already on your Ollama server."


async def test_a_server_on_another_machine_is_not_asked_without_consent_and_its_memory_is_its_own(
    tmp_path: Path,
) -> None:
    shop = Shop(tmp_path, "http://192.0.2.1:11434")

    assert await shelved_models(shop.settings) is None
    assert (await shop.look(SMALL))["gemma4:31b"].fits


@pytest.mark.parametrize("host", [NOBODY, "http://:::"])
async def test_without_a_server_nothing_is_there(host: str) -> None:
    assert await shelved_models(ModelSettings.model_validate({"host": host})) is None


async def test_a_measured_speed_is_kept_and_shown(tmp_path: Path) -> None:
    shop = Shop(tmp_path, NOBODY, TextPiece("one"), TextPiece(", two"), DonePiece("stop", 20, 11))

    measured = await shop.choices.measure(shop.settings, Backend.EMBEDDED, STARTER)

    # The test's clock stands still: ten tokens within the shortest time that counts.
    assert measured == ModelMeasured(Backend.EMBEDDED, STARTER, 10_000.0, 0.0)
    assert (shop.inside.warmed_up, shop.inside.requests[0].max_tokens) == (1, 48)
    assert (await Shop(tmp_path).look(PLENTY))[STARTER].tokens_per_s == 10_000.0


async def test_a_model_that_cannot_be_measured_says_why_and_nothing_is_kept(tmp_path: Path) -> None:
    shop = Shop(tmp_path, NOBODY, NO_WEIGHTS)

    measured = await shop.choices.measure(shop.settings, Backend.EMBEDDED, SMALL_STARTER)
    far = await shop.choices.measure(shop.settings, Backend.OLLAMA, "gemma4:e4b")

    assert measured == ModelMeasured(Backend.EMBEDDED, SMALL_STARTER, 0.0, 0.0, "No weights.")
    assert far.trouble.startswith("No Ollama answers at http://127.0.0.1:1.")
    assert not (tmp_path / SPEEDS_NAME).exists()


def test_a_broken_file_of_speeds_only_costs_the_numbers(tmp_path: Path) -> None:
    (tmp_path / SPEEDS_NAME).write_bytes(b"\xff: [")
    speeds = ModelSpeeds(tmp_path)
    assert speeds.tokens_per_s(Backend.OLLAMA, "gemma4:e2b") is None

    speeds.keep(ModelMeasured(Backend.OLLAMA, "gemma4:e2b", 12.34, 0.5))
    assert speeds.tokens_per_s(Backend.OLLAMA, "gemma4:e2b") == 12.3


def test_a_model_needs_memory_beside_everything_else() -> None:
    assert needed_bytes(10_000_000_000) == 13_000_000_000
