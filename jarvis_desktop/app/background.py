"""What runs beside the conversation, and how all of it ends in time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine

log = logging.getLogger(__name__)

CLOSE_S = 1.5
"""Of the three seconds that quitting may take; the database is closed after this."""


async def close_all(*parts: Callable[[], Awaitable[None]]) -> None:
    """All side by side, within their time: what hangs ends with the process, the database must not."""
    tasks = [asyncio.ensure_future(close()) for close in parts]
    done, late = await asyncio.wait(tasks, timeout=CLOSE_S)
    for task in late:
        log.warning("a part did not close in time")
        task.cancel()
    for task in done:
        if task.exception() is not None:
            log.error("a part could not be closed", exc_info=task.exception())


async def with_background(
    main: Coroutine[None, None, None], behind: list[Coroutine[None, None, None]]
) -> None:
    """Run ``main`` to its end; what runs behind it may fail without taking it along."""
    tasks = [asyncio.create_task(work) for work in behind]
    for task in tasks:
        task.add_done_callback(_log_failure)
    try:
        await main
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and task.exception():
        log.error("a part behind the conversation stopped", exc_info=task.exception())
