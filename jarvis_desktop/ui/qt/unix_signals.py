"""Ctrl+C and a polite kill end the program, although Qt's loop keeps Python from noticing signals."""

import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QSocketNotifier

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class UnixSignals:
    """While open, SIGINT and SIGTERM call ``quit_now`` in Qt's loop. Main thread only."""

    def __init__(self, quit_now: Callable[[], None]) -> None:
        self._open = sys.platform != "win32"
        if not self._open:
            return
        self._quit_now = quit_now
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        self._old_fd = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._old = {number: signal.signal(number, _ignore) for number in _SIGNALS}
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._arrived)

    def _arrived(self) -> None:
        # Other signals (a child ended) wake us too; only ours end the program.
        if set(self._read.recv(64)) & set(_SIGNALS):
            self._quit_now()

    def close(self) -> None:
        """Everything is as before."""
        if not self._open:
            return
        self._open = False
        self._notifier.setEnabled(False)
        for number, old in self._old.items():
            signal.signal(number, old)
        signal.set_wakeup_fd(self._old_fd)
        self._read.close()
        self._write.close()


def _ignore(number: int, frame: FrameType | None) -> None:
    """The byte on the socket is what counts; this only keeps the default action away."""
    del number, frame
