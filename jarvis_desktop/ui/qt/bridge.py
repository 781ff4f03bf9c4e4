"""The only crossing from other threads into the window's thread."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

from jarvis_desktop.core.items.events import Event


class Bridge(QObject):
    """One typed, queued signal: whoever calls ``deliver``, ``take`` runs in the window's thread, in order."""

    _arrived = Signal(object)
    _ordered = Signal(object)

    def __init__(self, take: Callable[[Event], None]) -> None:
        super().__init__()
        self._take = take
        self._arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        self._ordered.connect(self._on_ordered, Qt.ConnectionType.QueuedConnection)

    def deliver(self, event: Event) -> None:
        """Hand ``event`` over; returns at once, from any thread."""
        self._arrived.emit(event)

    def order(self, action: Callable[[], None]) -> None:
        """Run ``action`` in the window's thread; from any thread."""
        self._ordered.emit(action)

    def _on_arrived(self, event: Event) -> None:
        self._take(event)

    def _on_ordered(self, action: Callable[[], None]) -> None:
        action()
