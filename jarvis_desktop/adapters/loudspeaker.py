"""Plays our own samples through PortAudio, so that silence is one call away.

The stream is opened with the first sound and stands still while nothing plays: no idle load, and
the first sample leaves within about 20 ms of a start instead of a whole buffer later. Cutting ends
it at the next block and drops what the device still holds.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from enum import Enum, auto
from typing import Protocol, TypeVar

from jarvis_desktop.adapters.output_stream import LATENCY_S, NoPortAudioError, OutputStream, open_output
from jarvis_desktop.adapters.play_buffer import PlayBuffer, RateFitter, Samples
from jarvis_desktop.core.items.errors import AudioUnavailableError
from jarvis_desktop.core.items.speech import Sound
from jarvis_desktop.core.ports import Texts

log = logging.getLogger(__name__)

DEVICE_TIMEOUT_S = 2.0
"""Opening, starting or a silent audio thread longer than this means that the device is gone."""
CHECK_EVERY_S = 0.5
IDLE_S = 0.3
"""The stream stops by itself when nothing came for so long."""

T = TypeVar("T")


class Times(Protocol):
    """What PortAudio tells the callback about time."""

    outputBufferDacTime: float  # noqa: N815 - PortAudio's name
    currentTime: float  # noqa: N815 - PortAudio's name


class _State(Enum):
    CLOSED = auto()
    STOPPED = auto()
    RUNNING = auto()
    ENDING = auto()
    """Asked to end; it does with the next block, at most 25 ms later."""


class PortAudioLoudspeaker:
    """Fills ``Loudspeaker``. Sounds line up without a gap; use it from one event loop."""

    def __init__(self, texts: Texts, device: str = "") -> None:
        self._texts = texts
        self._device = device
        self._lock = asyncio.Lock()
        self._state = _State.CLOSED
        self._stream: OutputStream | None = None
        self._buffer = PlayBuffer(1.0)
        self._fitter = RateFitter(1.0)
        self._waiting: set[asyncio.Future[None]] = set()
        self._ended = asyncio.Event()
        self._background: set[asyncio.Future[None]] = set()
        self._busy_at_s = 0.0
        self._alive_at_s = 0.0

    @property
    def playing(self) -> bool:
        """Sound is still leaving the device, drain included."""
        return bool(self._waiting)

    async def play(self, sound: Sound) -> None:
        """Returns when the last sample has really been played, or at ``cut``.

        Raises:
            AudioUnavailableError: no device, or it went away; noticed within 3 s.
        """
        async with self._lock:
            await self._open()
        played = self._append(sound)
        # Whoever brings the next piece in this moment appends it too: a stream that starts takes a tenth
        # of a second at once, and would run dry on a short first piece.
        await asyncio.sleep(0)
        try:
            async with self._lock:
                await self._start()
            await self._watched(played)
        finally:
            self._waiting.discard(played)

    def cut(self) -> None:
        """Silence now; every ``play`` returns."""
        self._buffer.clear()
        self._settle_all(None)
        if self._state is _State.RUNNING:
            self._state = _State.ENDING

    def use(self, device: str) -> None:
        """Play on ``device`` from now on; empty is the system's default. What plays on another one is cut."""
        if device != self._device:
            self._device = device
            self._behind(self.release())

    async def release(self) -> None:
        """Close the device; the next ``play`` opens it again. PortAudio may be started anew in between."""
        self.cut()
        async with self._lock:
            await self._close()

    def _append(self, sound: Sound) -> "asyncio.Future[None]":
        loop = asyncio.get_running_loop()
        played: asyncio.Future[None] = loop.create_future()

        def handed(heard_in_s: float) -> None:
            loop.call_soon_threadsafe(loop.call_later, heard_in_s, _settle, played, None)

        self._waiting.add(played)
        self._buffer.append(self._fitter.fit(sound, anew=self._buffer.ran_dry), handed)
        return played

    async def _watched(self, played: "asyncio.Future[None]") -> None:
        while not played.done():
            await asyncio.wait({played}, timeout=CHECK_EVERY_S)
            silent_s = time.monotonic() - self._alive_at_s
            if not played.done() and self._state is _State.RUNNING and silent_s > DEVICE_TIMEOUT_S:
                self._lose()
        played.result()

    async def _open(self) -> None:
        if self._state is not _State.CLOSED:
            return
        loop = asyncio.get_running_loop()

        def finished() -> None:
            loop.call_soon_threadsafe(self._finished)

        try:
            self._stream = await self._in_time(lambda: open_output(self._device, self._fill, finished))
        except NoPortAudioError as error:
            raise AudioUnavailableError(
                self._texts(
                    "PortAudio was not found. Install it, on Debian and Ubuntu with: "
                    "sudo apt install libportaudio2."
                )
            ) from error
        self._buffer = PlayBuffer(self._stream.rate_hz)
        self._fitter = RateFitter(self._stream.rate_hz)
        self._state = _State.STOPPED

    async def _start(self) -> None:
        """The stream runs; what was appended before is in its first block."""
        if self._state is _State.ENDING:
            await self._end()
        if self._state is not _State.STOPPED or self._stream is None or not self._waiting:
            return
        self._alive_at_s = self._busy_at_s = time.monotonic()
        stream = self._stream
        # Set before the stream runs: its end may be told at any moment from then on.
        self._state = _State.RUNNING
        self._ended.clear()
        try:
            await self._in_time(stream.start)
        except AudioUnavailableError:
            self._state = _State.STOPPED
            await self._close()
            raise

    async def _end(self) -> None:
        """A stream that was asked to end has ended; one that does not is given up."""
        try:
            await asyncio.wait_for(self._ended.wait(), DEVICE_TIMEOUT_S)
        except TimeoutError:
            self._lose()

    async def _in_time(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.wait_for(asyncio.to_thread(work), DEVICE_TIMEOUT_S)
        except (OSError, TimeoutError) as error:
            log.warning("the loudspeaker cannot be used", extra={"error": type(error).__name__})
            raise AudioUnavailableError(
                self._texts(
                    "No loudspeaker could be opened. Connect one or choose it in the system's sound "
                    "settings; Jarvis "
                    "tries again with the next answer."
                )
            ) from error

    def _fill(self, out: Samples, times: Times) -> bool:
        """Runs on the audio thread. False ends the stream and drops what the device holds."""
        self._alive_at_s = time.monotonic()
        heard_in_s = times.outputBufferDacTime - times.currentTime
        if not 0 <= heard_in_s <= 1:  # some drivers tell nonsense
            heard_in_s = LATENCY_S
        if self._state is _State.ENDING:
            out[:] = 0
            return False
        if self._buffer.take(out, heard_in_s):
            self._busy_at_s = self._alive_at_s
        return self._alive_at_s - self._busy_at_s < IDLE_S

    def _finished(self) -> None:
        """The stream ended: by itself when idle, by ``cut``, or because the device went away."""
        if self._stream is None or self._state not in (_State.RUNNING, _State.ENDING):
            return
        if not self._stream.ended_by_fill:
            self._lose()
            return
        self._state = _State.STOPPED
        self._ended.set()
        if self._waiting:  # a sound came in the very moment in which it ended
            self._behind(self._again())

    async def _again(self) -> None:
        async with self._lock:
            try:
                await self._start()
            except AudioUnavailableError as error:
                self._settle_all(error)

    def _lose(self) -> None:
        log.warning("the loudspeaker went away")
        self._state = _State.CLOSED
        self._ended.set()
        stream, self._stream = self._stream, None
        self._buffer.clear()
        self._settle_all(
            AudioUnavailableError(
                self._texts("The loudspeaker stopped playing. Jarvis opens it again with the next answer.")
            )
        )
        if stream is not None:
            self._behind(asyncio.to_thread(stream.close))

    async def _close(self) -> None:
        if self._state is _State.ENDING:
            await self._end()
        self._state = _State.CLOSED
        stream, self._stream = self._stream, None
        if stream is not None:
            closing = asyncio.ensure_future(asyncio.to_thread(stream.close))
            await asyncio.wait({closing}, timeout=DEVICE_TIMEOUT_S)

    def _behind(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _settle_all(self, error: AudioUnavailableError | None) -> None:
        for played in list(self._waiting):
            _settle(played, error)
        self._waiting.clear()


def _settle(played: "asyncio.Future[None]", error: AudioUnavailableError | None) -> None:
    if played.done():
        return
    if error is None:
        played.set_result(None)
    else:
        played.set_exception(error)
