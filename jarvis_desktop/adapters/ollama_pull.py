"""Fetches and removes models through an Ollama server, which checks them by itself (decision 39)."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jarvis_desktop.adapters.ollama_client import client_errors, close_client, open_client
from jarvis_desktop.adapters.ollama_consent import consent_needed, server_allowed
from jarvis_desktop.adapters.ollama_errors import Troubles
from jarvis_desktop.adapters.ollama_host import ServerAddress, server_address
from jarvis_desktop.adapters.ollama_progress import PullProgress
from jarvis_desktop.adapters.ollama_pull_errors import PullTroubles
from jarvis_desktop.adapters.ollama_server import PRUNE_NAME
from jarvis_desktop.adapters.ollama_status import new_asker, server_version
from jarvis_desktop.core.items.errors import ModelUnavailableError
from jarvis_desktop.core.items.fetching import FetchStage, FetchState
from jarvis_desktop.core.ports import Clock, Texts
from jarvis_desktop.core.settings import ModelSettings

if TYPE_CHECKING:
    from ollama import AsyncClient

log = logging.getLogger(__name__)

TELL_S = 0.25
STALL_LOOK_S = 1.0

Tell = Callable[[FetchState], None]


class OllamaPuller:
    """Works on one event loop; each download has a connection of its own."""

    def __init__(
        self, settings: ModelSettings, home: Path, texts: Texts, clock: Clock, known: Sequence[str] = ()
    ) -> None:
        """known: names of models, for "did you mean"."""
        self._settings = settings
        self._home = home
        self._texts = texts
        self._clock = clock
        self._known = known

    def use(self, settings: ModelSettings) -> None:
        """These settings count from now on; a download that runs goes on as it began."""
        self._settings = settings

    async def fetch(self, name: str, tell: Tell) -> FetchState:
        """How the download ended: DONE, or FAILED with the reason; ``tell`` has had that state too.

        Cancelling pauses: ``tell`` gets PAUSED, and the next ``fetch`` goes on where this one was, because
        the server keeps what has come.
        """
        troubles = self._server_troubles(name)
        words = PullTroubles(name, troubles, self._texts, self._known)
        pull = _Pull(name, words, self._clock, tell, self._source(name))
        try:
            address = self._door(troubles)
            # What is being fetched again must not be deleted when a server of ours starts.
            await asyncio.to_thread((self._home / PRUNE_NAME).unlink, missing_ok=True)
            troubles.version = await _version(address)
            async with _client(address) as client:
                return await pull.run(client)
        except ModelUnavailableError as error:
            return pull.failed(str(error))

    async def drop(self, name: str) -> str:
        """What became of the part that has come: Ollama keeps it for now, and says so in the app's language.

        The next server that we start will delete it.
        """
        try:
            await asyncio.to_thread((self._home / PRUNE_NAME).touch)
        except OSError as error:
            log.warning("unfinished downloads will stay", extra={"error": type(error).__name__})
        return PullTroubles(name, self._server_troubles(name), self._texts, ()).not_deletable()

    async def remove(self, name: str) -> None:
        """The server no longer has the model; that it never had it is no error.

        Raises:
            ModelUnavailableError: nobody answers, or the server refuses.
        """
        troubles = self._server_troubles(name)
        async with _client(self._door(troubles)) as client:
            try:
                await client.delete(name)
            except client_errors() as error:
                if getattr(error, "status_code", 0) != HTTPStatus.NOT_FOUND:
                    raise troubles.of(error) from error

    def _door(self, troubles: Troubles) -> ServerAddress:
        """Where to send, once it is certain that we may.

        Raises:
            ModelUnavailableError: the setting holds no address, or a machine that nobody has agreed to.
        """
        try:
            if server_allowed(self._settings):
                return server_address(self._settings.host)
        except ValueError as error:
            raise troubles.bad_address() from error
        raise troubles.remote_unasked(consent_needed(self._settings))

    def _server_troubles(self, name: str) -> Troubles:
        return Troubles(name, self._settings.host, self._texts)

    def _source(self, name: str) -> str:
        first, slash, _ = name.partition("/")
        library = first if slash and ("." in first or ":" in first) else "ollama.com"
        text = self._texts("{library}; fetched and checked by Ollama, not by the list that Jarvis brings")
        return text.format(library=library)


@asynccontextmanager
async def _client(address: ServerAddress) -> AsyncIterator["AsyncClient"]:
    client = await open_client(address)
    try:
        yield client
    finally:
        await close_client(client)


async def _version(address: ServerAddress) -> str:
    """The server's version for later words; empty when it cannot be had, of which the download will tell."""
    import httpx  # 0.14 s

    try:
        async with new_asker(address) as asker:
            return await server_version(asker)
    except (httpx.HTTPError, ValueError):
        return ""


class _Pull:
    """One download."""

    def __init__(self, name: str, troubles: PullTroubles, clock: Clock, tell: Tell, source: str) -> None:
        self._name = name
        self._troubles = troubles
        self._clock = clock
        self._tell = tell
        self._progress = PullProgress(name, source, clock.monotonic_s())
        self._told: FetchState | None = None
        self._told_at_s = 0.0

    async def run(self, client: "AsyncClient") -> FetchState:
        """How it ended."""
        watch = asyncio.create_task(self._watch())
        self._show(self._progress.state())
        try:
            return await self._read(client)
        except asyncio.CancelledError:
            self._show(self._progress.state(FetchStage.PAUSED))
            raise
        except client_errors() as error:
            log.warning("model not fetched", extra={"error": type(error).__name__})
            return self.failed(self._troubles.of(error))
        finally:
            watch.cancel()

    def failed(self, trouble: str) -> FetchState:
        """It ended without the model; people have been told."""
        return self._show(self._progress.state(FetchStage.FAILED, trouble))

    async def _read(self, client: "AsyncClient") -> FetchState:
        lines: Any = await client.pull(self._name, stream=True)
        async with aclosing(lines):
            async for line in lines:
                if line.status == "success":
                    return self._show(self._progress.state(FetchStage.DONE))
                now_s = self._clock.monotonic_s()
                self._progress.heard(line.status or "", line.digest, line.completed, line.total, now_s)
                self._show_now_and_then(now_s)
        return self.failed(self._troubles.gone())

    async def _watch(self) -> None:
        """The server sends lines all the time, so that only a clock tells that no byte comes."""
        while True:
            await self._clock.sleep(STALL_LOOK_S)
            if self._progress.is_stalled(self._clock.monotonic_s()):
                self._show_now_and_then(self._clock.monotonic_s())

    def _show_now_and_then(self, now_s: float) -> None:
        if self._progress.is_stalled(now_s):
            state = self._progress.state(FetchStage.STALLED, self._troubles.stalled())
        else:
            state = self._progress.state()
        same_stage = self._told is not None and self._told.stage is state.stage
        if state != self._told and not (same_stage and now_s - self._told_at_s < TELL_S):
            self._show(state)

    def _show(self, state: FetchState) -> FetchState:
        self._told, self._told_at_s = state, self._clock.monotonic_s()
        self._tell(state)
        return state
