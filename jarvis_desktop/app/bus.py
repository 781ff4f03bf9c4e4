"""One road for events: whoever wants to know subscribes."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from jarvis_desktop.core.items.events import Event

Listener: TypeAlias = Callable[[Event], None]


class Bus:
    """Hands every event to every listener, in order, on the core's loop."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> None:
        """From now on ``listener`` is told of every event; it must return at once."""
        self._listeners.append(listener)

    def publish(self, event: Event) -> None:
        """Tell everybody; call it on the loop's thread.

        Each listener runs as its own callback of the loop, so a fault in one reaches the loop's
        exception handler and neither the others nor the turn.
        """
        loop = asyncio.get_running_loop()
        for listener in self._listeners:
            loop.call_soon(listener, event)
