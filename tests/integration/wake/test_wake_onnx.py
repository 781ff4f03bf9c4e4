"""The real wake word model on recordings."""

from pathlib import Path

import pytest

from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.wake_onnx import WakeOnnx
from jarvis_desktop.app.hear import pieces, sound_of
from jarvis_desktop.core.voice.wake_gate import GateTuning, WakeGate
from tests.parts.speech import WAV

pytestmark = pytest.mark.real_speech

WAKE = sorted((WAV / "wake").glob("*.wav"))
NEAR = sorted((WAV / "near").glob("*.wav"))
TAKEN_BY_THE_STOCK_MODEL = {"hi_Jarvis__flite_rms.wav"}


def wakes(scorer: WakeOnnx, pcm: bytes) -> int:
    gate = WakeGate(GateTuning())
    return sum(gate.hear(scorer.score(piece)) for piece in pieces(pcm))


@pytest.mark.parametrize("clip", WAKE, ids=lambda clip: clip.stem)
def test_every_hey_jarvis_wakes_exactly_once(wake_scorer: WakeOnnx, clip: Path) -> None:
    assert wakes(wake_scorer, sound_of(clip)) == 1


@pytest.mark.voice_bug("wake", "'Hey jarvis' detected about half the time")
@pytest.mark.parametrize("shift_ms", [20, 40, 60])
def test_every_hey_jarvis_wakes_wherever_the_frames_begin(wake_scorer: WakeOnnx, shift_ms: int) -> None:
    missed = []
    for clip in WAKE:
        wake_scorer.reset()
        if wakes(wake_scorer, bytes(shift_ms * 32) + sound_of(clip)) != 1:
            missed.append(clip.stem)
    assert missed == []


@pytest.mark.voice_bug("wake", "'Hey jarvis' detected about half the time")
@pytest.mark.parametrize("gain_db", [-24, -12, 0])
def test_hey_jarvis_wakes_at_any_usual_loudness(wake_scorer: WakeOnnx, gain_db: int) -> None:
    import numpy as np

    missed = []
    for clip in WAKE:
        wake_scorer.reset()
        samples = np.frombuffer(sound_of(clip), np.int16) * 10 ** (gain_db / 20)
        if wakes(wake_scorer, samples.astype(np.int16).tobytes()) != 1:
            missed.append(clip.stem)
    assert len(missed) <= 1


@pytest.mark.voice_bug("wake", "Poor pick-up; 'OK Google'-like phrases also trigger")
@pytest.mark.parametrize("clip", NEAR, ids=lambda clip: clip.stem)
def test_near_misses_do_not_wake_except_those_known_to(wake_scorer: WakeOnnx, clip: Path) -> None:
    assert wakes(wake_scorer, sound_of(clip)) == (clip.name in TAKEN_BY_THE_STOCK_MODEL)


def test_answers_and_unrelated_speech_do_not_wake(wake_scorer: WakeOnnx) -> None:
    clips = [
        clip for folder in ("reply_en", "reply_ko", "unrelated") for clip in (WAV / folder).glob("*.wav")
    ]
    woken = []
    for clip in clips:
        wake_scorer.reset()
        if wakes(wake_scorer, sound_of(clip)):
            woken.append(clip.name)
    assert len(clips) > 20
    assert woken == []


@pytest.mark.voice_bug("wake", "Wakes and barge-ins with nobody speaking")
def test_scores_are_the_same_after_every_reset(wake_scorer: WakeOnnx) -> None:
    sound = list(pieces(sound_of(WAKE[0])))
    first = [wake_scorer.score(piece) for piece in sound]
    wake_scorer.reset()
    assert [wake_scorer.score(piece) for piece in sound] == first
    wake_scorer.reset()
    assert max(wake_scorer.score(bytes(2560)) for _ in range(40)) < 0.1


@pytest.mark.voice_bug("wake", "macOS ARM with ONNX: scores stay")
def test_the_model_tells_hey_jarvis_from_silence(wake_scorer: WakeOnnx) -> None:
    assert max(wake_scorer.score(piece) for piece in pieces(sound_of(WAKE[0]))) > 0.9


@pytest.mark.voice_bug("path_locale", "Non-ASCII model path cannot open")
def test_models_in_a_folder_with_a_korean_name_are_loaded(speech_models: ModelFiles, tmp_path: Path) -> None:
    folder = tmp_path / "홍길동 모델"
    folder.symlink_to(speech_models.verified("wake")["melspectrogram.onnx"].parent)
    names = ("melspectrogram.onnx", "embedding_model.onnx", "hey_jarvis_v0.1.onnx")
    assert 0 <= WakeOnnx(*(folder / name for name in names)).score(bytes(2560)) < 0.1
