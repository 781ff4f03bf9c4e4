"""Looks after the chat model: is it there, is it warm, how does it call tools."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import yaml

from jarvis_desktop.adapters.ollama_status import ModelStatus
from jarvis_desktop.app.waking import woken_within
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    AdviceGiven,
    Event,
    Part,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    TurnStarted,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.setup import Backend, SettingsChanged
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.core.ports import CallStyle, ChatModel, ChatRequest, Clock, Emit, Texts, ToolSpec
from jarvis_desktop.core.settings import DEFAULT_MODEL, ModelSettings
from jarvis_desktop.core.turn.model_check import (
    CheckEnd,
    ModelCheck,
    check_line,
    check_model,
    chosen,
    read_check,
)

log = logging.getLogger(__name__)

LOOK_AGAIN_S = (2.0, 5.0, 10.0, 30.0)
"""Waits between looks while something is missing; the last one repeats."""
LOOK_ON_S = 300.0
"""A model may be deleted or exchanged while we run."""
ADVICE = "advice: a better model"
"""Key among the checks: it was told on this home, and once is enough."""


class CaredModel(ChatModel, Protocol):
    """A chat model that can be asked how it is; ``ChosenModel`` fills it."""

    @property
    def backend(self) -> Backend:
        """What runs the model that answers now."""

    async def status(self) -> ModelStatus:
        """What is there of server and model. Never raises."""


@dataclass(frozen=True, slots=True)
class CareParts:
    """What the care is connected to."""

    settings: ModelSettings
    checks_file: Path
    clock: Clock
    texts: Texts
    emit: Emit
    prefix: Callable[[CallStyle], ChatRequest]
    """What the next request will begin with."""


class ModelCare:
    """Runs beside the conversation and yields to it."""

    def __init__(self, model: CaredModel, specs: tuple[ToolSpec, ...], parts: CareParts) -> None:
        self._model = model
        self._specs = specs
        self._parts = parts
        self._settings = parts.settings
        self._check = chosen(parts.settings.calls)
        self._known: Mapping[str, Mapping[str, object]] = {}
        """Checks of all models on disk, as last read."""
        self._troubled: Part | None = None
        self._retells = False
        """What was told is told again: people read another language now."""
        self._look_now = asyncio.Event()
        self._quiet = asyncio.Event()
        """No turn is running, so the model is free for a check."""
        self._quiet.set()
        self._warming: asyncio.Task[None] | None = None
        self._embedded_begun = False
        self._checking: asyncio.Task[ModelCheck] | None = None

    @property
    def style(self) -> CallStyle:
        """How to ask for tool calls now. Until the check has decided: held to a schema, which all can do.

        The models inside Jarvis are too small to do it any other way, whatever was set for others.
        """
        if self._model.backend is Backend.EMBEDDED:
            return CallStyle.SCHEMA
        return self._check.style if self._check else CallStyle.SCHEMA

    def known_style(self, name: str) -> CallStyle | None:
        """How a model behind Ollama called tools when it was checked last; None where it never was."""
        prefix = f"{self._settings.host} {name} "
        found = [read_check(check) for key, check in self._known.items() if key.startswith(prefix)]
        return found[-1].style if found and found[-1] is not None else None

    def on_event(self, event: Event) -> None:
        """Warm the model when somebody begins to speak; look again when a turn failed."""
        match event:
            case VoiceStateChanged(state=VoiceState.LISTENING):
                self._warm_up()
            case TurnStarted():
                self._quiet.clear()
                # The server answers one request at a time, and the person's goes first.
                for ahead in (self._warming, self._checking):
                    if ahead:
                        ahead.cancel()
            case TurnEnded(end=end):
                self._quiet.set()
                if end is TurnEnd.FAILED:
                    self._look_now.set()
            case SettingsChanged(changed) if "ui.language" in changed and self._troubled:
                self._retells = True
                self.look_again()
            case _:
                pass

    def configure(self, settings: ModelSettings) -> None:
        """Another model, server or way of calling counts from now on; it is looked at at once."""
        self._settings = settings
        self._check = chosen(settings.calls)
        for ahead in (self._warming, self._checking):
            if ahead:
                ahead.cancel()
        self.look_again()

    def look_again(self) -> None:
        """Something may have come: look now."""
        self._look_now.set()

    async def fall_asleep(self) -> None:
        """A request that the model works on is left alone: it often goes on after the sleep."""

    async def wake_up(self) -> None:
        """A server may have ended or gone out of reach meanwhile."""
        self.look_again()

    async def run(self) -> None:
        """Watch without end."""
        misses = 0
        while True:
            self._look_now.clear()  # before the look: what comes during it must not go unnoticed
            status = await self._model.status()
            await self._tell(status)
            if status.trouble is None:
                misses = 0
                if self._model.backend is Backend.EMBEDDED:
                    await self._begin_embedded()
                else:
                    self._embedded_begun = False
                    await self._decide_style(status)
            again_s = LOOK_AGAIN_S[min(misses, len(LOOK_AGAIN_S) - 1)] if status.trouble else LOOK_ON_S
            await woken_within(again_s, self._look_now, self._parts.clock)
            misses += 1

    async def _tell(self, status: ModelStatus) -> None:
        trouble = status.trouble
        part = None if trouble is None else _part_of(trouble, self._model.backend)
        if self._troubled and part is not self._troubled:
            await self._parts.emit(TroubleCleared(self._troubled))
        news, self._retells = part is not self._troubled or self._retells, False
        if trouble is not None and part is not None and news:
            await self._parts.emit(TroubleNoted(part, str(trouble)))
        self._troubled = part

    def _warm_up(self) -> None:
        if self._warming is None or self._warming.done():
            self._warming = asyncio.create_task(self._model.warm_up(self._parts.prefix(self.style)))

    async def _begin_embedded(self) -> None:
        """The small model inside Jarvis answers: get it ready, and say once what would be better.

        Reading the prompt takes it 25 s on one core; that is over before most people have asked something.
        """
        if self._embedded_begun:
            return
        self._embedded_begun = True
        if self._quiet.is_set():
            self._warm_up()
        known = await asyncio.to_thread(self._stored)
        if ADVICE in known:
            return
        text = self._parts.texts(
            "The small model {model} inside Jarvis answers, because there is no Ollama here. Gemma through "
            "Ollama answers better: install Ollama from https://ollama.com/download, then get the model in "
            "Set up, or with: ollama pull {better}"
        ).format(model=self._model.name, better=DEFAULT_MODEL)
        await self._parts.emit(ActivityNoted(ActivityKind.TURN, text, self._parts.clock.now()))
        await self._parts.emit(AdviceGiven(text))
        known[ADVICE] = {"told": str(self._parts.clock.now().date())}
        await asyncio.to_thread(self._store, known)

    # --- how the model calls tools ------------------------------------------------------------

    async def _decide_style(self, status: ModelStatus) -> None:
        settings = self._settings
        if settings.calls != "auto":
            return
        key = f"{settings.host} {self._model.name} {status.digest}"
        self._known = known = await asyncio.to_thread(self._stored)
        found = read_check(known.get(key, {}))
        if found is None:
            found = await self._checked(status, settings)
            if found is None:
                return  # another model was chosen meanwhile, and is looked at next
            if found.end is not CheckEnd.TIME_UP:
                known[key] = found.as_mapping()
                await asyncio.to_thread(self._store, known)
        if found != self._check:
            self._check = found
            line = check_line(found, self._model.name, self._parts.texts)
            await self._parts.emit(ActivityNoted(ActivityKind.TURN, line, self._parts.clock.now()))

    async def _checked(self, status: ModelStatus, settings: ModelSettings) -> ModelCheck | None:
        """The check's result; a turn that begins meanwhile goes first, and the check starts anew.

        None when ``settings`` no longer count.
        """
        while self._settings is settings:
            await self._quiet.wait()
            checking = asyncio.create_task(
                check_model(self._model, self._specs, self._parts.clock, status.capabilities)
            )
            self._checking = checking
            try:
                await asyncio.wait([checking])
            finally:
                checking.cancel()
            if checking.cancelled():
                continue
            error = checking.exception()
            if isinstance(error, ModelUnavailableError):
                log.info("model check put off", extra={"kind": error.kind.value})
                return ModelCheck(CallStyle.SCHEMA, CheckEnd.TIME_UP)
            return checking.result() if self._settings is settings else None
        return None

    def _stored(self) -> dict[str, Mapping[str, object]]:
        try:
            stored = yaml.safe_load(self._parts.checks_file.read_text("utf-8"))
        except (OSError, yaml.YAMLError, UnicodeError):
            return {}
        if not isinstance(stored, dict):
            return {}
        return {str(key): value for key, value in stored.items() if isinstance(value, dict)}

    def _store(self, checks: dict[str, Mapping[str, object]]) -> None:
        temporary = self._parts.checks_file.with_suffix(".new")
        try:
            temporary.write_text(yaml.safe_dump({key: dict(check) for key, check in checks.items()}), "utf-8")
            temporary.replace(self._parts.checks_file)
        except OSError as error:
            # Only a saving of time is lost: the model is checked once more next time.
            log.warning("could not keep the model check", extra={"error": type(error).__name__})


def _part_of(trouble: ModelUnavailableError, backend: Backend) -> Part:
    ours = backend is Backend.EMBEDDED or trouble.kind is ModelTrouble.NO_MODEL
    return Part.MODEL if ours else Part.OLLAMA
