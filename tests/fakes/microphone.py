"""A microphone that the test speaks into."""

import asyncio
from collections.abc import AsyncIterator

from jarvis_desktop.core.ports import Captured


class FakeMicrophone:
    """Fills ``Microphone``."""

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[Captured | None] = asyncio.Queue()
        self.live = True
        self.muted = False

    def put(self, piece: Captured) -> None:
        self._waiting.put_nowait(piece)

    async def chunks(self) -> AsyncIterator[Captured]:
        while (piece := await self._waiting.get()) is not None:
            yield piece

    def set_muted(self, *, muted: bool) -> None:
        self.muted = muted
        self.live = not muted

    async def close(self) -> None:
        self._waiting.put_nowait(None)
