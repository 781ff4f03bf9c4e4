"""Turns that nobody waits for: stored like every other, told by their outcome alone."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from jarvis_desktop.app.agent_models import AgentModels
from jarvis_desktop.core.items.calls import ToolResult
from jarvis_desktop.core.items.delegation import DelegateEnded, DelegateStarted, DelegateUsedTool
from jarvis_desktop.core.items.events import (
    Event,
    ModelWaiting,
    ReplyDelta,
    ReplyReplaced,
    ToolCalled,
    ToolFinished,
    TurnEnded,
)
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.turn import Message, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import Emit, Texts
from jarvis_desktop.core.turn.turn_notes import TurnNotes, TurnOutcome

log = logging.getLogger(__name__)

_UNSAID = (
    ReplyDelta,
    ReplyReplaced,
    ModelWaiting,
    ToolCalled,
    DelegateStarted,
    DelegateUsedTool,
)
"""What windows, mouth and console take for news of the open conversation."""


Finished: TypeAlias = Callable[[ToolResult], Awaitable[None]]


class QuietRecord(Protocol):
    """Where turns are kept; never raises for a disk in trouble."""

    async def begin_turn(self, request: TurnRequest) -> None:
        """The request is on disk."""

    async def keep_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        """What was said and done is on disk."""

    async def end_turn(self, turn_id: TurnId, end: TurnEnd, text: str) -> None:
        """How it ended is on disk."""


class QuietTelling:
    """Fills ``Emit`` for all turns; what a quiet one says goes to the disk and not to the person's screen."""

    def __init__(self, emit: Emit, record: QuietRecord) -> None:
        self._emit, self._record = emit, record
        self._quiet: dict[TurnId, Finished | None] = {}

    def begin(self, turn_id: TurnId, finished: Finished | None = None) -> None:
        """Nobody waits for that turn.

        finished: called with what each of its calls came to, before the model reads that.
        """
        self._quiet[turn_id] = finished

    def over(self, turn_id: TurnId) -> None:
        """Nothing more comes of it."""
        self._quiet.pop(turn_id, None)

    async def emit(self, event: Event) -> None:
        """Tell ``event``, or only keep it."""
        ids = {getattr(event, "turn_id", None), getattr(event, "root_id", None)}
        if not ids & self._quiet.keys():
            await self._emit(event)
        elif isinstance(event, ToolFinished):
            finished = self._quiet.get(event.turn_id)
            if finished is not None:
                await finished(event.result)
        elif isinstance(event, TurnEnded):
            await self._record.end_turn(event.turn_id, event.end, event.text)
        elif isinstance(event, DelegateEnded):
            await self._record.end_turn(event.delegate_id, event.done.end, event.done.text)
        elif not isinstance(event, _UNSAID):
            await self._emit(event)


@dataclass(frozen=True, slots=True)
class QuietTurns:
    """Runs whole turns behind the person's back, on models that let the person go first."""

    models: Callable[[], AgentModels]
    record: QuietRecord
    telling: QuietTelling
    texts: Texts

    async def run(self, request: TurnRequest, notes: TurnNotes) -> TurnOutcome:
        """How the turn ended; it is on disk from its beginning. ``request`` has its card.

        Raises:
            asyncio.CancelledError: interrupted; that is on disk.
        """
        models, telling = self.models(), self.telling
        await self.record.begin_turn(request)
        telling.begin(request.turn_id)
        try:
            return await models.run(request, (), models.style(request.agent), notes)
        except Exception as error:  # rim: the loop. A bug in a turn ends that turn.
            log.error("a turn behind the conversation broke", exc_info=error)
            text = self.texts("Something in Jarvis itself broke; the details are in the log.")
            await telling.emit(TurnEnded(request.turn_id, request.session_id, TurnEnd.FAILED, text))
            return TurnOutcome(TurnEnd.FAILED, text, tuple(notes.messages))
        finally:
            await asyncio.shield(self._kept(request.turn_id, notes))

    async def _kept(self, turn_id: TurnId, notes: TurnNotes) -> None:
        self.telling.over(turn_id)
        await self.record.keep_messages(turn_id, notes.messages)
