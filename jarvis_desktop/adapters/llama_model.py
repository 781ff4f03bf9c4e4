"""The chat model inside Jarvis: llama.cpp in a process of its own, with weights that we fetched."""

import asyncio
import importlib.metadata
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from jarvis_desktop.adapters.llama_engine import PACKAGE, LlamaEngine, Load, installed
from jarvis_desktop.adapters.llama_prompt import FRESH_NAME, KeptPrompt
from jarvis_desktop.adapters.llama_trouble import LlamaTroubles
from jarvis_desktop.adapters.llama_wire import AnswerReader, RefusedError, chat_body, problem_of
from jarvis_desktop.adapters.machine_facts import free_memory_bytes, usable_cores
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.ollama_status import ModelStatus
from jarvis_desktop.core.items.errors import ModelFileError, ModelUnavailableError
from jarvis_desktop.core.items.turn import Role
from jarvis_desktop.core.ports import ChatPiece, ChatRequest, DonePiece, Texts
from jarvis_desktop.core.settings import ModelSettings

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

CHAT_PATH = "/v1/chat/completions"
SAVE = "/slots/0?action=save"
TRAINED_TOKENS = 32_768
"""Longest context of the starters."""
TOKEN_BYTES = 28_672
"""Memory of one token of context: 28 layers, two heads of 128 for keys and values, two bytes each (1.5B)."""
ENGINE_BYTES = 200_000_000
"""What the engine takes beside weights and context (seen: 0.70 GB for the 0.5B with 8192 tokens)."""

MOST_THREADS = 8
"""More wait for memory, not for a processor."""


@dataclass(frozen=True, slots=True)
class LlamaParts:
    """What the model is made of."""

    files: ModelFiles
    texts: Texts
    free_memory: Callable[[], int | None] = free_memory_bytes
    """Bytes that a new process can have; None when nobody can say."""
    prompts: Path | None = None
    """Folder for what the engine has read of the prompt's beginning; None: that is not kept."""


class EmbeddedModel:
    """Fills ``ChatModel``. Works on one event loop; nothing is started before the first request."""

    def __init__(self, name: str, settings: ModelSettings, parts: LlamaParts) -> None:
        """name: of the weights in the models manifest."""
        self._name = name
        self._settings = settings
        self._parts = parts
        self._troubles = LlamaTroubles(name, parts.texts)
        self._engine = LlamaEngine(self._troubles)
        self._keeping = asyncio.Lock()
        self._last_kept: ChatRequest | None = None
        """The beginning that was last looked after."""
        self._users = 0
        """Requests on their way."""
        self._rest: asyncio.TimerHandle | None = None
        self._resting: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """The weights' name in the manifest."""
        return self._name

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and reply share."""
        return min(self._settings.context_tokens, TRAINED_TOKENS)

    @property
    def engine(self) -> LlamaEngine:
        """The process behind this model."""
        return self._engine

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        """The answer, piece by piece, ended by one ``DonePiece``.

        Closing the generator, or cancelling the task that reads it, closes the connection at once, and the
        engine stops. The first piece may take a minute: loading, and reading a long prompt.

        Raises:
            ModelUnavailableError: not installed, no weights, too little memory, ended by the system.
        """
        self._begin()
        try:
            async with aclosing(self._answer(request)) as answer:
                async for piece in answer:
                    yield piece
        except ModelUnavailableError as error:
            log.warning("model request failed", extra={"kind": error.kind.value})
            raise
        finally:
            self._end()

    async def warm_up(self, prefix: ChatRequest | None = None) -> None:
        """Load the model; with ``prefix`` also read that beginning of a prompt, which is then not read again.

        May be cancelled at any time: loading goes on, and what was read stays read. Errors are only logged.
        """
        if self._settings.keep_alive_minutes == 0:
            return
        try:
            if prefix is None:
                await self._engine.client(await self._load())
                return
            async with aclosing(self.stream(replace(prefix, max_tokens=1))) as answer:
                async for _ in answer:
                    pass
        except ModelUnavailableError as error:
            log.info("model not warmed up", extra={"kind": error.kind.value})

    async def status(self) -> ModelStatus:
        """What is there of engine and weights; nothing is loaded."""
        try:
            await self._weights()
        except ModelUnavailableError as error:
            return ModelStatus(trouble=error)
        return ModelStatus(
            server_version=await asyncio.to_thread(importlib.metadata.version, PACKAGE),
            model_found=True,
            capabilities=frozenset({"completion"}),
            loaded=self._engine.running,
            digest=self._parts.files.entry(self._name).files[0].sha256,
        )

    async def close(self) -> None:
        """The engine is gone; an answer that is still being read breaks off."""
        if self._rest is not None:
            self._rest.cancel()
        if self._resting is not None:
            await asyncio.gather(self._resting, return_exceptions=True)
        await self._engine.stop()

    # --- one request --------------------------------------------------------------------------

    async def _answer(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        client = await self._engine.client(await self._load())
        await self._read_beginning(client, request)
        async with aclosing(self._exchange(client, request)) as pieces:
            async for piece in pieces:
                yield piece

    async def _exchange(
        self, client: "httpx.AsyncClient", request: ChatRequest
    ) -> AsyncGenerator[ChatPiece, None]:
        import httpx  # 0.14 s; here already

        body = chat_body(request, self._settings.temperature, self.context_tokens)
        reader = AnswerReader()
        try:
            async with client.stream("POST", CHAT_PATH, json=body) as response:
                if response.status_code != 200:
                    raise RefusedError(problem_of((await response.aread()).decode("utf-8", "replace")))  # noqa: TRY301 - told below
                async for line in response.aiter_lines():
                    for piece in reader.read(line):
                        yield piece
        except RefusedError as error:
            raise self._troubles.refused(str(error)) from error
        except (httpx.HTTPError, httpx.StreamError, RuntimeError) as error:
            raise self._troubles.died(await self._engine.end_status()) from error
        except ValueError as error:
            raise self._troubles.strange() from error
        if not reader.done:
            raise self._troubles.died(await self._engine.end_status())
        log.info("model answered", extra=reader.figures)

    async def _load(self) -> Load:
        """What to run.

        Raises:
            ModelUnavailableError: no weights, or no memory for them.
        """
        weights = await self._weights()
        if self._engine.process_id is None:
            size = (await asyncio.to_thread(weights.stat)).st_size
            needed = size + self.context_tokens * TOKEN_BYTES + ENGINE_BYTES
            free = await asyncio.to_thread(self._parts.free_memory)
            if free is not None and free < needed:
                raise self._troubles.too_little_memory(needed, free)
        # One core is left to the ears; a second one here would gain little while they work.
        threads = max(1, min(usable_cores() - 1, MOST_THREADS))
        return Load(weights, self.context_tokens, threads, await asyncio.to_thread(self._kept))

    async def _weights(self) -> Path:
        if not installed():
            raise self._troubles.not_installed()
        try:
            found = await asyncio.to_thread(self._parts.files.verified, self._name)
        except ModelFileError as error:
            raise self._troubles.no_file(str(error)) from error
        return next(iter(found.values()))

    # --- what was read ------------------------------------------------------------------------

    def _kept(self) -> KeptPrompt | None:
        if self._parts.prompts is None:
            return None
        digest = self._parts.files.entry(self._name).files[0].sha256
        engine = importlib.metadata.version(PACKAGE)
        return KeptPrompt(self._parts.prompts, (digest, engine, self.context_tokens))

    async def _read_beginning(self, client: "httpx.AsyncClient", request: ChatRequest) -> None:
        """The system prompt was read by itself and is kept for the next start; costs one more token, once."""
        first = request.messages[0]
        beginning = ChatRequest((first,), request.tools, max_tokens=1)
        # Whoever comes later waits: what is put on disk must hold nothing of theirs.
        async with self._keeping:
            if first.role is not Role.SYSTEM or self._last_kept == beginning or self._users > 1:
                return
            kept = await asyncio.to_thread(self._kept)
            if kept is not None and not await asyncio.to_thread(kept.holds, beginning):
                async with aclosing(self._exchange(client, beginning)) as pieces:
                    costs = [piece.prompt_tokens async for piece in pieces if isinstance(piece, DonePiece)]
                good = 0 < await _saved_tokens(client) <= costs[-1] + 1
                if good:
                    await asyncio.to_thread(kept.adopt, beginning)
                else:
                    await asyncio.to_thread(kept.drop)
            self._last_kept = beginning

    # --- rest ---------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._users += 1
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _end(self) -> None:
        self._users -= 1
        if self._users == 0:
            idle_s = self._settings.keep_alive_minutes * 60
            self._rest = asyncio.get_running_loop().call_later(idle_s, self._go_to_rest)

    def _go_to_rest(self) -> None:
        self._resting = asyncio.create_task(self._stop_idle())

    async def _stop_idle(self) -> None:
        if self._users == 0:
            await self._engine.stop()


async def _saved_tokens(client: "httpx.AsyncClient") -> int:
    """How many tokens the engine has put on disk; 0 when it did not."""
    import httpx  # 0.14 s; here already

    try:
        answer = await client.post(SAVE, json={"filename": FRESH_NAME})
        return _Saved.model_validate_json(answer.content).n_saved
    except (httpx.HTTPError, ValueError):
        return 0


class _Saved(BaseModel):
    n_saved: int = 0
