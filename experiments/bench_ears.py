"""What 80 ms of sound cost the ears while they wait for the wake word, in microseconds.

``python -m experiments.bench_ears [--models DIR]``, some seconds, no device. Each kind of sound is heard with
the models resting as they do, and with both always awake, as they were before they could rest.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from jarvis_desktop.adapters.onnx_session import limit_library_threads

limit_library_threads()  # before numpy, as the program does

import numpy as np  # noqa: E402 - see above

from experiments.bench_common import Run, spread, store  # noqa: E402 - see above
from experiments.bench_recordings import WAV  # noqa: E402 - see above
from jarvis_desktop.adapters import wake_onnx  # noqa: E402 - see above
from jarvis_desktop.adapters.model_files import ModelFiles  # noqa: E402 - see above
from jarvis_desktop.adapters.vad_onnx import VadOnnx  # noqa: E402 - see above
from jarvis_desktop.app.ears_hearing import Hearing  # noqa: E402 - see above
from jarvis_desktop.app.ears_parts import load_wake  # noqa: E402 - see above
from jarvis_desktop.app.hear import sound_of  # noqa: E402 - see above
from jarvis_desktop.core.items.calls import Json  # noqa: E402 - see above
from jarvis_desktop.core.ports import SpeechScorer, WakeScorer  # noqa: E402 - see above
from jarvis_desktop.core.voice.wake_gate import GateTuning  # noqa: E402 - see above

MODELS = Path.home() / ".cache/jarvis-parts/speech"
PACKAGES = ("onnxruntime", "numpy", "faster-whisper")
PIECE_BYTES = 2560
SECONDS = 40
SEED = 7


def noise(rms: float) -> bytes:
    """White noise of this loudness."""
    chance = np.random.default_rng(SEED)
    return chance.normal(0, rms, SECONDS * 16_000).astype(np.int16).tobytes()


def speech() -> bytes:
    """People who talk on and on, without the wake word."""
    clips = [sound_of(clip) for folder in ("unrelated", "reply_en") for clip in (WAV / folder).glob("*.wav")]
    return b"".join(clips)[: SECONDS * 32_000]


def pieces(pcm: bytes) -> list[bytes]:
    """80 ms each."""
    return [pcm[at : at + PIECE_BYTES] for at in range(0, len(pcm) - PIECE_BYTES, PIECE_BYTES)]


def microseconds(hear: Callable[[bytes], object], pcm: bytes) -> dict[str, Json]:
    """Processor time of each piece, without the three seconds in which models come to rest."""
    took = []
    for piece in pieces(pcm):
        began_s = time.thread_time()
        hear(piece)
        took.append((time.thread_time() - began_s) * 1e6)
    return spread(took[38:])


def always_awake(wake: WakeScorer, vad: SpeechScorer) -> Callable[[bytes], object]:
    """Both models on every frame."""
    rest = bytearray()

    def hear(piece: bytes) -> None:
        wake.score(piece)
        rest.extend(piece)
        while len(rest) >= 1024:
            vad.score(bytes(rest[:1024]))
            del rest[:1024]

    return hear


def main(arguments: Sequence[str]) -> int:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--models", type=Path, default=MODELS, help="folder with the speech models")
    wake, vad = load_wake(ModelFiles(parser.parse_args(arguments).models)), VadOnnx()
    results: dict[str, Json] = {}
    quiet_rms = wake_onnx.QUIET_RMS
    for name, pcm in {"quiet_room": noise(8), "noisy_room": noise(300), "speech": speech()}.items():
        wake_onnx.QUIET_RMS = quiet_rms
        now = microseconds(Hearing(wake, vad, GateTuning()).hear, pcm)
        wake_onnx.QUIET_RMS = 0.0
        before = microseconds(always_awake(wake, vad), pcm)
        results[name] = {"resting": now, "always_awake": before}
        print(f"{name:12} resting {now}  always awake {before}")
    store(Run("bench_ears", {"us_per_80_ms": results}, seed=SEED, packages=PACKAGES))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
