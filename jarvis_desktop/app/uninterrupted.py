"""Work that an interruption waits for: it is heard right behind it, and not lost."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """What ``work`` comes to. A task that is cancelled meanwhile notices at its next wait behind this."""
    task = asyncio.ensure_future(work)
    interrupted = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise
            interrupted = True
    own = asyncio.current_task()
    if interrupted and own is not None:
        own.cancel()
    return task.result()
