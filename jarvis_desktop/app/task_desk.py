"""What all desks are that do in tasks what windows ask for."""

import asyncio
import logging
from collections.abc import Awaitable
from typing import Generic, TypeVar

log = logging.getLogger(__name__)

Wish = TypeVar("Wish")


class TaskDesk(Generic[Wish]):
    """Obeys commands in tasks, so that nobody waits for it. ``_do`` is what each desk does."""

    def __init__(self) -> None:
        self._changing = asyncio.Lock()
        """For changes and looks that come one after another: what was told last is how it is."""
        self._tasks: set[asyncio.Future[None]] = set()

    def obey(self, command: Wish) -> None:
        """Do it; returns at once."""
        self._begin(self._do(command))

    async def close(self) -> None:
        """Everything that was asked for is done, and what came of it too."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _do(self, command: Wish) -> None:
        raise NotImplementedError

    def _begin(self, work: Awaitable[None]) -> "asyncio.Future[None]":
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Future[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("a wish failed", exc_info=task.exception(), extra={"desk": type(self).__name__})
