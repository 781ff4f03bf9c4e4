"""The chat model of this start: behind Ollama or inside Jarvis, with who looks after both."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jarvis_desktop.adapters.llama_model import EmbeddedModel, LlamaParts
from jarvis_desktop.adapters.machine_facts import memory_bytes
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.ollama_program import OllamaProgram
from jarvis_desktop.adapters.ollama_pull import OllamaPuller
from jarvis_desktop.app.chat_choices import LIBRARY, ChatChoices, ChoiceParts
from jarvis_desktop.app.chat_models import ChosenModel, ChosenParts, ModelMakers, starter_for
from jarvis_desktop.app.model_care import CareParts, ModelCare
from jarvis_desktop.app.options import MODELS_NAME, Start
from jarvis_desktop.core.ports import CallStyle, ChatRequest, Clock, Emit, ToolSpec
from jarvis_desktop.core.settings import ModelSettings

CHECKS_NAME = "model_checks.yaml"
PROMPTS_NAME = "engine"
"""Folder of the home for what the model inside Jarvis has read of its prompt."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """What answers, and what it comes from."""

    model: ChosenModel
    ollama: OllamaProgram
    puller: OllamaPuller
    choices: ChatChoices
    files: ModelFiles
    clock: Clock
    another: Callable[[ModelSettings], ChosenModel]
    """A model beside the app's own, for an agent whose file names one; opens nothing."""

    def care(
        self, start: Start, emit: Emit, specs: Sequence[ToolSpec], prefix: Callable[[CallStyle], ChatRequest]
    ) -> ModelCare:
        """Who looks after the model."""
        checks = start.home / CHECKS_NAME
        parts = CareParts(start.settings.model, checks, self.clock, start.texts, emit, prefix)
        return ModelCare(self.model, tuple(specs), parts)

    def configure(self, settings: ModelSettings) -> None:
        """Another model or server counts from the next turn on."""
        self.ollama.use(settings)
        self.puller.use(settings)
        self.model.configure(settings)

    async def close(self) -> None:
        """Connections, the worker of the model inside Jarvis and an Ollama that we started have ended."""
        await asyncio.gather(self.model.close(), self.ollama.stop())


def open_thinking(start: Start, clock: Clock, emit: Emit) -> Thinking:
    """Nothing is opened or asked before the first request."""
    texts, settings = start.texts, start.settings.model
    files = ModelFiles(start.home / MODELS_NAME, texts=texts)
    llama = LlamaParts(files, texts, prompts=start.home / PROMPTS_NAME)
    makers = ModelMakers(
        ollama=lambda wanted: OllamaModel(wanted, texts),
        embedded=lambda name, wanted: EmbeddedModel(name, wanted, llama),
        starter=starter_for(memory_bytes()),
    )
    model = ChosenModel(settings, ChosenParts(makers, clock, texts, emit))
    return Thinking(
        model=model,
        ollama=OllamaProgram(settings, start.home, texts),
        puller=OllamaPuller(settings, start.home, texts, clock, tuple(one.name for one in LIBRARY)),
        choices=ChatChoices(ChoiceParts(start.home, files, makers, model, clock, texts)),
        files=files,
        clock=clock,
        another=lambda wanted: ChosenModel(wanted, ChosenParts(makers, clock, texts, emit)),
    )
