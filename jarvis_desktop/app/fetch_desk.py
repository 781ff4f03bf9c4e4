"""All downloads of a running Jarvis: one of a kind at a time, told as they move, paused and gone on with."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from jarvis_desktop.core.items.errors import InvariantError, JarvisError
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import DropFetch, Fetch, FetchChanged, PauseFetch, RemoveModel
from jarvis_desktop.core.ports import Clock, Emit, Texts

log = logging.getLogger(__name__)

BEAT_S = 0.25
"""A download is told about at most this often."""

FetchCommand: TypeAlias = Fetch | PauseFetch | DropFetch | RemoveModel


class Fetcher(Protocol):
    """Fetches models of one kind."""

    async def fetch(self, name: str, tell: Callable[[FetchState], None]) -> None:
        """The model is there. Cancelled, it keeps what has come.

        Raises:
            JarvisError: it could not be had; the text says why and what to do.
        """

    async def drop(self, name: str) -> None:
        """What has come of an unfinished download is deleted.

        Raises:
            JarvisError: it could not be.
        """

    async def remove(self, name: str) -> None:
        """The model is deleted.

        Raises:
            JarvisError: it could not be.
        """


@dataclass(frozen=True, slots=True)
class _Key:
    kind: FetchKind
    name: str


@dataclass(frozen=True, slots=True)
class _Run:
    """The download of a kind that runs now."""

    key: _Key
    task: asyncio.Task[None]


class FetchDesk:
    """Obeys the commands about downloads and tells ``FetchChanged``.

    unfinished: downloads that an earlier run left behind; reads the disk, so it is called on a thread.
    """

    def __init__(
        self,
        fetchers: Mapping[FetchKind, Fetcher],
        *,
        emit: Emit,
        clock: Clock,
        texts: Texts,
        unfinished: Callable[[], tuple[FetchState, ...]] = tuple,
    ) -> None:
        if set(fetchers) != set(FetchKind):
            raise InvariantError("a kind of download has nobody who fetches it")
        self._fetchers = fetchers
        self._emit = emit
        self._clock = clock
        self._texts = texts
        self._unfinished = unfinished
        self._states: dict[_Key, FetchState] = {}
        self._queues: dict[FetchKind, list[_Key]] = {kind: [] for kind in FetchKind}
        self._runs: dict[FetchKind, _Run] = {}
        self._inbox: asyncio.Queue[FetchCommand] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None

    @property
    def states(self) -> tuple[FetchState, ...]:
        """Every download that somebody may want to see, for a window that opens later."""
        return tuple(self._states.values())

    async def start(self) -> None:
        """Unfinished downloads are told as paused, and commands are obeyed from now on."""
        for state in await asyncio.to_thread(self._unfinished):
            await self._show(_Key(state.kind, state.name), state)
        self._worker = asyncio.create_task(self._work(), name="fetch desk")

    async def obey(self, command: FetchCommand) -> None:
        """The command is taken; what comes of it is told by ``FetchChanged``."""
        self._inbox.put_nowait(command)

    async def close(self) -> None:
        """Every download is paused; what has come is kept for the next start."""
        if self._worker is not None:
            self._worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._worker
        for queue in self._queues.values():
            queue.clear()
        for run in tuple(self._runs.values()):
            await self._stop(run.key)

    async def _work(self) -> None:
        while True:
            command = await self._inbox.get()
            key = _Key(command.kind, command.name)
            try:
                await self._do(command, key)
            except Exception as error:  # noqa: BLE001 - rim: a task of the loop; told to the person
                await self._show(key, self._broken(key, error))

    async def _do(self, command: FetchCommand, key: _Key) -> None:
        fetcher = self._fetchers[key.kind]
        match command:
            case Fetch():
                await self._fetch(key)
            case PauseFetch():
                await self._pause(key)
            case DropFetch():
                await self._clear(key, fetcher.drop)
            case RemoveModel():
                await self._clear(key, fetcher.remove)

    async def _fetch(self, key: _Key) -> None:
        run, queue = self._runs.get(key.kind), self._queues[key.kind]
        if run is not None and run.key == key:
            # Asked for again while it runs: over a new connection, since a source may have become slow.
            queue.insert(0, key)
            await self._stop(key, told=False)
        elif key not in queue:
            queue.append(key)
            if run is None:
                await self._show(key, _still(self._state(key), FetchStage.RUNNING))
            else:
                waits = self._texts("Waits until {name} is there.").format(name=run.key.name)
                await self._show(key, replace(self._state(key), stage=FetchStage.WAITING, trouble=waits))
        self._next(key.kind)

    async def _pause(self, key: _Key) -> None:
        if key in self._queues[key.kind]:
            self._queues[key.kind].remove(key)
            await self._show(key, _still(self._state(key), FetchStage.PAUSED))
        await self._stop(key)
        self._next(key.kind)

    async def _clear(self, key: _Key, delete: Callable[[str], Awaitable[None]]) -> None:
        """What there is of it is deleted: the unfinished part, or the model too."""
        await self._pause(key)
        try:
            await delete(key.name)
        except JarvisError as error:
            await self._show(key, _still(self._state(key), FetchStage.FAILED, str(error)))
            return
        await self._show(key, FetchState(key.kind, key.name, FetchStage.GONE))
        self._states.pop(key, None)

    def _next(self, kind: FetchKind) -> None:
        if kind not in self._runs and self._queues[kind]:
            key = self._queues[kind].pop(0)
            task = asyncio.create_task(self._run(key), name=f"fetch {key.name}")
            self._runs[kind] = _Run(key, task)

    async def _stop(self, key: _Key, *, told: bool = True) -> None:
        """The download of ``key`` runs no longer; its bytes stay."""
        run = self._runs.get(key.kind)
        if run is None or run.key != key:
            return
        run.task.cancel()
        await asyncio.wait({run.task})
        if self._runs.get(key.kind) is run:
            self._runs.pop(key.kind)
        # It may have come to its end in this very moment; that is then already told.
        if told and self._state(key).stage not in {FetchStage.DONE, FetchStage.FAILED}:
            await self._show(key, _still(self._state(key), FetchStage.PAUSED))

    async def _run(self, key: _Key) -> None:
        moved = asyncio.Event()

        def note(state: FetchState) -> None:
            self._states[key] = state
            moved.set()

        pump = asyncio.create_task(self._pump(key, moved))
        try:
            await self._fetchers[key.kind].fetch(key.name, note)
            state = self._state(key)
            end = replace(_still(state, FetchStage.DONE), done_bytes=state.total_bytes)
        except JarvisError as error:
            end = _still(self._state(key), FetchStage.FAILED, str(error))
        except Exception as error:  # noqa: BLE001 - rim: a task of the loop; told to the person
            end = self._broken(key, error)
        finally:
            pump.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await pump
        await self._ended(key, end)

    def _broken(self, key: _Key, error: Exception) -> FetchState:
        log.error("download broke", extra={"error": type(error).__name__})
        text = self._texts(
            "Something in Jarvis itself broke; what has come is kept. The log has the details."
        )
        return _still(self._state(key), FetchStage.FAILED, text)

    async def _ended(self, key: _Key, end: FetchState) -> None:
        self._states[key] = end
        self._runs.pop(key.kind, None)
        self._next(key.kind)
        await self._emit(FetchChanged(end))

    async def _pump(self, key: _Key, moved: asyncio.Event) -> None:
        """Tells the newest state, and then nothing for a beat."""
        while True:
            await moved.wait()
            moved.clear()
            await self._emit(FetchChanged(self._state(key)))
            await self._clock.sleep(BEAT_S)

    def _state(self, key: _Key) -> FetchState:
        return self._states.get(key, FetchState(key.kind, key.name, FetchStage.WAITING))

    async def _show(self, key: _Key, state: FetchState) -> None:
        self._states[key] = state
        await self._emit(FetchChanged(state))


def _still(state: FetchState, stage: FetchStage, trouble: str = "") -> FetchState:
    """The state with nothing moving in it."""
    return replace(state, stage=stage, bytes_per_s=0.0, left_s=None, trouble=trouble)
