"""The process that runs a chat model inside Jarvis: started when needed, anew when it died, ended with us."""

import asyncio
import contextlib
import importlib.util
import json
import logging
import os
import secrets
import shutil
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jarvis_desktop.adapters.llama_prompt import KeptPrompt
from jarvis_desktop.adapters.llama_trouble import LlamaTroubles
from jarvis_desktop.adapters.llama_worker import Order, Report
from jarvis_desktop.adapters.shell_child import PACKAGE_ROOT, START

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

PACKAGE = "xllamacpp"
WORKER = "jarvis_desktop.adapters.llama_worker"
RESTORE = "/slots/0?action=restore"
LOADING_S = 180.0
"""A model that is loading for so long will not come."""
DYING_S = 2.0
"""From a broken connection to the end of the process that broke it."""
CONNECT_S = 10.0
"""On this machine; its engine reads requests while it answers."""
SOCKET_PATH_MAX = 100
"""Unix knows no longer ones (104 to 108 bytes)."""


@dataclass(frozen=True, slots=True)
class Load:
    """What the engine runs."""

    model: Path
    """Its digest was checked."""
    context_tokens: int
    threads: int
    kept: KeptPrompt | None = None
    """What it had read before; None: nothing is kept."""


def installed() -> bool:
    """The engine's package is there; it is not imported here, because its code could take us along."""
    return importlib.util.find_spec(PACKAGE) is not None


def worker_command() -> tuple[str, ...]:
    """Arguments that start the engine's program; nothing beside the working directory is imported."""
    return (sys.executable, "-P", "-X", "utf8", "-c", START, str(PACKAGE_ROOT), WORKER)


class LlamaEngine:
    """At most one engine process. Works on one event loop."""

    def __init__(self, troubles: LlamaTroubles) -> None:
        self._troubles = troubles
        self._starting: asyncio.Task[httpx.AsyncClient] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._folder: Path | None = None
        """Holds the socket; readable by us alone."""
        self._changing = asyncio.Lock()

    @property
    def running(self) -> bool:
        """The model is in memory."""
        started = self._starting is not None and self._starting.done() and not self._starting.cancelled()
        return started and self._process is not None and self._process.returncode is None

    @property
    def process_id(self) -> int | None:
        """The process that holds the model, from the first moment of its start."""
        alive = self._process is not None and self._process.returncode is None
        return self._process.pid if self._process is not None and alive else None

    async def client(self, load: Load) -> "httpx.AsyncClient":
        """Speaks to the engine that runs ``load``; it is started when there is none.

        May be cancelled: the start goes on, and whoever asks next waits for it.

        Raises:
            ModelUnavailableError: it cannot be started; it says why.
        """
        async with self._changing:
            if self._starting is not None and self._starting.done() and not self.running:
                await self._stop()
            if self._starting is None:
                self._starting = asyncio.create_task(self._start(load))
                # Its error belongs to whoever waits; a start that nobody waits for any more has none to tell.
                self._starting.add_done_callback(lambda task: task.cancelled() or task.exception())
            starting = self._starting
        return await asyncio.shield(starting)

    async def end_status(self) -> int | None:
        """How the process ended after a connection to it broke; None: it lives."""
        if self._process is None:
            return None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DYING_S):
                return await self._process.wait()
        return None

    async def stop(self) -> None:
        """The process is gone, with all that it held; ``client`` starts another one."""
        async with self._changing:
            await self._stop()

    async def _stop(self) -> None:
        starting, self._starting = self._starting, None
        if starting is not None:
            starting.cancel()
            came = (await asyncio.gather(starting, return_exceptions=True))[0]
            if not isinstance(came, BaseException):
                await came.aclose()
        process, self._process = self._process, None
        folder, self._folder = self._folder, None
        if process is not None:
            await _ended(process)
            log.info("engine ended", extra={"status": process.returncode})
        if folder is not None:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _start(self, load: Load) -> "httpx.AsyncClient":
        if not installed():
            raise self._troubles.not_installed()
        self._folder = await asyncio.to_thread(_private_folder)
        key = secrets.token_urlsafe(32)
        order = Order(
            model=str(load.model),
            context_tokens=load.context_tokens,
            threads=load.threads,
            key=key,
            socket=_socket_path(self._folder),
            parent=os.getpid(),
            prompts=await asyncio.to_thread(_prompts_folder, load.kept),
        )
        self._process = process = await asyncio.create_subprocess_exec(
            *worker_command(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        report = await self._report(process, order)
        log.info("engine started", extra={"threads": load.threads, "context": load.context_tokens})
        client = _new_client(report.address, key)
        if order.prompts and load.kept is not None:
            await self._restore(client, load.kept)
        return client

    async def _restore(self, client: "httpx.AsyncClient", kept: KeptPrompt) -> None:
        """What was read in an earlier run is known again, or is forgotten when that does not work."""
        import httpx  # 0.14 s; here already

        found = await asyncio.to_thread(kept.found)
        if found is None:
            return
        try:
            answer = await client.post(RESTORE, json={"filename": found.name})
        except httpx.HTTPError as error:
            await asyncio.to_thread(kept.drop)
            raise self._troubles.died(await self.end_status()) from error
        log.info("prompt restored", extra={"status": answer.status_code})
        if answer.status_code != 200:
            await asyncio.to_thread(kept.drop)

    async def _report(self, process: asyncio.subprocess.Process, order: Order) -> Report:
        if process.stdin is None or process.stdout is None:
            raise self._troubles.not_loaded()
        with contextlib.suppress(ConnectionError):  # it is dead: the report that does not come says so
            process.stdin.write(json.dumps(asdict(order)).encode() + b"\n")
            await process.stdin.drain()
        try:
            async with asyncio.timeout(LOADING_S):
                line = await process.stdout.readline()
        except TimeoutError:
            await _ended(process)
            raise self._troubles.too_slow() from None
        if not line:
            raise self._troubles.died(await process.wait())
        report = Report(**json.loads(line))
        if report.missing:
            raise self._troubles.not_installed()
        if not report.address:
            raise self._troubles.not_loaded()
        return report


async def _ended(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()  # it keeps nothing that could be lost
    if process.stdin is not None:
        process.stdin.close()
    await process.wait()


def _prompts_folder(kept: KeptPrompt | None) -> str:
    """As the engine wants it, which puts names right behind it; empty when nothing can be kept."""
    if kept is None:
        return ""
    try:
        kept.prepare()
    except OSError as error:
        log.info("no folder for prompts", extra={"error": type(error).__name__})
        return ""
    return f"{kept.folder}{os.sep}"


def _private_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="jarvis-engine-"))  # for its owner alone


def _socket_path(folder: Path) -> str:
    path = str(folder / "engine.sock")
    usable = os.name == "posix" and len(os.fsencode(path)) <= SOCKET_PATH_MAX
    return path if usable else ""


def _new_client(address: str, key: str) -> "httpx.AsyncClient":
    import httpx  # 0.14 s

    socket = address.removeprefix("unix://") if address.startswith("unix://") else None
    return httpx.AsyncClient(
        base_url="http://localhost" if socket else address,
        transport=httpx.AsyncHTTPTransport(uds=socket, trust_env=False),
        timeout=httpx.Timeout(None, connect=CONNECT_S),
        trust_env=False,
        # A kept connection was once closed by the engine just as the next request went out on it.
        headers={"Authorization": f"Bearer {key}", "Connection": "close"},
    )
