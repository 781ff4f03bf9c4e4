"""The real voice activity model on recordings and noises."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from jarvis_desktop.adapters.vad_onnx import VadOnnx, bundled_model
from jarvis_desktop.app.hear import sound_of
from jarvis_desktop.core.items.errors import ModelFileError
from tests.parts.speech import WAV

FRAME_BYTES = 1024
CHANCE = np.random.default_rng(1)


def scores(pcm: bytes) -> list[float]:
    vad = VadOnnx()
    whole = len(pcm) // FRAME_BYTES * FRAME_BYTES
    return [vad.score(pcm[first : first + FRAME_BYTES]) for first in range(0, whole, FRAME_BYTES)]


def silence() -> bytes:
    return bytes(64_000)


def white() -> bytes:
    return CHANCE.normal(0, 600, 32_000).astype(np.int16).tobytes()


def clicks() -> bytes:
    sound = np.zeros(32_000)
    for start in range(1_000, 32_000, 4_800):
        sound[start : start + 80] = CHANCE.normal(0, 9_000, 80)
    return sound.astype(np.int16).tobytes()


def earcon() -> bytes:
    time_s = np.arange(4_800) / 16_000
    return (6_000 * np.sin(2 * np.pi * 880 * time_s)).astype(np.int16).tobytes() + bytes(40_000)


@pytest.mark.voice_bug("first_word", "Chime is transcribed")
@pytest.mark.parametrize("noise", [silence, white, clicks, earcon])
def test_noises_never_look_like_speech(noise: Callable[[], bytes]) -> None:
    assert max(scores(noise())) < 0.5


@pytest.mark.parametrize("clip", sorted(WAV.glob("reply_*/*.wav")), ids=lambda clip: clip.stem)
def test_every_answer_has_enough_speech_to_be_recognised(clip: Path) -> None:
    assert sum(score >= 0.5 for score in scores(sound_of(clip))) * 0.032 >= 0.25


def test_a_reset_forgets_what_was_heard() -> None:
    vad, sound = VadOnnx(), sound_of(WAV / "wake" / "flite_rms.wav")
    frames = [sound[first : first + FRAME_BYTES] for first in range(0, 16 * FRAME_BYTES, FRAME_BYTES)]
    first = [vad.score(frame) for frame in frames]
    vad.reset()
    assert [vad.score(frame) for frame in frames] == first


def test_the_model_comes_with_faster_whisper() -> None:
    assert bundled_model().name == "silero_vad_v6.onnx"


def test_a_file_that_is_no_model_is_refused_by_name(tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"not a model")
    with pytest.raises(ModelFileError, match=r"broken\.onnx"):
        VadOnnx(broken)
    with pytest.raises(ModelFileError, match=r"absent\.onnx"):
        VadOnnx(tmp_path / "absent.onnx")
