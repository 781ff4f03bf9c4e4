"""Sound of any rate and channel count to 16 kHz mono, piece by piece without seams."""

import numpy as np
import soxr

from jarvis_desktop.core.items.speech import SAMPLE_RATE_HZ


class Resampler:
    """One stream's worth of state; make a new one after a gap."""

    def __init__(self, rate_hz: float, channels: int) -> None:
        self._channels = channels
        self._stream = (
            None
            if rate_hz == SAMPLE_RATE_HZ
            else soxr.ResampleStream(rate_hz, SAMPLE_RATE_HZ, 1, dtype="int16", quality="MQ")
        )

    def close(self) -> None:
        """Let go of the stream at once: one that lives on as the process ends prints about itself."""
        self._stream = None

    def feed(self, pcm: bytes) -> bytes:
        """16 kHz mono for what came in; a few milliseconds stay inside until more comes."""
        # The first channel, not the mean: the second one of many headsets is silent or inverted.
        first = np.ascontiguousarray(np.frombuffer(pcm, np.int16)[:: self._channels])
        return (
            first.tobytes() if self._stream is None else bytes(self._stream.resample_chunk(first).tobytes())
        )

    def rest(self) -> bytes:
        """What was still inside; the stream is over."""
        if self._stream is None:
            return b""
        return bytes(self._stream.resample_chunk(np.zeros(0, np.int16), last=True).tobytes())
