"""A polite kill ends the console as Ctrl+D does."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def ended_by_sigterm(stop: Callable[[], None]) -> Iterator[None]:
    """SIGTERM calls ``stop`` inside the block; outside the main thread nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    old = signal.signal(signal.SIGTERM, lambda _number, _frame: stop())
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, old)
