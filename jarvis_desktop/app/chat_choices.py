"""The chat models that can be chosen: what they need, whether this machine has it, how fast they are here."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.ollama_host import server_address
from jarvis_desktop.adapters.ollama_shelf import ShelvedModel, shelved_models
from jarvis_desktop.adapters.ollama_status import full_name
from jarvis_desktop.app.chat_models import (
    STARTERS,
    AskedModel,
    ChosenModel,
    ModelMakers,
    pieces_of,
    starter_for,
)
from jarvis_desktop.app.model_speeds import ModelSpeeds
from jarvis_desktop.core.items.errors import ModelFileError, ModelUnavailableError
from jarvis_desktop.core.items.setup import Backend, ChatChoice, MachineFacts, ModelMeasured
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import ChatRequest, Clock, DonePiece, Texts
from jarvis_desktop.core.settings import DEFAULT_MODEL, ModelSettings

ROOM = 1.1
"""Memory of a model that runs, by the size of its file; rough: context and buffers are in it."""
SYSTEM_BYTES = 2_000_000_000
"""Of memory, for everything that is no model."""
MEASURE_S = 180.0
MEASURE_TOKENS = 48
COUNT = "Write the numbers from one to forty in words, with commas between them."
"""Long enough an answer from any model, and nothing of a person's."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A model of Ollama's library."""

    name: str
    size_bytes: int
    licence: str = "Apache-2.0"

    @property
    def needed_bytes(self) -> int:
        """Memory that a machine must have for it."""
        return needed_bytes(self.size_bytes)


LIBRARY = (
    # As https://ollama.com/library lists them, 2026.
    _Known(DEFAULT_MODEL, 7_200_000_000),
    _Known("gemma4:e4b", 9_600_000_000),
    _Known("gemma4:26b", 18_000_000_000),
    _Known("gemma4:31b", 20_000_000_000),
    _Known("qwen3:4b", 2_500_000_000),
    _Known("qwen3:8b", 5_200_000_000),
)


def needed_bytes(size_bytes: int) -> int:
    """Memory that a machine must have to run a model file of this size beside everything else."""
    return int(size_bytes * ROOM) + SYSTEM_BYTES


@dataclass(frozen=True, slots=True)
class ChoiceParts:
    """Where the choices come from."""

    home: Path
    files: ModelFiles
    makers: ModelMakers
    chosen: ChosenModel
    clock: Clock
    texts: Texts


class ChatChoices:
    """What can be chosen, and how fast it is."""

    def __init__(self, parts: ChoiceParts) -> None:
        self._parts = parts
        self._speeds = ModelSpeeds(parts.home)

    async def look(self, settings: ModelSettings, machine: MachineFacts) -> tuple[ChatChoice, ...]:
        """All choices: those of Ollama's library, what else the server has, and the models inside Jarvis."""
        shelf = await shelved_models(settings)
        return await asyncio.to_thread(self._all, settings, machine, shelf or ())

    async def measure(self, settings: ModelSettings, backend: Backend, name: str) -> ModelMeasured:
        """How fast the model is here, by a short request; never raises. It is kept for ``look``."""
        model = self._parts.chosen.serving(backend, name)
        own = model is None
        if model is None:
            wanted = settings.model_copy(update={"name": name})
            makers = self._parts.makers
            model = makers.ollama(wanted) if backend is Backend.OLLAMA else makers.embedded(name, wanted)
        try:
            async with asyncio.timeout(MEASURE_S):
                tokens_per_s, first_token_s = await self._timed(model)
        except ModelUnavailableError as error:
            return ModelMeasured(backend, name, 0.0, 0.0, str(error))
        except TimeoutError:
            text = self._parts.texts(
                "{model} did not answer within {seconds} s: it is too slow for this machine."
            )
            return ModelMeasured(backend, name, 0.0, 0.0, text.format(model=name, seconds=round(MEASURE_S)))
        finally:
            if own:
                await model.close()
        measured = ModelMeasured(backend, name, tokens_per_s, first_token_s)
        await asyncio.to_thread(self._speeds.keep, measured)
        return measured

    async def _timed(self, model: AskedModel) -> tuple[float, float]:
        now = self._parts.clock.monotonic_s
        await model.warm_up()  # loading is paid once, and says nothing about answers
        began_s, first_s, tokens = now(), 0.0, 0
        request = ChatRequest((Message(Role.USER, COUNT),), max_tokens=MEASURE_TOKENS)
        async with aclosing(pieces_of(model, request)) as pieces:
            async for piece in pieces:
                first_s = first_s or now()
                if isinstance(piece, DonePiece):
                    tokens = piece.reply_tokens
        # The first token is part of reading the prompt.
        return max(0, tokens - 1) / max(now() - first_s, 1e-3), first_s - began_s

    # --- the list -----------------------------------------------------------------------------

    def _all(
        self, settings: ModelSettings, machine: MachineFacts, shelf: Sequence[ShelvedModel]
    ) -> tuple[ChatChoice, ...]:
        near = _is_near(settings)
        there = {full_name(one.name): one for one in shelf}
        library = [self._of_library(known, there, machine, near=near) for known in LIBRARY]
        others = [
            self._of_shelf(one, machine, near=near)
            for name, one in there.items()
            if name not in {full_name(known.name) for known in LIBRARY}
        ]
        inside = [self._inside(name, machine) for name in STARTERS if name in self._parts.files.names]
        return (*library, *others, *inside)

    def _of_library(
        self, known: _Known, there: dict[str, ShelvedModel], machine: MachineFacts, *, near: bool
    ) -> ChatChoice:
        found = there.get(full_name(known.name))
        size = (found.size_bytes if found else 0) or known.size_bytes
        fits = not near or _fits(size, machine)
        return ChatChoice(
            Backend.OLLAMA,
            known.name,
            size,
            known.licence,
            present=found is not None,
            fits=fits,
            note=self._library_note(known, machine) if fits else self._too_big(size, machine),
            recommended=known.name == DEFAULT_MODEL and fits,
            tokens_per_s=self._speeds.tokens_per_s(Backend.OLLAMA, known.name),
        )

    def _library_note(self, known: _Known, machine: MachineFacts) -> str:
        texts = self._parts.texts
        if known.name == DEFAULT_MODEL:
            return texts("The model that Jarvis is made for; a good choice for most machines.")
        if known.size_bytes < LIBRARY[0].size_bytes:
            return texts("Takes less room than {model}.").format(model=DEFAULT_MODEL)
        if machine.gpu:
            note = texts("Answers better than {model} and takes longer.")
        else:
            note = texts(
                "Answers better than {model}; without a graphics processor for it, answers take long."
            )
        room = texts("Works in about {needed} GB of memory.").format(needed=round(known.needed_bytes / 1e9))
        return f"{note.format(model=DEFAULT_MODEL)} {room}"

    def _of_shelf(self, one: ShelvedModel, machine: MachineFacts, *, near: bool) -> ChatChoice:
        fits = not near or _fits(one.size_bytes, machine)
        note = self._parts.texts("Already on your Ollama server.")
        return ChatChoice(
            Backend.OLLAMA,
            one.name,
            one.size_bytes,
            licence="",
            present=True,
            fits=fits,
            note=note if fits else self._too_big(one.size_bytes, machine),
            tokens_per_s=self._speeds.tokens_per_s(Backend.OLLAMA, one.name),
        )

    def _inside(self, name: str, machine: MachineFacts) -> ChatChoice:
        entry, texts = self._parts.files.entry(name), self._parts.texts
        fits = _fits(entry.size, machine)
        note = texts(
            "Runs inside Jarvis without Ollama; for simple requests. Gemma through Ollama answers better."
        )
        try:
            self._parts.files.verified(name)
            present = True
        except ModelFileError:
            present = False
        return ChatChoice(
            Backend.EMBEDDED,
            name,
            entry.size,
            entry.licence,
            present=present,
            fits=fits,
            note=note if fits else self._too_big(entry.size, machine),
            recommended=name == starter_for(machine.memory_bytes)
            and not _fits(LIBRARY[0].size_bytes, machine),
            tokens_per_s=self._speeds.tokens_per_s(Backend.EMBEDDED, name),
        )

    def _too_big(self, size_bytes: int, machine: MachineFacts) -> str:
        text = self._parts.texts("Needs about {needed} GB of memory; this machine has {found} GB.")
        needed = round(needed_bytes(size_bytes) / 1e9)
        return text.format(needed=needed, found=round(machine.memory_bytes / 1e9))


def _fits(size_bytes: int, machine: MachineFacts) -> bool:
    """There is memory enough; a machine that does not say how much it has is trusted."""
    return machine.memory_bytes == 0 or machine.memory_bytes >= needed_bytes(size_bytes)


def _is_near(settings: ModelSettings) -> bool:
    """Models would run on this machine, so its memory counts."""
    try:
        return server_address(settings.host).is_loopback
    except ValueError:
        return True
