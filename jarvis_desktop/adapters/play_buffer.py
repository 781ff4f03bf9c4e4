"""Samples on their way to the loudspeaker: the loop appends, the audio thread takes, without a lock."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import soxr

from jarvis_desktop.core.items.speech import Sound

Samples: TypeAlias = npt.NDArray[np.int16]
Handed: TypeAlias = Callable[[float], None]
"""Called on the audio thread when a piece was handed over: seconds until its last sample is heard."""

QUALITY = "MQ"
"""Voices end below 11 kHz, where the better qualities differ in delay only."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A piece at the device's rate."""

    samples: Samples
    tail: Samples
    """Its last milliseconds, which are part of the next piece when there is one."""


@dataclass(slots=True)
class _Piece:
    fitted: Fitted
    handed: Handed
    at: int = 0


class PlayBuffer:
    """A queue of pieces, played without gaps."""

    def __init__(self, rate_hz: float) -> None:
        self._rate_hz = rate_hz
        self._pieces: deque[_Piece] = deque()
        self._ran_dry = True

    @property
    def ran_dry(self) -> bool:
        """Nothing waits; the next piece does not continue the last one."""
        return self._ran_dry

    def append(self, fitted: Fitted, handed: Handed) -> None:
        """Play ``fitted`` after all that is waiting."""
        self._ran_dry = False
        self._pieces.append(_Piece(fitted, handed))

    def clear(self) -> None:
        """Forget everything that waits; ``handed`` of it is never called."""
        # A new queue instead of an emptied one: the audio thread may be in the middle of the old one.
        self._pieces = deque()
        self._ran_dry = True

    def take(self, out: Samples, heard_in_s: float) -> bool:
        """Fill ``out`` (frames by channels) with what waits, then with silence; False when all is silence.

        heard_in_s: time until the first frame of ``out`` leaves the device.
        """
        pieces, filled = self._pieces, 0
        while pieces:
            piece = pieces[0]
            samples = piece.fitted.samples
            count = min(len(out) - filled, len(samples) - piece.at)
            out[filled : filled + count] = samples[piece.at : piece.at + count, np.newaxis]
            piece.at += count
            filled += count
            if piece.at < len(samples):
                break
            pieces.popleft()
            held_s = len(piece.fitted.tail) / self._rate_hz
            piece.handed(heard_in_s + filled / self._rate_hz + held_s)
            if not pieces:
                self._ran_dry = True
                if len(piece.fitted.tail):
                    pieces.append(_Piece(Fitted(piece.fitted.tail, samples[:0]), _nobody))
        out[filled:] = 0
        return filled > 0


class RateFitter:
    """Pieces of one voice at the rate of the device, without a seam between them."""

    def __init__(self, rate_hz: float) -> None:
        self._rate_hz = rate_hz
        self._from_hz = 0
        self._stream: soxr.ResampleStream | None = None
        self._recent = np.zeros(0, np.int16)
        """The last tenth of a second that came in."""
        self._balance = 0.0
        """Samples that should have come out and did not yet."""

    def fit(self, sound: Sound, *, anew: bool) -> Fitted:
        """``sound`` at the device's rate.

        anew: it does not continue the piece before.
        """
        samples = np.frombuffer(sound.pcm, dtype="<i2").astype(np.int16, copy=False)
        if sound.rate_hz == self._rate_hz:
            return Fitted(samples, samples[:0])
        if anew or sound.rate_hz != self._from_hz or self._stream is None:
            self._from_hz, self._balance = sound.rate_hz, 0.0
            self._recent = samples[:0]
            self._stream = soxr.ResampleStream(
                sound.rate_hz, self._rate_hz, 1, dtype="int16", quality=QUALITY
            )
        fitted: Samples = self._stream.resample_chunk(samples)
        self._balance += len(samples) * self._rate_hz / sound.rate_hz - len(fitted)
        self._recent = np.concatenate([self._recent, samples])[-sound.rate_hz // 10 :]
        return Fitted(fitted, self._tail(sound.rate_hz))

    def _tail(self, from_hz: int) -> Samples:
        """What the stream still holds, worked out from the recent past, so that the stream itself goes on."""
        held = round(self._balance)
        if held <= 0 or not len(self._recent):
            return self._recent[:0]
        recent: Samples = soxr.resample(self._recent, from_hz, self._rate_hz, quality=QUALITY)
        return recent[-held:]


def _nobody(heard_in_s: float) -> None:
    """Nobody waits for a tail: the piece that it belongs to has counted it in."""
    del heard_in_s
