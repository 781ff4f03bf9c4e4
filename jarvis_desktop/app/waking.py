"""A wait that ends with its time, or earlier when somebody wishes it."""

import asyncio

from jarvis_desktop.core.ports import Clock


async def woken_within(seconds: float, wish: asyncio.Event, clock: Clock) -> None:
    """Returns when ``wish`` is set or ``seconds`` are over; the wish is left as it is."""
    waits = [asyncio.ensure_future(wish.wait()), asyncio.ensure_future(clock.sleep(seconds))]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
