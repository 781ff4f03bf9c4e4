"""A voice that is a table: so much sound for so much text."""

import asyncio
from collections.abc import AsyncIterator

from jarvis_desktop.core.items.agents import NO_VOICE_WISH, VoiceWish
from jarvis_desktop.core.items.errors import MissingPartError
from jarvis_desktop.core.items.speech import Language, Sound

PIECE = Sound(b"\1\0" * 1600)


class FakeVoice:
    """Fills ``Voice``. Two pieces for each text; remembers what it was asked to say."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Language]] = []
        self.wishes: list[VoiceWish] = []
        self.missing: MissingPartError | None = None
        self.hold: asyncio.Event | None = None
        """When set, the second piece waits for it."""

    async def speak(
        self, text: str, language: Language, wish: VoiceWish = NO_VOICE_WISH
    ) -> AsyncIterator[Sound]:
        self.asked.append((text, language))
        self.wishes.append(wish)
        if self.missing is not None:
            raise self.missing
        yield PIECE
        if self.hold is not None:
            await self.hold.wait()
        yield PIECE
