"""The wake word model rests in a quiet room, and nobody notices."""

from collections.abc import Iterator

import numpy as np
import pytest

from jarvis_desktop.adapters import wake_onnx
from jarvis_desktop.adapters.wake_onnx import REST_FRAMES, WakeOnnx
from jarvis_desktop.app.hear import pieces, sound_of
from tests.parts.speech import WAV

pytestmark = pytest.mark.real_speech

CLIPS = sorted((WAV / "wake").glob("*.wav"))
CHANCE = np.random.default_rng(7)


def faint(seconds: float) -> bytes:
    """The noise of a good microphone in a quiet room, -72 dBFS."""
    return CHANCE.normal(0, 8, round(seconds * 16_000)).astype(np.int16).tobytes()


def scores(scorer: WakeOnnx, pcm: bytes) -> Iterator[tuple[float, bool]]:
    """(score, whether it rested) of each frame."""
    scorer.reset()
    for piece in pieces(pcm):
        yield scorer.score(piece), scorer.resting


@pytest.mark.voice_bug("memory_cpu", "70-100 % of a Pi Zero 2 W")
def test_no_frame_near_any_sound_is_scored_otherwise_because_of_a_rest(
    wake_scorer: WakeOnnx, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, clip in enumerate(CLIPS):
        sound = faint(2.2 + number * 0.03) + sound_of(clip)
        rested = list(scores(wake_scorer, sound))
        with monkeypatch.context() as always_awake:
            always_awake.setattr(wake_onnx, "QUIET_RMS", 0.0)
            awake = list(scores(wake_scorer, sound))
        assert [score for score, rests in rested if not rests] == [
            score for (score, _), (_, rests) in zip(awake, rested, strict=True) if not rests
        ], clip.name
        assert any(rests for _, rests in rested)
        assert not any(rests for _, rests in awake)


@pytest.mark.voice_bug("memory_cpu", "OVOS listener 23.9 % of a core")
def test_a_quiet_room_costs_nothing_after_two_seconds(
    wake_scorer: WakeOnnx, monkeypatch: pytest.MonkeyPatch
) -> None:
    list(scores(wake_scorer, faint(REST_FRAMES * 0.08)))

    def no_model(*_: object) -> None:
        raise AssertionError("a model ran")

    for part in ("_hear", "_embed"):
        monkeypatch.setattr(wake_scorer, part, no_model)
    assert {wake_scorer.score(piece) for piece in pieces(faint(8.0))} == {0.0}


def test_a_model_that_is_reset_while_it_rests_begins_like_a_new_one(wake_scorer: WakeOnnx) -> None:
    hey = sound_of(WAV / "wake" / "flite_rms.wav")
    fresh = list(scores(wake_scorer, hey))
    list(scores(wake_scorer, faint(4.0)))
    assert wake_scorer.resting
    assert list(scores(wake_scorer, hey)) == fresh
