"""Recognition on trial: begun in a pause that may be the end, thrown away when the person goes on."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Generic, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")
RECOGNITION_LIMIT_S = 15.0
"""One attempt on ten seconds takes 0.4 s; loading the model cold 1 s. Beyond this it is stuck."""


class Trial(Generic[T]):
    """At most one recognition of one kind under way."""

    def __init__(self) -> None:
        self._task: asyncio.Task[T | None] | None = None

    def begin(self, work: Callable[[], Coroutine[None, None, T]]) -> None:
        """Start on what is there; an earlier trial is void."""
        self.drop()
        self._task = asyncio.create_task(_begun(work))

    def drop(self) -> None:
        """The person goes on, or something else began."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def settle(self, work: Callable[[], Coroutine[None, None, T]]) -> asyncio.Task[T | None]:
        """The trial that turned out to be final, or a fresh recognition when none is running."""
        task, self._task = self._task, None
        return task or asyncio.create_task(_begun(work))


async def bounded(work: Awaitable[T]) -> T | None:
    """The result; None when the recogniser failed or took too long, which is logged."""
    try:
        async with asyncio.timeout(RECOGNITION_LIMIT_S):
            return await work
    except (
        Exception
    ) as error:  # rim: a recognition beside the loop; the ears must come to rest whatever happens
        log.warning("recognition failed", exc_info=error)
        return None


async def _begun(work: Callable[[], Coroutine[None, None, T]]) -> T | None:
    """Called here and not before: work that is dropped in the same moment must not be left unawaited."""
    return await bounded(work())
