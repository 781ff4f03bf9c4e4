"""One PortAudio output stream behind a small surface; its errors are ``OSError``."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from jarvis_desktop.adapters.play_buffer import Samples
from jarvis_desktop.adapters.sound_devices import STREAMS

LATENCY_S = 0.1
"""Asked of PortAudio: rides out a busy interpreter. Ending does not wait for it: what is held is dropped."""


class NoPortAudioError(Exception):
    """The PortAudio library is not installed."""


class DeviceError(OSError):
    """PortAudio refused."""


class OutputStream(Protocol):
    """A stream that asks for samples while it runs."""

    @property
    def rate_hz(self) -> float:
        """Frames per second."""

    @property
    def ended_by_fill(self) -> bool:
        """Its last end was asked for by the fill function, so the device is still there."""

    def start(self) -> None:
        """Begin to ask for samples. It ends when the fill function says so, never from outside.

        PortAudio's own abort cancels the audio thread wherever it is. One that waits for the
        interpreter's lock then takes the lock along, and the whole program stands still.

        Raises:
            DeviceError: the device does not start.
        """

    def close(self) -> None:
        """Give the device back; only after its end. Errors are swallowed: it is gone then."""


Fill = Callable[[Samples, Any], bool]
"""(frames by channels to fill, PortAudio's times) → go on, or end and drop what the device still holds.

Runs on the audio thread.
"""


def open_output(device: str, fill: Fill, finished: Callable[[], None]) -> OutputStream:
    """A stream on ``device``, or on the default device when that is not there.

    finished: called on the audio thread whenever the stream has ended.

    Raises:
        NoPortAudioError: the library is missing.
        DeviceError: no device can be opened.
    """
    try:
        # PortAudio looks for devices when it is imported, so this waits until the first sound.
        import sounddevice
    except OSError as error:
        raise NoPortAudioError(str(error)) from error
    if device:
        try:
            return _PortAudioOutput(sounddevice, device, fill, finished)
        except (DeviceError, ValueError):
            pass  # a chosen device that is unplugged stays chosen; until it is back the default one plays
    return _PortAudioOutput(sounddevice, None, fill, finished)


class _PortAudioOutput:
    """``OutputStream`` on the device's own rate, in one or two channels."""

    def __init__(
        self, sounddevice: Any, device: str | None, fill: Fill, finished: Callable[[], None]
    ) -> None:
        self._trouble = sounddevice.PortAudioError
        self.ended_by_fill = False

        def fill_or_end(out: Samples, frames: int, times: Any, status: object) -> None:
            del frames, status
            if not fill(out, times):
                self.ended_by_fill = True
                raise sounddevice.CallbackAbort

        try:
            found = sounddevice.query_devices(device, "output")
            self._stream = sounddevice.OutputStream(
                device=device,
                samplerate=found["default_samplerate"],
                channels=min(2, found["max_output_channels"]),
                dtype="int16",
                latency=LATENCY_S,
                callback=fill_or_end,
                finished_callback=finished,
            )
        except sounddevice.PortAudioError as error:
            raise DeviceError(str(error)) from error
        STREAMS.add(self._stream)
        self.rate_hz = float(self._stream.samplerate)

    def start(self) -> None:
        self.ended_by_fill = False
        try:
            self._join()
            self._stream.start()
        except self._trouble as error:
            raise DeviceError(str(error)) from error

    def close(self) -> None:
        with suppress(self._trouble):
            self._join()
        self._stream.close(ignore_errors=True)

    def _join(self) -> None:
        """PortAudio wants an ended stream stopped before anything else; its thread is over already."""
        if not self._stream.stopped:
            self._stream.stop()
