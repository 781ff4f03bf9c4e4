"""Loudness of a piece of sound."""

import math
from array import array
from operator import mul

SILENCE_DBFS = -96.0
FAINT_DBFS = -60.0
"""Speech that is quieter than this is guessed at, not recognised."""


def dbfs(pcm: bytes) -> float:
    """Root mean square in dB below full scale; ``SILENCE_DBFS`` for silence and for nothing at all."""
    samples = array("h", pcm)
    if not samples:
        return SILENCE_DBFS
    rms = math.sqrt(sum(map(mul, samples, samples)) / len(samples)) / 32768
    return max(SILENCE_DBFS, 20 * math.log10(rms)) if rms > 0 else SILENCE_DBFS


def level(pcm: bytes) -> float:
    """0 (silence) to 1 (clipping): what a level meter shows."""
    return min(1.0, max(0.0, 1 - dbfs(pcm) / FAINT_DBFS))
