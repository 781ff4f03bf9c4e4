"""The one worker thread: an asyncio loop that runs the core beside the window's thread."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TypeAlias

from jarvis_desktop.core.items.commands import Command

log = logging.getLogger(__name__)

Inbox: TypeAlias = "asyncio.Queue[Command]"
CoreMain: TypeAlias = Callable[[Inbox], Awaitable[None]]
"""Runs the core until a ``Quit`` arrives in the inbox."""


POOL_NAME = "core-pool"
POOL_THREADS = 16
"""Most of them wait for a disk; six, as on two cores by default, could all be waiting for a slow one."""


class CoreThread:
    """Runs ``main`` on a loop of its own; ``post`` may be called from any thread."""

    def __init__(self, main: CoreMain, on_crash: Callable[[BaseException], None]) -> None:
        self._main = main
        self._on_crash = on_crash
        self._loop = asyncio.new_event_loop()
        self._pool = ThreadPoolExecutor(POOL_THREADS, thread_name_prefix=POOL_NAME)
        self._loop.set_default_executor(self._pool)
        self._inbox: Inbox = asyncio.Queue()
        self._thread = threading.Thread(target=self._run, name="core", daemon=True)

    def start(self) -> None:
        """The core begins to run."""
        self._thread.start()

    def post(self, command: Command) -> None:
        """Put a command into the inbox; ignored once the core has stopped."""
        try:
            self._loop.call_soon_threadsafe(self._inbox.put_nowait, command)
        except RuntimeError:  # the loop is closed: the program is ending
            log.info("command after the end", extra={"command": type(command).__name__})

    def join(self, timeout_s: float) -> bool:
        """Wait for the core and its blocking work; False when something still runs after ``timeout_s``.

        Python itself would wait for such work without end: a digest of a large model takes many seconds.
        """
        give_up_at_s = monotonic() + timeout_s
        self._thread.join(timeout_s)
        working = [one for one in threading.enumerate() if one.name.startswith(POOL_NAME)]
        for thread in working:
            thread.join(max(0.0, give_up_at_s - monotonic()))
        return not any(one.is_alive() for one in (self._thread, *working))

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._main(self._inbox))
        except Exception as error:  # rim: the thread
            log.error("core stopped by an error", exc_info=error)
            self._on_crash(error)
        finally:
            self._close()

    def _close(self) -> None:
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if left:
            self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._loop.close()
