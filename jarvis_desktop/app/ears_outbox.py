"""What the ears say, in order: events to everybody, commands to the core, troubles once each."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

from jarvis_desktop.core.items.commands import AnswerQuestion, Command, DecideSaving, Interrupt, SubmitTurn
from jarvis_desktop.core.items.events import Event, Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.ports import Emit

log = logging.getLogger(__name__)

Order: TypeAlias = SubmitTurn | AnswerQuestion | DecideSaving | Interrupt
"""The commands that ears give."""


class Outbox:
    """Keeps the order without making anybody wait: the ears never stop hearing to tell something."""

    def __init__(self, post: Callable[[Command], None], emit: Emit) -> None:
        self._post = post
        self._emit = emit
        self._waiting: asyncio.Queue[Event | Order] = asyncio.Queue()
        self._troubles: dict[Part, str] = {}

    def put(self, *items: Event | Order) -> None:
        """Say these, after everything before."""
        for item in items:
            self._waiting.put_nowait(item)

    def note(self, part: Part, text: str | None) -> None:
        """A part is in trouble, or (None) works again; the same news is not told twice."""
        if self._troubles.get(part) == text:
            return
        if text is None:
            del self._troubles[part]
            self.put(TroubleCleared(part))
        else:
            self._troubles[part] = text
            self.put(TroubleNoted(part, text))

    def trouble_of(self, *parts: Part) -> str:
        """What was last said of the first of these that is in trouble; empty when none is."""
        return next((self._troubles[part] for part in parts if part in self._troubles), "")

    def repeat(self, *parts: Part) -> None:
        """Say again what is wrong with these: somebody just tried to use them."""
        self.put(*(TroubleNoted(part, self._troubles[part]) for part in parts if part in self._troubles))

    @asynccontextmanager
    async def delivering(self) -> AsyncIterator[None]:
        """Deliver while inside; at an orderly end everything said so far is delivered."""
        pump = asyncio.create_task(self._pump())
        try:
            yield
            await self._waiting.join()
        finally:
            pump.cancel()
            await asyncio.gather(pump, return_exceptions=True)

    async def _pump(self) -> None:
        while True:
            item = await self._waiting.get()
            try:
                await self._deliver(item)
            except Exception as error:  # rim: the loop of the outbox; one lost line must not deafen the ears
                log.error("telling failed", exc_info=error)
            self._waiting.task_done()

    async def _deliver(self, item: Event | Order) -> None:
        if isinstance(item, Order):
            self._post(item)
        else:
            await self._emit(item)
