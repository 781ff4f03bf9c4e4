"""Tells an event to the end, even when the task that tells it is cancelled, or cancelled twice."""

import asyncio

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.ports import Emit


class Telling:
    """For events that close something: without them a dialog or a turn would stay open for good."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        # The loop holds tasks weakly; a telling whose teller was cancelled lives on here.
        self._running: set[asyncio.Future[None]] = set()

    async def __call__(self, event: Event) -> None:
        """The event is told when this returns; it is told all the same when this is cancelled."""
        telling = asyncio.ensure_future(self._emit(event))
        self._running.add(telling)
        telling.add_done_callback(self._running.discard)
        await asyncio.shield(telling)
