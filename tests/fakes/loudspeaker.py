"""A loudspeaker whose sounds end when the test says so."""

import asyncio

from jarvis_desktop.core.items.errors import AudioUnavailableError
from jarvis_desktop.core.items.speech import Sound
from tests.fakes.clock import settle


class FakeLoudspeaker:
    """Fills ``Loudspeaker``. ``drain`` lets everything that plays now be heard to its end."""

    def __init__(self, *, at_once: bool = False) -> None:
        self.played: list[Sound] = []
        self.cuts = 0
        self.missing: AudioUnavailableError | None = None
        self._at_once = at_once
        self._playing: list[asyncio.Future[None]] = []

    @property
    def playing(self) -> bool:
        return bool(self._playing)

    async def play(self, sound: Sound) -> None:
        if self.missing is not None:
            raise self.missing
        self.played.append(sound)
        if self._at_once:
            return
        heard: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._playing.append(heard)
        try:
            await heard
        finally:
            if heard in self._playing:
                self._playing.remove(heard)

    def cut(self) -> None:
        self.cuts += 1
        self._end(len(self._playing))

    async def drain(self, pieces: int | None = None) -> None:
        """The first ``pieces`` of what plays, or all of it, have been heard."""
        await settle()
        self._end(len(self._playing) if pieces is None else pieces)
        await settle()

    def _end(self, pieces: int) -> None:
        for heard in self._playing[:pieces]:
            if not heard.done():
                heard.set_result(None)
        del self._playing[:pieces]
