"""PortAudio for the whole process: loaded late, kept quiet, looking anew only when nothing is open."""

import contextlib
import ctypes
import logging
import os
import re
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from jarvis_desktop.core.items.errors import AudioUnavailableError

log = logging.getLogger(__name__)

BLOCK_S = 0.08
FALLBACK_RATES_HZ = (48_000, 44_100, 16_000, 8_000)
"""Tried when a device refuses the rate that it calls its own."""
ENDING_S = 0.5
"""Several blocks; a stream that still runs has ended by then."""
PA_DEVICE_UNAVAILABLE = -9985
_HANDS_FREE = re.compile(r"hands.?free|bluez|bluetooth|airpods|\bh[fs]p\b", re.IGNORECASE)
_ALSA_HANDLER = ctypes.CFUNCTYPE(
    None, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p
)
_quiet_handler = _ALSA_HANDLER(lambda *_: None)
"""Referenced here as long as libasound may call it."""


class SoundTrouble(StrEnum):
    """Why a device could not be opened."""

    NO_LIBRARY = "no_library"
    NO_DEVICE = "no_device"
    BUSY = "busy"
    REFUSED = "refused"


class SoundOpenError(AudioUnavailableError):
    """A device could not be opened."""

    def __init__(self, trouble: SoundTrouble, device: str = "") -> None:
        super().__init__(f"{device or 'sound'}: {trouble.value}")
        self.trouble = trouble
        self.device = device


@dataclass(frozen=True, slots=True)
class Device:
    """A sound device as PortAudio lists it."""

    index: int
    name: str
    rate_hz: int
    """Its own default rate."""
    channels: int


class Ending:
    """How a stream is brought to its end: from its own callback.

    PortAudio's abort cancels the audio thread wherever it is. One that waits for the interpreter's lock
    then takes the lock along, and the whole program stands still.
    """

    def __init__(self, on_end: Callable[[], None]) -> None:
        self._on_end = on_end
        self._over = threading.Event()
        self.wished = False
        """The next block is the last."""

    def ended(self) -> None:
        """Called by PortAudio when the stream has ended, for whatever reason."""
        self._over.set()
        self._on_end()

    def wish(self) -> bool:
        """Ask for the end and wait for it; False when no block comes any more that could bring it."""
        self.wished = True
        return self._over.wait(ENDING_S)


@dataclass(frozen=True, slots=True)
class OpenInput:
    """A running capture."""

    stream: Any  # sounddevice ships no types
    ending: Ending
    device: Device
    rate_hz: int
    channels: int
    wished: bool
    """It is the device that was asked for, not a stand-in."""
    avoided: str = ""
    """Name of the Bluetooth headset that is the default device and was left alone."""


class OpenStreams:
    """Every PortAudio stream of this process: a new look at the devices would leave them dangling.

    PortAudio lists no streams. Searching Python's objects for them was tried: ``gc.get_objects`` in one
    thread hands out tuples that another thread is still building, which then fails with a SystemError.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._streams: weakref.WeakSet[Any] = weakref.WeakSet()

    def add(self, stream: Any) -> None:
        """A stream was made; it is forgotten with its object."""
        with self._lock:
            self._streams.add(stream)

    def any_open(self) -> bool:
        """At least one of them is not closed."""
        with self._lock:
            return any(not stream.closed for stream in self._streams)


STREAMS = OpenStreams()
"""One for the process, as PortAudio itself is."""


_ONE_AT_A_TIME = threading.RLock()
"""PortAudio is one for the process, so that all who list, open and look anew wait for each other."""


class SoundDevices:
    """All of PortAudio that blocks or is not safe to call twice at once. Call it from worker threads."""

    def __init__(self) -> None:
        self._lock = _ONE_AT_A_TIME
        self._library: Any = None

    def library(self) -> Any:
        """The sounddevice module; importing it makes PortAudio look for devices.

        Raises:
            SoundOpenError: PortAudio is not installed.
        """
        with self._lock:
            if self._library is None:
                _silence_alsa()
                try:
                    import sounddevice  # looks for devices while being imported: never in the window's thread
                except OSError as error:
                    raise SoundOpenError(SoundTrouble.NO_LIBRARY) from error
                self._library = sounddevice
            return self._library

    def inputs(self) -> tuple[Device, ...]:
        """Devices that can record, as of the last look."""
        return self._devices("max_input_channels")

    def outputs(self) -> tuple[Device, ...]:
        """Devices that can play, as of the last look."""
        return self._devices("max_output_channels")

    def rescan(self) -> bool:
        """Look for devices anew; False when a stream is open anywhere in the process and nothing was done."""
        with self._lock:
            if self._library is None or STREAMS.any_open():
                return False
            with _stderr_closed():
                # The only way that PortAudio has; sounddevice documents it as a recipe, not as a function.
                self._library._terminate()  # noqa: SLF001
                self._library._initialize()  # noqa: SLF001
            return True

    def open_input(
        self, name: str, on_sound: Callable[[bytes], None], on_end: Callable[[], None]
    ) -> OpenInput:
        """A running capture in int16 from the device called ``name``, or from the default one.

        on_sound, on_end: called on PortAudio's thread; they only queue.

        Raises:
            SoundOpenError: no device, in use, or none of its rates can be opened.
        """
        with self._lock:
            library = self.library()
            device, avoided = self._choose(library, name)
            stream, ending, rate_hz, channels = self._open_somehow(library, device, on_sound, on_end)
        wished = not name or name in device.name
        return OpenInput(stream, ending, device, rate_hz, channels, wished, avoided)

    def close_input(self, opened: OpenInput) -> None:
        """The device is closed. May block while the sound system hangs."""
        with _stderr_closed(), contextlib.suppress(self.library().PortAudioError):
            if opened.ending.wish():
                opened.stream.stop()  # its thread is over; PortAudio wants it joined before the close
            else:
                opened.stream.abort()  # no callback runs, so none can be cancelled in the middle
            opened.stream.close()

    def _devices(self, count: str) -> tuple[Device, ...]:
        with self._lock:
            return tuple(
                Device(index, found["name"], int(found["default_samplerate"]), found[count])
                for index, found in enumerate(self.library().query_devices())
                if found[count] > 0
            )

    def _choose(self, library: Any, name: str) -> tuple[Device, str]:
        """(device, name of the headset that was avoided)."""
        found = self.inputs()
        if not found:
            raise SoundOpenError(SoundTrouble.NO_DEVICE)
        for device in found:
            if name and name in device.name:
                return device, ""
        default = library.default.device[0]
        chosen = next((device for device in found if device.index == default), found[0])
        others = [device for device in found if not _HANDS_FREE.search(device.name)]
        if _HANDS_FREE.search(chosen.name) and others:
            # Recording from a Bluetooth headset turns its music to telephone quality; only by name then.
            return others[0], chosen.name
        return chosen, ""

    def _open_somehow(
        self, library: Any, device: Device, on_sound: Callable[[bytes], None], on_end: Callable[[], None]
    ) -> tuple[Any, Ending, int, int]:
        """(stream, its ending, rate, channels). Asking beforehand proves nothing, so each is simply tried."""
        ending = Ending(on_end)

        def captured(block: Any, _frames: int, _time: Any, _status: Any) -> None:
            if ending.wished:
                raise library.CallbackAbort
            on_sound(bytes(block))

        failure: Exception | None = None
        for channels in dict.fromkeys((1, min(2, device.channels))):
            for rate_hz in dict.fromkeys((device.rate_hz, *FALLBACK_RATES_HZ)):
                try:
                    with _stderr_closed():
                        stream = library.RawInputStream(
                            samplerate=rate_hz,
                            blocksize=int(rate_hz * BLOCK_S),
                            device=device.index,
                            channels=channels,
                            dtype="int16",
                            callback=captured,
                            finished_callback=ending.ended,
                        )
                        STREAMS.add(stream)
                        stream.start()
                except library.PortAudioError as error:
                    failure = error
                    if error.args[-1:] == (PA_DEVICE_UNAVAILABLE,):
                        raise SoundOpenError(SoundTrouble.BUSY, device.name) from error
                else:
                    return stream, ending, rate_hz, channels
        raise SoundOpenError(SoundTrouble.REFUSED, device.name) from failure


@contextlib.contextmanager
def _stderr_closed() -> Iterator[None]:
    """PortAudio's own complaints go nowhere: each failed attempt prints several lines to the terminal."""
    try:
        kept = os.dup(2)
    except OSError:  # there is no stderr, as in a windowed program
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _silence_alsa() -> None:
    """Each look at the devices makes libasound print a page unless it is told where to leave it."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(_quiet_handler)
