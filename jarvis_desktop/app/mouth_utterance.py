"""One thing to be said: synthesised ahead, played once, cut at any time."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing

from jarvis_desktop.core.items.agents import NO_VOICE_WISH, VoiceWish
from jarvis_desktop.core.items.errors import MissingPartError
from jarvis_desktop.core.items.ids import QuestionId, TurnId
from jarvis_desktop.core.items.speech import Language, Sound
from jarvis_desktop.core.ports import Loudspeaker, Voice

HEAD_S = 0.01
"""The first piece is played on its own: when that returns, sound has really left the loudspeaker."""


class Utterance:
    """One sentence, or the reading of one question."""

    def __init__(
        self,
        text: str,
        language: Language,
        *,
        turn_id: TurnId | None = None,
        question_id: QuestionId | None = None,
        answerable: bool = True,
        wish: VoiceWish = NO_VOICE_WISH,
    ) -> None:
        self.text = text
        self.language = language
        self.wish = wish
        self.turn_id = turn_id
        self.question_id = question_id
        self.read_id = question_id if answerable else None
        """The question that is read out by it; None when it only sends people to the screen."""
        self.was_cut = False
        self.over: asyncio.Future[MissingPartError | None] = asyncio.get_running_loop().create_future()
        """Said, cut (None), or impossible (the reason)."""
        self._pieces: asyncio.Queue[Sound | MissingPartError | None] = asyncio.Queue()
        self._synthesis: asyncio.Task[None] | None = None

    def prepare(self, voice: Voice) -> None:
        """Begin to synthesise; more calls change nothing."""
        if self._synthesis is None and not self.was_cut:
            self._synthesis = asyncio.create_task(self._synthesise(voice))

    def cut(self) -> None:
        """Say no more of it."""
        self.was_cut = True
        if self._synthesis is not None:
            self._synthesis.cancel()
        self._pieces.put_nowait(None)
        self.settle(None)

    def settle(self, trouble: MissingPartError | None) -> None:
        """It is over; whoever waits for it goes on."""
        if not self.over.done():
            self.over.set_result(trouble)

    async def play(self, loudspeaker: Loudspeaker, started: Callable[[], Awaitable[None]]) -> None:
        """Returns when all of it was heard, or at its cut. ``prepare`` comes first.

        started: awaited once, when the first sample has left the loudspeaker.

        Raises:
            MissingPartError: no voice or no loudspeaker.
        """
        playing: list[asyncio.Task[None]] = []
        try:
            async for sound in self._heads_and_pieces():
                playing.append(asyncio.create_task(loudspeaker.play(sound)))
                if len(playing) == 1:
                    playing.append(asyncio.create_task(self._announce(playing[0], started)))
            await asyncio.gather(*playing)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    async def _announce(self, head: "asyncio.Task[None]", started: Callable[[], Awaitable[None]]) -> None:
        await asyncio.wait({head})
        if not self.was_cut and not head.cancelled() and head.exception() is None:
            await started()

    async def _heads_and_pieces(self) -> AsyncIterator[Sound]:
        first = True
        while (piece := await self._pieces.get()) is not None and not self.was_cut:
            if isinstance(piece, MissingPartError):
                raise piece
            if first:
                first = False
                cut_at = int(HEAD_S * piece.rate_hz) * 2
                yield Sound(piece.pcm[:cut_at], piece.rate_hz)
                piece = Sound(piece.pcm[cut_at:], piece.rate_hz)
            yield piece

    async def _synthesise(self, voice: Voice) -> None:
        try:
            speech = voice.speak(self.text, self.language, self.wish)
            if isinstance(speech, AsyncGenerator):
                async with aclosing(speech):
                    await self._collect(speech)
            else:
                await self._collect(speech)
        except MissingPartError as error:
            self._pieces.put_nowait(error)
        else:
            self._pieces.put_nowait(None)

    async def _collect(self, speech: AsyncIterator[Sound]) -> None:
        async for sound in speech:
            self._pieces.put_nowait(sound)
