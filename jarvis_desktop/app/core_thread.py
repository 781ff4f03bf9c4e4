"""The one worker thread: an asyncio loop that runs the core beside the window's thread."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from jarvis_desktop.core.items.commands import Command

log = logging.getLogger(__name__)

Inbox: TypeAlias = "asyncio.Queue[Command]"
CoreMain: TypeAlias = Callable[[Inbox], Awaitable[None]]
"""Runs the core until a ``Quit`` arrives in the inbox."""


class CoreThread:
    """Runs ``main`` on a loop of its own; ``post`` may be called from any thread."""

    def __init__(self, main: CoreMain, on_crash: Callable[[BaseException], None]) -> None:
        self._main = main
        self._on_crash = on_crash
        self._loop = asyncio.new_event_loop()
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
        """Wait for the core to end; False when it is still running after ``timeout_s``."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

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
        self._loop.close()
