"""Blocking calls that may hang for ever, awaited from the loop without keeping the program from ending."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def in_daemon(work: Callable[[], T], name: str) -> asyncio.Future[T]:
    """The result of ``work``, which runs on a daemon thread of its own.

    A thread pool is joined at the end of the process, and a sound server that hangs would hold it there.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: Exception | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # without an error it is a T

    def run() -> None:
        result: T | None = None
        failure: Exception | None = None
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - rim: the thread; raised again where the future is awaited
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    threading.Thread(target=run, name=name, daemon=True).start()
    return future
