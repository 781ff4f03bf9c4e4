"""A scripted server that speaks Ollama's protocol on loopback, the same way every time.

In a test: ``with ScriptedOllama(say("Hello."), call("bash", {"command": "ls"})) as ollama:``.
As a program of its own: ``python -m tests.fakes.ollama_server --script FILE --port-file F --log F``.

Steps are used up in order: a chat request takes the first one left that fits it. A request without a
user message (a warm-up that only reads the prompt's beginning) takes none. No step: status 500, and
``unscripted`` names it. ``POST /test/release/NAME`` opens a gate from outside; ``GET /test/requests``
shows what came so far.
"""

import argparse
import asyncio
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from tests.fakes.ollama_script import Script, Step, last_user_text, read_script
from tests.fakes.ollama_service import Seen, Service

WAIT_S = 10.0


class ScriptedOllama:
    """The server on a thread of its own; a context manager."""

    def __init__(self, *steps: Step, script: Script | None = None, port: int = 0) -> None:
        self._changes = threading.Condition()
        self._service = Service(script or Script(steps), self._tell)
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._thread = threading.Thread(target=self._run, name="scripted ollama", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._in_loop(asyncio.start_server(self._service.connected, "127.0.0.1", self._port))
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._in_loop(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(WAIT_S)
        self._loop.close()

    @property
    def host(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def seen(self) -> tuple[Seen, ...]:
        """All requests so far."""
        return tuple(self._service.seen)

    @property
    def chats(self) -> tuple[Seen, ...]:
        """Chat requests that a step answered or should have answered."""
        return tuple(one for one in self.seen if one.path == "/api/chat" and last_user_text(one.body))

    @property
    def unscripted(self) -> tuple[str, ...]:
        """Last user message of each chat request that no step was left for."""
        return tuple(last_user_text(one.body) for one in self.chats if one.ended_at and one.step is None)

    def add(self, *steps: Step) -> None:
        """More steps, after the ones that are left."""
        self._loop.call_soon_threadsafe(self._service.steps.extend, steps)

    def release(self, gate: str) -> None:
        """The gate is open from now on."""
        self._loop.call_soon_threadsafe(self._service.gate(gate).set)

    def wait_until(self, true: Callable[["ScriptedOllama"], object], timeout_s: float = WAIT_S) -> None:
        """Returns when ``true(self)``; from an async test call it with ``asyncio.to_thread``.

        Raises:
            AssertionError: it did not come true in time.
        """
        with self._changes:
            came = self._changes.wait_for(lambda: true(self), timeout_s)
        assert came, f"not within {timeout_s} s; requests so far: {[one.as_json() for one in self.seen]}"

    def _tell(self) -> None:
        with self._changes:
            self._changes.notify_all()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    async def _stop(self) -> None:
        assert self._server is not None
        self._server.close()
        await self._service.end_lines()
        await self._server.wait_closed()

    def _in_loop(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(WAIT_S)


async def serve(script: Script, port_file: Path, log: TextIO) -> None:
    """Serves until SIGTERM or SIGINT; the port stands in ``port_file`` as soon as it is open."""
    service = Service(script, lambda: None, log)
    server = await asyncio.start_server(service.connected, "127.0.0.1", 0)
    fresh = port_file.with_suffix(".part")
    fresh.write_text(str(server.sockets[0].getsockname()[1]), "ascii")
    fresh.replace(port_file)
    over = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    await over.wait()
    server.close()
    await service.end_lines()


def main() -> None:
    """Runs the server as a program."""
    parser = argparse.ArgumentParser(description="A scripted Ollama server on loopback.")
    for name in ("--script", "--port-file", "--log"):
        parser.add_argument(name, type=Path, required=True)
    chosen = parser.parse_args()
    with chosen.log.open("a", encoding="utf-8") as log:
        asyncio.run(serve(read_script(chosen.script), chosen.port_file, log))


if __name__ == "__main__":
    main()
