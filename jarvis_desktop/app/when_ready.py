"""Waits for a disk that refuses, instead of ending: what people send meanwhile waits too."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from jarvis_desktop.adapters.sqlite_file import NewerDatabaseError
from jarvis_desktop.app.core_thread import Inbox
from jarvis_desktop.core.items.commands import Command, Quit
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.events import Event, Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.ports import Clock, Texts

log = logging.getLogger(__name__)

T = TypeVar("T")
LOOK_AGAIN_S = 2.0


class QuitMeanwhileError(Exception):
    """Somebody ended the program while it waited."""


@dataclass(slots=True)
class Patience:
    """How a start waits for its database."""

    inbox: Inbox
    clock: Clock
    texts: Texts
    publish: Callable[[Event], None]
    endless: bool
    """False for a single request on a terminal: it ends with the sentence at once."""
    _kept: list[Command] = field(default_factory=list)

    async def when_ready(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """What ``attempt`` returns, as soon as the disk lets it; commands of the meantime are in the inbox.

        Raises:
            StorageError: waiting cannot mend it, or nobody wants to wait.
            QuitMeanwhileError: ``Quit`` came first.
        """
        said = ""
        while True:
            try:
                ready = await attempt()
            except StorageError as error:
                if not self.endless or isinstance(error, NewerDatabaseError):
                    raise
                if str(error) != said:
                    said = str(error)
                    self._say(said)
                await self._pause()
            else:
                if said:
                    log.info("the database can be used now")
                    self.publish(TroubleCleared(Part.DATABASE))
                self._give_back()
                return ready

    def _say(self, reason: str) -> None:
        log.warning("the database cannot be used yet")
        text = self.texts(
            "{reason} Jarvis looks again every few seconds and begins by itself; what you send waits."
        )
        self.publish(TroubleNoted(Part.DATABASE, text.format(reason=reason)))

    async def _pause(self) -> None:
        """A few seconds, in which commands are kept.

        Raises:
            QuitMeanwhileError: one of them was ``Quit``.
        """
        waiting = asyncio.ensure_future(self.clock.sleep(LOOK_AGAIN_S))
        try:
            while not waiting.done():
                await self._keep_next(waiting)
        finally:
            waiting.cancel()

    async def _keep_next(self, waiting: "asyncio.Future[None]") -> None:
        """The next command is kept, unless the wait is over first."""
        coming = asyncio.ensure_future(self.inbox.get())
        try:
            await asyncio.wait((waiting, coming), return_when=asyncio.FIRST_COMPLETED)
        finally:
            coming.cancel()  # which does nothing to one that is done
        await asyncio.wait((coming,))
        if coming.cancelled():
            return
        if isinstance(coming.result(), Quit):
            raise QuitMeanwhileError
        self._kept.append(coming.result())

    def _give_back(self) -> None:
        """Everything is in the inbox again, in the order in which it came."""
        while not self.inbox.empty():
            self._kept.append(self.inbox.get_nowait())
        for command in self._kept:
            self.inbox.put_nowait(command)
        self._kept.clear()
