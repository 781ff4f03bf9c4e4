"""The chat model behind an Ollama server, version 0.5 or later."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from jarvis_desktop.adapters.ollama_client import client_errors, close_client, open_client
from jarvis_desktop.adapters.ollama_consent import consent_needed, consented
from jarvis_desktop.adapters.ollama_errors import StillLoadingError, ThinkingRefusedError, Troubles
from jarvis_desktop.adapters.ollama_host import ServerAddress, runs_elsewhere, server_address
from jarvis_desktop.adapters.ollama_status import ModelStatus, model_status, new_asker
from jarvis_desktop.adapters.ollama_wire import chat_body, figures, keep_alive, options, pieces
from jarvis_desktop.core.items.errors import ModelUnavailableError
from jarvis_desktop.core.ports import ChatPiece, ChatRequest, DonePiece, Texts
from jarvis_desktop.core.settings import ModelSettings

if TYPE_CHECKING:
    import httpx
    from ollama import AsyncClient, ChatResponse

log = logging.getLogger(__name__)

LOADING_S = 180.0
"""A model that is loading for so long will not come."""
LOADING_LOOK_S = 0.5


class OllamaModel:
    """Fills ``ChatModel``. Works on one event loop; nothing is imported or opened before the first call."""

    def __init__(self, settings: ModelSettings, texts: Texts) -> None:
        self._settings = settings
        self._think: bool | None = settings.think
        """What the server is told about thinking; None once it has refused to hear of it."""
        self._client: AsyncClient | None = None
        self._asker: httpx.AsyncClient | None = None
        """For questions about server and model; kept, because making one costs 20 ms."""
        try:
            self._address: ServerAddress | None = server_address(settings.host)
        except ValueError:
            self._address = None
        shown_host = self._address.url if self._address else settings.host
        self._troubles = Troubles(settings.name, shown_host, texts)

    @property
    def name(self) -> str:
        """The model's name as people type it."""
        return self._settings.name

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and reply share."""
        return self._settings.context_tokens

    @property
    def is_local(self) -> bool:
        """The conversation stays on this machine: the server is here, and it does not send it on."""
        here = self._address is None or self._address.is_loopback
        return here and not runs_elsewhere(self._settings.name)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        """The answer, piece by piece, ended by one ``DonePiece``.

        Closing the generator, or cancelling the task that reads it, closes the connection at once, and the
        server stops. The first piece may take minutes while a model is being loaded: there is no limit.

        Raises:
            ModelUnavailableError: see its kind; TOO_OLD also when the model cannot be handed tools.
        """
        give_up_at_s = monotonic() + LOADING_S
        while True:
            try:
                async with aclosing(self._answer(request)) as answer:
                    async for piece in answer:
                        yield piece
                return
            except StillLoadingError:
                # Comes before any piece. Seen with Ollama 0.9.3 when a request that made it load a model was
                # closed before the model was there, as a warm-up is when the person has spoken.
                if monotonic() > give_up_at_s:
                    raise
                log.info("the model is still loading")
                await asyncio.sleep(LOADING_LOOK_S)
            except ThinkingRefusedError:
                # Comes before any piece. Remembered, so that it costs one round trip, not one per request.
                self._think = False if self._think else None
                log.info("model takes no word on thinking", extra={"think": self._think})

    async def warm_up(self, prefix: ChatRequest | None = None) -> None:
        """Load the model; with ``prefix`` also read that beginning of a prompt, which is then not read again.

        May be cancelled at any time, and what was read until then stays read (Ollama 0.9.3, 1292 tokens:
        first token after 30 s; warmed for 15 s, cancelled and asked, after 16 s). Errors are only logged.
        """
        if self._settings.keep_alive_minutes == 0:
            return  # An empty request that keeps nothing means "unload" to Ollama.
        try:
            if prefix is None:
                await self._load()
                return
            async with aclosing(self.stream(replace(prefix, max_tokens=1))) as answer:
                async for _ in answer:
                    pass
        except ModelUnavailableError as error:
            log.info("model not warmed up", extra={"kind": error.kind.value})

    async def status(self) -> ModelStatus:
        """What is there, for ``doctor`` and for lines about trouble; takes a few seconds at most."""
        try:
            address = self._door()
        except ModelUnavailableError as error:
            return ModelStatus(trouble=error)
        if self._asker is None:
            self._asker = new_asker(address)
        return await model_status(self._asker, self._settings, self._troubles)

    async def close(self) -> None:
        """Close all connections; an answer that is still being read ends with LOST."""
        client, self._client, asker, self._asker = self._client, None, self._asker, None
        if asker is not None:
            await asker.aclose()
        if client is not None:
            await close_client(client)

    async def _answer(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        async with aclosing(self._chunks(request)) as chunks:
            async for chunk in chunks:
                for piece in pieces(chunk):
                    if isinstance(piece, DonePiece):
                        log.info("model answered", extra=figures(chunk))
                        yield piece
                        return
                    yield piece
        raise self._troubles.lost()

    async def _chunks(self, request: ChatRequest) -> AsyncGenerator["ChatResponse", None]:
        client = await self._open()
        body = chat_body(request, self._settings)
        # A model that has refused to hear of thinking is not told of it again, whoever wishes it.
        wished = self._think is not None and request.think is not None
        think = request.think if wished else self._think
        chunks: Any = await client.chat(**body, stream=True, think=think)
        async with aclosing(chunks):
            while True:
                try:
                    chunk = await anext(chunks)
                except StopAsyncIteration:
                    return
                except client_errors() as error:
                    raise self._trouble(error) from error
                yield chunk

    async def _load(self) -> None:
        client = await self._open()
        try:
            await client.generate(
                model=self._settings.name,
                prompt="",
                # The same as in a chat: a model loaded with another size would be loaded once more.
                options=options(self._settings, None),
                keep_alive=keep_alive(self._settings),
                think=False,
            )
        except client_errors() as error:
            raise self._trouble(error) from error

    def _trouble(self, error: Exception) -> Exception:
        trouble = self._troubles.of(error)
        if isinstance(trouble, ModelUnavailableError) and not isinstance(trouble, StillLoadingError):
            log.warning("model request failed", extra={"kind": trouble.kind.value})
        return trouble

    def _door(self) -> ServerAddress:
        """Where to send, once it is certain that we may: every road to the server leads through here.

        Raises:
            ModelUnavailableError: the setting holds no address, or a machine that nobody has agreed to.
        """
        if self._address is None:
            raise self._troubles.bad_address()
        if not consented(self._settings):
            raise self._troubles.remote_unasked(consent_needed(self._settings))
        return self._address

    async def _open(self) -> "AsyncClient":
        """The client.

        Raises:
            ModelUnavailableError: as from ``_door``.
        """
        address = self._door()
        if self._client is None:
            opened = await open_client(address)
            self._client = self._client or opened
        return self._client
