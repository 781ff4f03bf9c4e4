"""Recordings of the wake word and a request, with the seconds at which each ends."""

import json
import wave
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WAV = Path(__file__).parents[1] / "tests/data/wav"
RATE_HZ = 16_000
LOUD = 300
GAP_S = 0.5
EDGE_S = 0.3
REQUESTS = (("en_flite_slt_gap0.5", 0.4), ("ko_jf_alpha_gap0.7", 0.6))
"""Recordings that requests are cut from, and how long after the wake word the cut begins."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One WAV file; all times are seconds of the file."""

    path: Path
    first_s: float
    """First loud sample."""
    wake_end_s: float
    request_end_s: float
    shared: bool
    """The recipe's probe hears it too."""


def recordings(folder: Path) -> tuple[Recording, ...]:
    """The recordings with a request, then each wake word voice before each request, made in ``folder``."""
    cases = json.loads((WAV / "e2e/cases.json").read_text("utf-8"))
    known = {name: marks for name, marks, with_wake in cases if with_wake}
    ready = [
        Recording(WAV / f"e2e/{name}.wav", marks["first"], marks["wake_end"], marks["cmd_end"], shared=True)
        for name, marks in known.items()
    ]
    return (*ready, *_composed(folder, known))


def _composed(folder: Path, known: dict[str, dict[str, float]]) -> Iterator[Recording]:
    for name, after_s in REQUESTS:
        marks = known[name]
        source = _samples(WAV / f"e2e/{name}.wav")
        begin_s = marks["wake_end"] + after_s
        request = source[int(begin_s * RATE_HZ) : int((marks["cmd_end"] + EDGE_S) * RATE_HZ)]
        for voice in sorted((WAV / "wake").glob("*.wav")):
            wake = _trimmed(_samples(voice))
            path = folder / f"{voice.stem}-{name}.wav"
            _write(path, _quiet(EDGE_S) + wake + _quiet(GAP_S) + request)
            wake_end_s = EDGE_S + len(wake) / RATE_HZ
            request_end_s = wake_end_s + GAP_S + marks["cmd_end"] - begin_s
            yield Recording(path, EDGE_S, wake_end_s, request_end_s, shared=False)


def _samples(path: Path) -> "array[int]":
    with wave.open(str(path), "rb") as file:
        return array("h", file.readframes(file.getnframes()))


def _trimmed(samples: "array[int]") -> "array[int]":
    loud = [index for index, one in enumerate(samples) if abs(one) > LOUD]
    return samples[loud[0] : loud[-1] + 1]


def _quiet(seconds: float) -> "array[int]":
    return array("h", bytes(int(seconds * RATE_HZ) * 2))


def _write(path: Path, samples: "array[int]") -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(samples.tobytes())
