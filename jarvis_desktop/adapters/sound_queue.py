"""Blocks of sound on their way from PortAudio's thread to the loop."""

import asyncio
from collections import deque

QUEUE_BLOCKS = 125
"""10 s; a consumer further behind than that loses the oldest, which is counted."""
POLL_S = 0.25


class BlockQueue:
    """Filled by the callback, which only appends; emptied on the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.blocks: deque[bytes] = deque()
        self.dropped = 0
        self.ended = False
        self.news = asyncio.Event()

    async def wait(self) -> None:
        """Returns at the next block, or after a while to look around."""
        try:
            async with asyncio.timeout(POLL_S):
                await self.news.wait()
        except TimeoutError:
            return
        self.news.clear()

    def put(self, block: bytes) -> None:
        """One more block; from any thread."""
        if len(self.blocks) >= QUEUE_BLOCKS:
            self.blocks.popleft()
            self.dropped += 1
        self.blocks.append(block)
        self._wake()

    def end(self) -> None:
        """No more will come; from any thread."""
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self.news.set)
        except RuntimeError:  # the loop is closed: the program is ending
            return
