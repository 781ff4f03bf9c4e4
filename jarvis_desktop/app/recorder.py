"""Events reach the disk before anybody sees them, so that no shown line is lost."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from jarvis_desktop.app.bus import Bus
from jarvis_desktop.core.items.delegation import DelegateEnded
from jarvis_desktop.core.items.errors import JarvisError, StorageError
from jarvis_desktop.core.items.events import (
    ActivityNoted,
    Event,
    Part,
    ReplyDelta,
    ReplyReplaced,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
)
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.memory_desk import PatternsUsed
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.turn import Message, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import ConversationStore, Memory, Texts

log = logging.getLogger(__name__)

Write: TypeAlias = Callable[[], Awaitable[None]]
MOST_OWED = 5000
"""Writes kept while the disk refuses: a day of talk. Past that the oldest are given up."""


class Recorder:
    """Fills ``Emit``: stores what must not be lost, then publishes."""

    def __init__(self, store: ConversationStore, bus: Bus, texts: Texts) -> None:
        self._store = store
        self._bus = bus
        self._texts = texts
        self._replies: dict[TurnId, str] = {}
        self._in_trouble = False
        self._owed: dict[object, Write] = {}
        """Writes that are not on disk yet, oldest first; of one answer only the newest text."""
        self._writing = asyncio.Lock()
        self._memory: Memory | None = None
        self._requests: dict[TurnId, TurnRequest] = {}
        """Of the turns that run."""

    def remember_in(self, memory: Memory) -> None:
        """From now on every turn that has ended is an episode there."""
        self._memory = memory

    async def emit(self, event: Event) -> None:
        """Store and publish. A disk that refuses is said once; the conversation goes on."""
        self._owe_for(event)
        await self._settle()
        self._bus.publish(event)

    async def queue_turn(self, request: TurnRequest) -> None:
        """The request that waits is on disk, if the disk takes it."""
        self._owe(lambda: self._store.queue_turn(request))
        await self._settle()

    async def begin_turn(self, request: TurnRequest) -> None:
        """The request is on disk, if the disk takes it."""
        self._requests[request.turn_id] = request
        self._owe(lambda: self._store.begin_turn(request))
        await self._settle()

    async def keep_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        """What later prompts should know is on disk, if the disk takes it."""
        kept = tuple(messages)
        self._owe(lambda: self._store.add_messages(turn_id, kept))
        memory, request = self._memory, self._requests.pop(turn_id, None)
        if memory is not None and request is not None:
            self._owe(lambda: memory.remember(request))
        await self._settle()

    async def end_turn(self, turn_id: TurnId, end: TurnEnd, text: str) -> None:
        """How a turn ended of which nobody is told is on disk, if the disk takes it."""
        self._owe(lambda: self._store.end_turn(turn_id, end, text))
        await self._settle()

    def _owe_for(self, event: Event) -> None:
        """What has to be written for this event."""
        match event:
            case ReplyDelta(turn_id, text):
                self._owe_reply(turn_id, self._replies.get(turn_id, "") + text)
            case ReplyReplaced(turn_id, text):
                self._owe_reply(turn_id, text)
            case TurnEnded():
                self._replies.pop(event.turn_id, None)
                self._owe(lambda: self._store.end_turn(event.turn_id, event.end, event.text))
            case DelegateEnded():
                self._owe(lambda: self._store.end_turn(event.delegate_id, event.done.end, event.done.text))
            case SlashAnswered():
                self._owe(lambda: self._store.add_command(event))
            case ActivityNoted():
                self._owe(lambda: self._store.add_activity(event))
            case PatternsUsed(turn_id, patterns) if self._memory is not None:
                memory = self._memory
                self._owe(lambda: memory.used(turn_id, patterns))
            case _:
                pass

    def _owe_reply(self, turn_id: TurnId, text: str) -> None:
        self._replies[turn_id] = text
        self._owed.pop(turn_id, None)
        self._owe(lambda: self._store.set_reply(turn_id, text), turn_id)

    def _owe(self, write: Write, key: object = None) -> None:
        self._owed[key or object()] = write
        if len(self._owed) > MOST_OWED:
            del self._owed[next(iter(self._owed))]

    async def _settle(self) -> None:
        # An interrupted turn must not take a write along that the store has already begun.
        await asyncio.shield(self._write_owed())

    async def _write_owed(self) -> None:
        """Write in order until all is on disk or the disk refuses; the rest is tried at the next event."""
        async with self._writing:
            while self._owed:
                key = next(iter(self._owed))
                write = self._owed.pop(key)
                try:
                    await write()
                except StorageError as error:
                    # A newer text of the same answer may have come meanwhile, and replaces this one.
                    self._owed = {key: write} | self._owed
                    self._say_trouble(error)
                    return
                except JarvisError as error:
                    log.error("an event cannot be stored", extra={"error": type(error).__name__})
            self._say_well()

    def _say_trouble(self, error: JarvisError) -> None:
        if self._in_trouble:
            return
        self._in_trouble = True
        log.warning("events cannot be stored for now", extra={"error": type(error).__name__})
        text = self._texts(
            "The conversation cannot be saved right now: {reason} It goes on, and is saved once that is "
            "mended; what is said until then would be missing after a restart."
        ).format(reason=error)
        self._bus.publish(TroubleNoted(Part.DATABASE, text))

    def _say_well(self) -> None:
        if self._in_trouble:
            self._in_trouble = False
            log.info("events can be stored again")
            self._bus.publish(TroubleCleared(Part.DATABASE))
