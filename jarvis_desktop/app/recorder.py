"""Events reach the disk before anybody sees them, so that no shown line is lost."""

import logging

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
        try:
            await self._record(event)
        except (JarvisError, OSError) as error:
            self._say_trouble(error)
        else:
            if self._in_trouble and isinstance(event, ReplyDelta | ReplyReplaced | ActivityNoted):
                self._in_trouble = False
                self._bus.publish(TroubleCleared(Part.DATABASE))
        self._bus.publish(event)

    async def _record(self, event: Event) -> None:
        match event:
            case ReplyDelta(turn_id, text):
                whole = self._replies.get(turn_id, "") + text
                self._replies[turn_id] = whole
                await self._store.set_reply(turn_id, whole)
            case ReplyReplaced(turn_id, text):
                self._replies[turn_id] = text
                await self._store.set_reply(turn_id, text)
            case TurnEnded():
                self._replies.pop(event.turn_id, None)
                await self._store.end_turn(event.turn_id, event.end, event.text)
            case ActivityNoted():
                await self._store.add_activity(event)
            case _:
                pass

    def _say_trouble(self, error: Exception) -> None:
        log.warning("could not store an event", extra={"error": type(error).__name__})
        if self._in_trouble:
            return
        self._in_trouble = True
        text = self._texts(
            "The conversation cannot be saved right now ({reason}). It goes on, but what is said now "
            "will be missing after a restart. Free some disk space or check the folder's permissions."
        ).format(reason=error)
        self._bus.publish(TroubleNoted(Part.DATABASE, text))
