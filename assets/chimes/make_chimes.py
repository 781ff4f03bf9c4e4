"""Makes the chimes beside it: soft, short, and without a rhythm that a recogniser takes for a word."""

import wave
from pathlib import Path

import numpy as np
import numpy.typing as npt

RATE_HZ = 48_000
LOUDNESS = 0.12
"""Of full scale: heard in a quiet room, gone in the microphone's noise a moment later."""


def note(hertz: float, seconds: float) -> npt.NDArray[np.float64]:
    """A sine with a soft edge on both sides."""
    at = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    edge = np.minimum(1.0, np.minimum(at, seconds - at) / 0.015)
    fade: npt.NDArray[np.float64] = np.sin(2 * np.pi * hertz * at) * edge * np.exp(-at / (seconds * 0.7))
    return fade


CHIMES = {
    "listening": np.concatenate([note(784.0, 0.06), note(1046.5, 0.08)]),
    "trouble": np.concatenate([note(392.0, 0.06), note(293.7, 0.09)]),
}


def main() -> None:
    """Write one WAV file for each chime."""
    for name, samples in CHIMES.items():
        with wave.open(str(Path(__file__).with_name(f"{name}.wav")), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE_HZ)
            file.writeframes((samples * LOUDNESS * 32767).astype("<i2").tobytes())


if __name__ == "__main__":
    main()
