"""A machine for simulations: time moved by hand, threads that take none, death at a chosen write."""

import asyncio
import heapq
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple
from unittest.mock import patch

from jarvis_desktop.adapters.sqlite_file import open_database
from jarvis_desktop.adapters.sqlite_store import SqliteStore, Work
from jarvis_desktop.core.ports import Clock, Texts

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class KilledError(BaseException):
    """Kill -9: nobody may catch it, and nothing of this start reaches the disk any more."""


class OneThreadLoop(asyncio.SelectorEventLoop):
    """What others do on threads is done at once; its result comes at the loop's next round, as from a thread.

    So the order of everything follows from the seed alone, and 90 days take minutes.
    """

    def run_in_executor(
        self, executor: Executor | None, func: "Callable[[*Ts], T]", *args: *Ts
    ) -> "asyncio.Future[T]":
        del executor
        future: asyncio.Future[T] = self.create_future()
        try:
            done = func(*args)
        except BaseException as error:
            self.call_soon(_unless_done, future, future.set_exception, error)
        else:
            self.call_soon(_unless_done, future, future.set_result, done)
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """What a killed start leaves behind is nobody's fault."""
        if not isinstance(context.get("exception"), KilledError):
            super().call_exception_handler(context)

    async def settle(self) -> None:
        """Every task that can go on has gone on until it waits."""
        await asyncio.sleep(0)
        while self._ready:  # type: ignore[attr-defined]  # nothing public says so
            await asyncio.sleep(0)


def _unless_done(future: "asyncio.Future[Any]", give: Callable[[Any], None], what: object) -> None:
    if not future.done():
        give(what)


def settle() -> "asyncio.Future[None]":
    """As ``OneThreadLoop.settle``, on the running loop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, OneThreadLoop)
    return asyncio.ensure_future(loop.settle())


class SetClock:
    """Fills ``Clock``: true time passes, a sleep does not count as running, and the wall clock may be set."""

    def __init__(self, start: datetime) -> None:
        self._start = start
        self.lived_s = 0.0
        """True time since the beginning, sleep and jumps of the wall clock notwithstanding."""
        self._ran_s = self._wall_s = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        """The wall clock."""
        return self._start + timedelta(seconds=self.lived_s + self._wall_s)

    def monotonic_s(self) -> float:
        """Seconds that the machine was awake."""
        return self._ran_s

    async def sleep(self, seconds: float) -> None:
        """Until that much time was moved on."""
        waker: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._ran_s + max(0.0, seconds), next(self._order), waker))
        await waker

    async def pass_s(
        self, seconds: float, *, until: Callable[[], bool] = lambda: False, at_once: bool = False
    ) -> None:
        """Move on; whoever slept wakes in order. until: true ends it early.

        at_once: whoever slept wakes late, when all of it is over, as on a machine that was very busy.
        """
        target = self._ran_s + seconds
        await _run_on()
        if at_once:
            self._move(seconds)
        while self._sleepers and self._sleepers[0][0] <= target and not until():
            due, _, waker = heapq.heappop(self._sleepers)
            self._move(max(0.0, due - self._ran_s))
            if not waker.done():
                waker.set_result(None)
                await _run_on()
        if not until():
            self._move(max(0.0, target - self._ran_s))

    def asleep_s(self, seconds: float) -> None:
        """The machine sleeps, or is off: nothing runs, and the wall clock goes on."""
        self.lived_s += seconds

    def set_s(self, seconds: float) -> None:
        """Somebody sets the wall clock."""
        self._wall_s += seconds

    @property
    def off_s(self) -> float:
        """By how much the wall clock is wrong."""
        return self._wall_s

    def forget_sleepers(self) -> None:
        """Whoever slept is dead."""
        self._sleepers.clear()

    def _move(self, seconds: float) -> None:
        self._ran_s += seconds
        self.lived_s += seconds


async def _run_on() -> None:
    await settle()


@dataclass
class Reaper:
    """Counts the writes of one start of the program, and kills it at one of them."""

    writes: int = 0
    dies_at: int = 0
    """At which write, counted from the beginning; 0 for never."""
    before: bool = True
    """The write does not come about; otherwise it is the last thing that does."""
    dead: bool = False
    real: bool = False
    """A signal to this process, instead of an exception that nobody catches."""

    def alive(self) -> None:
        """Raises KilledError: this start is dead, and writes nothing."""
        if self.dead:
            raise KilledError

    def before_write(self) -> None:
        """Something is about to be on disk."""
        self.alive()
        self.writes += 1
        if self.writes == self.dies_at and self.before:
            self._kill()

    def after_write(self) -> None:
        """It is on disk."""
        if self.writes == self.dies_at and not self.before and not self.dead:
            self._kill()

    def _kill(self) -> None:
        if self.real:
            os.kill(os.getpid(), signal.SIGKILL)
        self.dead = True
        raise KilledError


class MortalStore(SqliteStore):
    """The real store; each commit that changes something may be the last."""

    reaper: Reaper

    async def commit(self, work: Work[T]) -> T:
        """See ``SqliteStore``."""
        changed = False

        def counted(connection: Any) -> T:
            nonlocal changed
            self.reaper.alive()
            before = connection.total_changes
            result = work(connection)
            changed = connection.total_changes != before
            if changed:
                self.reaper.before_write()
            return result

        result = await super().commit(counted)
        if changed:
            self.reaper.after_write()
        self.reaper.alive()
        return result

    def drop(self) -> None:
        """The process is gone, and with it what was not committed."""
        self._connection.close()


def open_mortal(path: Path, clock: Clock, texts: Texts, reaper: Reaper) -> MortalStore:
    """The store in ``path``, whose writes ``reaper`` counts."""
    connection, set_aside = open_database(path, clock.now(), texts)
    assert set_aside is None, "a kill damaged the database"
    store = MortalStore(connection, ThreadPoolExecutor(max_workers=1), path, clock, texts)
    store.reaper = reaper
    return store


@contextmanager
def mortal_disk(home: Path, reaper_of: Callable[[], Reaper]) -> Iterator[None]:
    """New names and removals below ``home`` are writes too; a dead program leaves its drafts behind.

    No write waits for the disk: what a killed process has written, the system has.
    """
    replace, unlink = os.replace, os.unlink

    def ours(path: object) -> bool:
        return str(path).startswith(str(home))

    def counted_replace(source: Any, target: Any, **rest: Any) -> None:
        if not ours(target):
            return replace(source, target, **rest)
        reaper_of().before_write()
        replace(source, target, **rest)
        return reaper_of().after_write()

    def counted_unlink(path: Any, **rest: Any) -> None:
        if not ours(path):
            return unlink(path, **rest)
        if str(path).endswith(".tmp"):  # a draft
            reaper_of().alive()
            return unlink(path, **rest)
        reaper_of().before_write()
        unlink(path, **rest)
        return reaper_of().after_write()

    with (
        patch.object(os, "replace", counted_replace),
        patch.object(os, "unlink", counted_unlink),
        patch.object(os, "fsync", lambda _: None),
    ):
        yield
