"""One extension's code in a process of its own: started when needed, anew when it died, ended with us."""

import asyncio
import base64
import json
import logging
import sys
from asyncio.subprocess import Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from jarvis_desktop.adapters.extension_room import ExtensionRooms, ended, started
from jarvis_desktop.adapters.shell_child import PACKAGE_ROOT, START
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.errors import MissingPartError, SandboxError
from jarvis_desktop.core.items.extensions import ExtensionKind
from jarvis_desktop.core.ports.extensions import CallAnswer

log = logging.getLogger(__name__)

WORKER = "jarvis_desktop.adapters.extension_worker"
LOADING_S = 20.0
CALL_S = 60.0
MOST_ANSWER_BYTES = 1_000_000
FAILURES_AT_MOST = 5
"""In a row; what dies more often is not started again."""


@dataclass(frozen=True, slots=True)
class Code:
    """What runs: exactly these bytes."""

    kind: ExtensionKind
    name: str
    path: Path
    """Where they were read, for error messages; it is not read again."""
    source: bytes
    tools: tuple[str, ...] = ()
    """Functions that are to be described."""
    hooks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Described:
    """What the code offers, as its own process says."""

    parameters: Mapping[str, Mapping[str, Json]]
    """JSON schema by function."""
    hooks: tuple[str, ...]


class WorkerTrouble(StrEnum):
    """Why nothing came of a call."""

    NO_ROOM = "no_room"
    """It may not run here; ``detail`` is in the app's language."""
    ENDED = "ended"
    TIMED_OUT = "timed_out"
    NONSENSE = "nonsense"
    TOO_LARGE = "too_large"
    TOO_OFTEN = "too_often"
    GONE = "gone"
    """It was switched off, or is another one by now."""
    RAISED = "raised"
    """The code raised something; ``detail`` says what and where."""
    WRONG_ARGUMENTS = "wrong_arguments"


_SAID: Mapping[WorkerTrouble, str] = {
    WorkerTrouble.ENDED: "its process ended by itself ({detail})",
    WorkerTrouble.TIMED_OUT: "it did not answer within {detail} s, so it was ended",
    WorkerTrouble.NONSENSE: "it answered with something that is no answer, so it was ended",
    WorkerTrouble.TOO_LARGE: "it answered with more than {detail} bytes, so it was ended",
    WorkerTrouble.TOO_OFTEN: "it failed {detail} times in a row and is not started again until its file "
    "changes or it is switched off and on",
    WorkerTrouble.GONE: "it was switched off",
}


class WorkerError(MissingPartError):
    """Nothing came of a call into an extension. Its text is in English, for models and logs."""

    def __init__(self, kind: WorkerTrouble, detail: str = "") -> None:
        super().__init__(_SAID.get(kind, "{detail}").format(detail=detail))
        self.kind = kind
        self.detail = detail


def worker_program() -> tuple[str, ...]:
    """Arguments that start the worker inside its room: with our packages, without the person's."""
    return (sys.executable, "-I", "-X", "utf8", "-c", START, str(PACKAGE_ROOT), WORKER)


class Worker:
    """At most one process. Works on one event loop; calls wait for each other."""

    def __init__(self, code: Code, rooms: ExtensionRooms, *, writes: bool = False) -> None:
        """writes: the code may write the person's files; else only its own folder."""
        self._code = code
        self._rooms = rooms
        self._writes = writes
        self._process: Process | None = None
        self._described: Described | None = None
        self._turn = asyncio.Lock()
        self._number = 0
        self._failures = 0
        self._closed = False

    @property
    def process_id(self) -> int | None:
        """The process that holds the room, while there is one."""
        return self._process.pid if self._process is not None else None

    async def describe(self, timeout_s: float = LOADING_S) -> Described:
        """What it offers; the code was loaded.

        Raises:
            WorkerError: it cannot be loaded; the kind and the detail say why.
        """
        async with self._turn:
            return await self._loaded(timeout_s)

    async def call(
        self, function: str, arguments: Mapping[str, Json], cwd: Path | None = None, timeout_s: float = CALL_S
    ) -> CallAnswer:
        """What the function came to. A call that takes too long, or is cancelled, ends the process."""
        wish = {"do": "tool", "name": function, "arguments": dict(arguments), "cwd": str(cwd or "")}
        try:
            async with self._turn:
                await self._loaded(LOADING_S)
                found = await self._asked(wish, timeout_s)
        except WorkerError as error:
            wrong = error.kind is WorkerTrouble.WRONG_ARGUMENTS
            return CallAnswer(str(error), ok=False, wrong_arguments=wrong)
        return CallAnswer(found if isinstance(found, str) else json.dumps(found))

    async def hook(self, name: str, payload: Mapping[str, Json], timeout_s: float = CALL_S) -> Json:
        """What the hook returned; None may mean that it returned nothing.

        Raises:
            WorkerError: it did not return.
        """
        async with self._turn:
            await self._loaded(LOADING_S)
            return await self._asked({"do": "hook", "name": name, "payload": dict(payload)}, timeout_s)

    async def rest(self) -> None:
        """No process is there until the next call."""
        async with self._turn:
            await self._end()

    async def close(self) -> None:
        """The process is gone, with everything that it started; it does not come again."""
        self._closed = True
        await self._end()

    async def _loaded(self, timeout_s: float) -> Described:
        if self._process is not None and self._process.returncode is not None:
            await self._end()  # it died between two calls
        if self._process is None:
            if self._closed:
                raise WorkerError(WorkerTrouble.GONE)
            if self._failures >= FAILURES_AT_MOST:
                raise WorkerError(WorkerTrouble.TOO_OFTEN, str(self._failures))
            await self._start()
            self._described = None
        if self._described is None:
            wish = {
                "do": "load",
                "path": str(self._code.path),
                "source": base64.b64encode(self._code.source).decode(),
                "tools": self._code.tools,
                "hooks": self._code.hooks,
            }
            self._described = _described(await self._asked(wish, timeout_s))
        return self._described

    async def _start(self) -> None:
        code = self._code
        try:
            lodged = await self._rooms.room(worker_program(), code.kind, code.name, writes=self._writes)
            self._process = await started(lodged, MOST_ANSWER_BYTES)
        except SandboxError as error:
            raise WorkerError(WorkerTrouble.NO_ROOM, str(error)) from error
        except OSError as error:
            raise WorkerError(WorkerTrouble.NO_ROOM, error.strerror or type(error).__name__) from error
        if self._closed:  # meanwhile
            await self._end()
            raise WorkerError(WorkerTrouble.GONE)
        log.info("an extension's process was started", extra={"kind": code.kind})

    async def _asked(self, wish: Mapping[str, Json], timeout_s: float) -> Json:
        """The answer; whatever is none ends the process."""
        self._number += 1
        try:
            async with asyncio.timeout(timeout_s):
                answer = await self._exchange({"id": self._number, **wish})
        except TimeoutError:
            await self._failed()
            raise WorkerError(WorkerTrouble.TIMED_OUT, f"{timeout_s:g}") from None
        except WorkerError:
            await self._failed()
            raise
        except asyncio.CancelledError:
            await self._end()
            raise
        self._failures = 0
        if "error" in answer:
            kind = WorkerTrouble.WRONG_ARGUMENTS if answer.get("argument") is True else WorkerTrouble.RAISED
            raise WorkerError(kind, str(answer["error"])[:MOST_ANSWER_BYTES])
        return answer.get("ok")

    async def _exchange(self, wish: Mapping[str, Json]) -> Mapping[str, Json]:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError, ConnectionResetError):  # that no answer comes says so
            process.stdin.write(json.dumps(wish).encode() + b"\n")
            await process.stdin.drain()
        try:
            line = await process.stdout.readline()
        except ValueError:
            raise WorkerError(WorkerTrouble.TOO_LARGE, f"{MOST_ANSWER_BYTES:,}") from None
        if not line.endswith(b"\n"):
            raise WorkerError(WorkerTrouble.ENDED, await _status(process))
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise WorkerError(WorkerTrouble.NONSENSE) from None
        if not isinstance(answer, dict) or answer.get("id") != wish["id"]:
            raise WorkerError(WorkerTrouble.NONSENSE)
        return answer

    async def _failed(self) -> None:
        self._failures += 1
        await self._end()

    async def _end(self) -> None:
        process, self._process, self._described = self._process, None, None
        if process is not None:
            await asyncio.shield(ended(process))


async def _status(process: Process) -> str:
    with suppress(TimeoutError):
        async with asyncio.timeout(1.0):
            return f"exit status {await process.wait()}"
    return "it closed its output"


def _described(answer: Json) -> Described:
    found = answer if isinstance(answer, dict) else {}
    tools: Sequence[Json] = found.get("tools") or ()
    hooks: Sequence[Json] = found.get("hooks") or ()
    parameters = {
        str(one["name"]): one["parameters"]
        for one in (tools if isinstance(tools, list) else ())
        if isinstance(one, dict) and isinstance(one.get("parameters"), dict) and "name" in one
    }
    return Described(parameters, tuple(str(one) for one in (hooks if isinstance(hooks, list) else ())))
