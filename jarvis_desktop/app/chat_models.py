"""Which chat model answers: the one behind Ollama, or the small one inside Jarvis where Ollama is missing."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.adapters.ollama_host import server_address
from jarvis_desktop.adapters.ollama_status import ModelStatus
from jarvis_desktop.adapters.typed_command import typed_command
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Event, TurnEnded, TurnStarted
from jarvis_desktop.core.items.setup import Backend
from jarvis_desktop.core.ports import ChatModel, ChatPiece, ChatRequest, Clock, Emit, Texts
from jarvis_desktop.core.settings import ModelSettings

log = logging.getLogger(__name__)

STARTER = "qwen2.5-coder-1.5b"
SMALL_STARTER = "qwen2.5-coder-0.5b"
STARTERS = (STARTER, SMALL_STARTER)
"""Models inside Jarvis by their names in the models manifest, the better one first."""
SMALL_BELOW_BYTES = 6_000_000_000
"""With less memory the smaller starter leaves more to everything else."""


def starter_for(memory_bytes: int) -> str:
    """The starter that suits a machine with so much memory; 0 is a machine that does not say."""
    return SMALL_STARTER if 0 < memory_bytes < SMALL_BELOW_BYTES else STARTER


class AskedModel(ChatModel, Protocol):
    """A chat model that can be asked how it is; ``OllamaModel`` and ``EmbeddedModel`` fill it."""

    async def status(self) -> ModelStatus:
        """What is there of it. Never raises."""


@dataclass(frozen=True, slots=True)
class ModelMakers:
    """How the two kinds of models are made; nothing is opened by making one."""

    ollama: Callable[[ModelSettings], AskedModel]
    embedded: Callable[[str, ModelSettings], AskedModel]
    """Given the weights' name in the manifest."""
    starter: str
    """The one for this machine, see ``starter_for``."""


@dataclass(frozen=True, slots=True)
class ChosenParts:
    """What the choice is connected to."""

    makers: ModelMakers
    clock: Clock
    texts: Texts
    emit: Emit


class ChosenModel:
    """Fills ``ChatModel`` with whichever model is to answer. Never another one within a turn."""

    def __init__(self, settings: ModelSettings, parts: ChosenParts) -> None:
        self._parts = parts
        self._settings = settings
        self._pending: ModelSettings | None = None
        """Settings that count from the next choice on."""
        self._ollama, self._embedded = self._made(settings)
        self._backend = self._fixed_backend() or Backend.OLLAMA
        self._in_turn = False
        self._chosen_for_turn = False
        self._said_in_turn = False
        self._choosing = asyncio.Lock()
        self._known = False
        """A choice was made; from then on another one is worth a line."""

    # --- the model that answers ---------------------------------------------------------------

    @property
    def backend(self) -> Backend:
        """What runs the model that answers now."""
        return self._backend

    @property
    def name(self) -> str:
        """Its name, as the setting ``model.name`` would hold it."""
        return self._now.name

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and reply share."""
        return self._now.context_tokens

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        """The answer of the model that is to answer now; see ``ChatModel``.

        Where Ollama turns out not to be there before it said anything in this turn, the model inside Jarvis
        answers.

        Raises:
            ModelUnavailableError: as from that model.
        """
        await asyncio.sleep(0)  # an event that came just before, like the beginning of the turn, is heard
        model = await self._for_request()
        said = self._said_in_turn
        try:
            async with aclosing(pieces_of(model, request)) as pieces:
                async for piece in pieces:
                    said, self._said_in_turn = True, self._in_turn
                    yield piece
            return
        except ModelUnavailableError as error:
            if said or model is not self._ollama or error.kind is not ModelTrouble.NO_SERVER:
                raise
            await self._choose()
            if self._now is model:
                raise self._both(error, await self._embedded.status()) from error
        async with aclosing(pieces_of(self._now, request)) as pieces:
            async for piece in pieces:
                yield piece

    async def warm_up(self, prefix: ChatRequest | None = None) -> None:
        """Load the model that is to answer; see ``ChatModel``."""
        await (await self._for_request()).warm_up(prefix)

    async def status(self) -> ModelStatus:
        """How the model is that answers, or would. Between turns this also looks who that is."""
        if self._in_turn:
            return await self._now.status()
        return await self._choose()

    async def close(self) -> None:
        """Both are closed."""
        await asyncio.gather(self._ollama.close(), self._embedded.close())

    def serving(self, backend: Backend, name: str) -> AskedModel | None:
        """The model that this is made of, when it is the one that is meant; else None."""
        model = self._ollama if backend is Backend.OLLAMA else self._embedded
        return model if model.name == name else None

    # --- the choice ---------------------------------------------------------------------------

    def on_event(self, event: Event) -> None:
        """Follow the turns: a choice holds for a whole one."""
        match event:
            case TurnStarted():
                self._in_turn, self._chosen_for_turn, self._said_in_turn = True, False, False
            case TurnEnded():
                self._in_turn, self._said_in_turn = False, False
            case _:
                pass

    def configure(self, settings: ModelSettings) -> None:
        """These settings count from the next turn on."""
        self._pending = settings

    @property
    def _now(self) -> AskedModel:
        return self._ollama if self._backend is Backend.OLLAMA else self._embedded

    def _made(self, settings: ModelSettings) -> tuple[AskedModel, AskedModel]:
        makers = self._parts.makers
        starter = settings.name if settings.name in STARTERS else makers.starter
        return makers.ollama(settings), makers.embedded(starter, settings)

    async def _for_request(self) -> AskedModel:
        if not (self._in_turn and self._chosen_for_turn):
            self._chosen_for_turn = self._in_turn
            # While Ollama is known to answer, looking again would only cost time: the request itself tells.
            if self._pending is not None or self._now is self._embedded or not self._known:
                await self._choose()
        return self._now

    async def _choose(self) -> ModelStatus:
        """How the chosen model is."""
        async with self._choosing:
            before = (self._backend, self.name)
            by_settings = await self._take_over()
            self._backend, status = await self._found()
            if before != (self._backend, self.name):
                log.info("another model answers", extra={"backend": self._backend.value})
                if self._known:
                    await self._tell(by_settings=by_settings)
            self._known = True
            return status

    async def _take_over(self) -> bool:
        """Whether settings have changed, for which the models are made anew."""
        settings, self._pending = self._pending, None
        if settings is None or settings == self._settings:
            return False
        old = (self._ollama, self._embedded)
        self._settings = settings
        self._ollama, self._embedded = self._made(settings)
        await asyncio.gather(*(model.close() for model in old))
        return True

    def _fixed_backend(self) -> Backend | None:
        """What the settings leave no choice about."""
        if self._settings.backend == "embedded" or (
            self._settings.backend == "auto" and self._settings.name in STARTERS
        ):
            return Backend.EMBEDDED
        return Backend.OLLAMA if self._settings.backend == "ollama" else None

    async def _found(self) -> tuple[Backend, ModelStatus]:
        fixed = self._fixed_backend()
        if fixed is Backend.EMBEDDED:
            return fixed, await self._embedded.status()
        outer = await self._ollama.status()
        if fixed is not None or not self._is_absent(outer):
            return Backend.OLLAMA, outer
        inner = await self._embedded.status()
        if inner.trouble is None:
            return Backend.EMBEDDED, inner
        assert outer.trouble is not None  # absent
        return Backend.OLLAMA, ModelStatus(trouble=self._both(outer.trouble, inner))

    def _is_absent(self, status: ModelStatus) -> bool:
        """Nobody answers at an address that is one: a slip of the pen there is said, not worked around."""
        try:
            server_address(self._settings.host)
        except ValueError:
            return False
        nobody = status.server_version is None and not status.somebody
        return nobody and status.trouble is not None and status.trouble.kind is ModelTrouble.NO_SERVER

    def _both(self, error: ModelUnavailableError, inner: ModelStatus) -> ModelUnavailableError:
        """There is no Ollama, and no model inside Jarvis either."""
        if self._settings.backend != "auto" or inner.trouble is None:
            return error
        text = self._parts.texts(
            "{ollama} Or use the small model inside Jarvis, which needs no Ollama: fetch {model} in Set up, "
            "or with: {command} models fetch {model}"
        )
        filled = text.format(ollama=error, model=self._embedded.name, command=typed_command())
        return ModelUnavailableError(error.kind, filled)

    async def _tell(self, *, by_settings: bool) -> None:
        texts = self._parts.texts
        if by_settings:
            text = texts("From now on {model} answers.")
        elif self._backend is Backend.OLLAMA:
            text = texts("Ollama is there now, so {model} answers in place of the small model inside Jarvis.")
        else:
            text = texts(
                "Ollama does not answer. Until it does, the small model inside Jarvis answers: {model}."
            )
        line = text.format(model=self.name)
        await self._parts.emit(ActivityNoted(ActivityKind.TURN, line, self._parts.clock.now()))


async def pieces_of(model: AskedModel, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
    """The answer of ``model``, as something that can be closed."""
    stream = model.stream(request)
    try:
        async for piece in stream:
            yield piece
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
