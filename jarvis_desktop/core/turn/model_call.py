"""One request to the model: its stream becomes visible text and one parsed reply."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from jarvis_desktop.core.items.events import ModelWaiting
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.ports import CallStyle, ChatModel, ChatPiece, ChatRequest, Clock, Emit
from jarvis_desktop.core.turn.reply_parser import ParsedReply, ReplyReader

FIRST_WAIT_S = 3.0
NEXT_WAIT_S = 10.0

Show = Callable[[str], Awaitable[None]]
"""Shows the visible text of the answer as far as it is known."""


class ModelCall:
    """Asks a model and reads what it says."""

    def __init__(self, model: ChatModel, clock: Clock, emit: Emit) -> None:
        self._model = model
        self._clock = clock
        self._emit = emit

    async def ask(self, request: ChatRequest, style: CallStyle, turn_id: TurnId, show: Show) -> ParsedReply:
        """The model's reply.

        show: given the whole visible text each time it grows.

        Raises:
            ModelUnavailableError: as from the model's stream.
        """
        reader = ReplyReader(style)
        waiting = asyncio.create_task(self._say_waiting(turn_id))
        try:
            async with _closed_at_the_end(self._model.stream(request)) as pieces:
                async for piece in pieces:
                    waiting.cancel()
                    before = reader.text
                    reader.feed(piece)
                    if reader.looping:
                        break
                    if reader.text != before:
                        await show(reader.text)
        finally:
            waiting.cancel()
        return reader.finish()

    async def _say_waiting(self, turn_id: TurnId) -> None:
        """A cold model can take a minute: people hear of it after 3 s and then every 10 s."""
        begun_s = self._clock.monotonic_s()
        wait_s = FIRST_WAIT_S
        while True:
            await self._clock.sleep(wait_s)
            await self._emit(ModelWaiting(turn_id, self._clock.monotonic_s() - begun_s))
            wait_s = NEXT_WAIT_S


@asynccontextmanager
async def _closed_at_the_end(pieces: AsyncIterator[ChatPiece]) -> AsyncIterator[AsyncIterator[ChatPiece]]:
    """``pieces``, closed however the block is left: that is what ends the request at the server."""
    try:
        yield pieces
    finally:
        close = getattr(pieces, "aclose", None)
        if close is not None:
            await close()
