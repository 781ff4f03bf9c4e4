"""Events reach the disk before anybody sees them, so that no shown line is lost."""

import logging
from collections.abc import Awaitable, Sequence

from jarvis_desktop.app.bus import Bus
from jarvis_desktop.core.items.errors import JarvisError
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
from jarvis_desktop.core.items.turn import Message, TurnRequest
from jarvis_desktop.core.ports import ConversationStore, Texts

log = logging.getLogger(__name__)


class Recorder:
    """Fills ``Emit``: stores what must not be lost, then publishes."""

    def __init__(self, store: ConversationStore, bus: Bus, texts: Texts) -> None:
        self._store = store
        self._bus = bus
        self._texts = texts
        self._replies: dict[TurnId, str] = {}
        self._in_trouble = False

    async def emit(self, event: Event) -> None:
        """Store and publish. A disk that refuses is said once; the conversation goes on."""
        work = self._record(event)
        if work is not None:
            await self._guarded(work)
        self._bus.publish(event)

    async def queue_turn(self, request: TurnRequest) -> None:
        """The request that waits is on disk, if the disk takes it."""
        await self._guarded(self._store.queue_turn(request))

    async def begin_turn(self, request: TurnRequest) -> None:
        """The request is on disk, if the disk takes it."""
        await self._guarded(self._store.begin_turn(request))

    async def keep_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        """What later prompts should know is on disk, if the disk takes it."""
        await self._guarded(self._store.add_messages(turn_id, messages))

    async def _guarded(self, work: Awaitable[None]) -> None:
        try:
            await work
        except JarvisError as error:
            self._say_trouble(error)
        else:
            self._say_well()

    def _record(self, event: Event) -> Awaitable[None] | None:
        """What has to be written for this event."""
        match event:
            case ReplyDelta(turn_id, text):
                self._replies[turn_id] = self._replies.get(turn_id, "") + text
                return self._store.set_reply(turn_id, self._replies[turn_id])
            case ReplyReplaced(turn_id, text):
                self._replies[turn_id] = text
                return self._store.set_reply(turn_id, text)
            case TurnEnded():
                self._replies.pop(event.turn_id, None)
                return self._store.end_turn(event.turn_id, event.end, event.text)
            case ActivityNoted():
                return self._store.add_activity(event)
            case _:
                return None

    def _say_trouble(self, error: JarvisError) -> None:
        log.warning("could not store an event", extra={"error": type(error).__name__})
        if self._in_trouble:
            return
        self._in_trouble = True
        text = self._texts(
            "The conversation cannot be saved right now: {reason} It goes on, but what is said until that is "
            "mended will be missing after a restart."
        ).format(reason=error)
        self._bus.publish(TroubleNoted(Part.DATABASE, text))

    def _say_well(self) -> None:
        if self._in_trouble:
            self._in_trouble = False
            self._bus.publish(TroubleCleared(Part.DATABASE))
