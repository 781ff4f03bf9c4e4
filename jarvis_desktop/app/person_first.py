"""The person goes first: other work begins when they want nothing, and lets go of the model."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from jarvis_desktop.core.items.events import Event, TurnEnded, TurnStarted, VoiceState, VoiceStateChanged
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.ports import ChatModel, ChatPiece, ChatRequest, Clock

TYPING_S = 10.0
"""Whoever typed or clicked so short a time ago is still at it."""


class PersonFirst:
    """Knows whether the person talks, types or waits for an answer."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turns: set[TurnId] = set()
        self._talks = self._types = False
        self._free, self._busy, self._wanted = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._free.set()
        self._still: asyncio.Task[None] | None = None
        """Waits until the person has stopped typing."""

    @property
    def busy(self) -> bool:
        """Nothing that can wait begins now."""
        return bool(self._turns) or self._talks or self._types

    def on_event(self, event: Event) -> None:
        """Follow the person's turns and voice; turns behind their back do not come this way."""
        match event:
            case TurnStarted(turn_id):
                self._turns.add(turn_id)
            case TurnEnded(turn_id):
                self._turns.discard(turn_id)
            case VoiceStateChanged(state):
                self._talks = state is not VoiceState.IDLE
            case _:
                return
        self._changed()

    def ticked(self, idle_s: float) -> None:
        """For so long nobody did anything in our windows."""
        if idle_s < TYPING_S:
            self.typed(idle_s)

    def typed(self, ago_s: float = 0.0) -> None:
        """The person typed or clicked so long ago, and is at it for some seconds more."""
        self._types = True
        if self._still is not None:
            self._still.cancel()
        self._still = asyncio.ensure_future(self._typed_until(TYPING_S - ago_s))
        self._changed()

    async def close(self) -> None:
        """Nothing of it runs."""
        if self._still is not None:
            self._still.cancel()
            await asyncio.gather(self._still, return_exceptions=True)

    async def patience(self, seconds: float) -> None:
        """So many seconds have passed in which the person wanted nothing."""
        left_s = seconds
        while left_s > 0:
            await self.free()
            began_s = self._clock.monotonic_s()
            passed, wanted = (
                asyncio.ensure_future(one) for one in (self._clock.sleep(left_s), self._busy.wait())
            )
            try:
                await asyncio.wait({passed, wanted}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (passed, wanted):
                    task.cancel()
                await asyncio.gather(passed, wanted, return_exceptions=True)
            left_s -= self._clock.monotonic_s() - began_s

    async def _typed_until(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._types = False
        self._changed()

    async def free(self) -> None:
        """The person wants nothing now."""
        await self._free.wait()

    async def wanted(self) -> None:
        """The person talks, or a turn of theirs has begun."""
        await self._wanted.wait()

    def _changed(self) -> None:
        wanted = bool(self._turns) or self._talks
        for event, on in ((self._free, not self.busy), (self._busy, self.busy), (self._wanted, wanted)):
            if on:
                event.set()
            else:
                event.clear()


class YieldingModel:
    """Fills ``ChatModel``: an answer that the person's wish interrupts is asked for again afterwards."""

    def __init__(self, model: ChatModel, person: PersonFirst) -> None:
        self._model, self._person = model, person

    @property
    def name(self) -> str:
        """As it is called."""
        return self._model.name

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and reply share."""
        return self._model.context_tokens

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        """The answer, whole: nobody watches it grow, so what was cut off need not be taken back.

        Raises:
            ModelUnavailableError: as from the model itself.
        """
        pieces: list[ChatPiece] | None = None
        while pieces is None:
            await self._person.free()
            pieces = await self._unless_wanted(request)
        for piece in pieces:
            yield piece

    async def warm_up(self, prefix: ChatRequest | None = None) -> None:
        """Load it."""
        await self._model.warm_up(prefix)

    async def close(self) -> None:
        """Its connections are closed."""
        await self._model.close()

    async def _unless_wanted(self, request: ChatRequest) -> list[ChatPiece] | None:
        """The whole answer; None when the person came first."""
        asking = asyncio.ensure_future(self._whole(request))
        wanted = asyncio.ensure_future(self._person.wanted())
        try:
            await asyncio.wait({asking, wanted}, return_when=asyncio.FIRST_COMPLETED)
            return asking.result() if asking.done() else None
        finally:
            for task in (asking, wanted):
                task.cancel()
            await asyncio.gather(asking, wanted, return_exceptions=True)

    async def _whole(self, request: ChatRequest) -> list[ChatPiece]:
        async with aclosing(self._model.stream(request)) as pieces:  # type: ignore[type-var]  # models are generators
            return [piece async for piece in pieces]
