"""A microphone that runs, with what it delivered and said."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from jarvis_desktop.adapters.microphone import DeviceMicrophone, MicrophoneWiring
from jarvis_desktop.adapters.sound_devices import SoundDevices
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.core.items.events import Part
from jarvis_desktop.core.ports import Captured
from tests.fakes.texts import PlainTexts


@dataclass
class Listening:
    """What a running microphone delivered and said."""

    microphone: DeviceMicrophone
    pieces: list[Captured] = field(default_factory=list)
    troubles: list[tuple[float, str | None]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    async def until(self, holds: Callable[[], bool], within_s: float = 15.0) -> float:
        """Seconds until it held; bounded."""
        began = time.monotonic()
        async with asyncio.timeout(within_s):
            while not holds():
                await asyncio.sleep(0.02)
        return time.monotonic() - began

    async def until_sound(self, pieces: int = 1) -> float:
        """Seconds until so many more pieces."""
        count = len(self.pieces)
        return await self.until(lambda: len(self.pieces) >= count + pieces)

    async def until_trouble(self) -> float:
        """Seconds until something is said to be wrong."""
        return await self.until(lambda: bool(self.troubles) and self.troubles[-1][1] is not None)


@asynccontextmanager
async def listening(devices: SoundDevices, name: str = "") -> AsyncIterator[Listening]:
    """The microphone called ``name``, running."""

    def on_trouble(part: Part, text: str | None) -> None:
        assert part is Part.MICROPHONE
        heard.troubles.append((time.monotonic(), text))

    remarks: list[str] = []
    wiring = MicrophoneWiring(SystemClock(), PlainTexts(), on_trouble, remarks.append)
    heard = Listening(DeviceMicrophone(devices, name, wiring), remarks=remarks)

    async def drain() -> None:
        async for piece in heard.microphone.chunks():
            heard.pieces.append(piece)

    draining = asyncio.create_task(drain())
    try:
        yield heard
    finally:
        await heard.microphone.close()
        await draining
