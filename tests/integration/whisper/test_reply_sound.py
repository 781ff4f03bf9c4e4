"""Answers from sound through the whole of the ears: clean, in noise, over key clicks, and our own question.

``experiments/reply_audio.py`` plays hundreds of them; these few take seconds and hold what once went wrong.
"""

import json
from collections.abc import Callable

import pytest

from jarvis_desktop.adapters.whisper import WhisperTranscriber
from jarvis_desktop.app.hear import sound_of
from jarvis_desktop.core.items.speech import Language
from tests.parts.own_questions import OwnQuestion, own_questions, own_voice
from tests.parts.speech import WAV
from tests.parts.spoken_reply import (
    Fate,
    own_question_outcome,
    reply_outcome,
    with_key_clicks,
    with_noise,
    with_silence,
)

pytestmark = pytest.mark.real_speech

CASES = [
    json.loads(line) for line in (WAV.parent / "cases" / "replies.jsonl").read_text("utf-8").splitlines()
]
CLIPS = sorted((WAV / "replies").glob("*.wav"))
UNDERSTOOD = 4
"""Of six recordings of a yes, clean."""
SEED = 7


def clean(pcm: bytes) -> bytes:
    return pcm


def noisy(pcm: bytes) -> bytes:
    return with_noise(with_silence(pcm), 10, SEED)


def typed_over(pcm: bytes) -> bytes:
    return with_key_clicks(with_silence(pcm), SEED)


@pytest.mark.promise("T-070", "T-072", "T-074")
@pytest.mark.parametrize("condition", [clean, noisy, typed_over])
async def test_no_reply_in_any_voice_permits_what_it_does_not_mean(
    condition: Callable[[bytes], bytes], whisper: WhisperTranscriber
) -> None:
    wrong, understood = [], 0
    for clip in CLIPS:
        case = CASES[int(clip.name[:3])]
        outcome = await reply_outcome(condition(sound_of(clip)), whisper, Language(case["lang"]))
        if outcome.fate is Fate.PERMITTED and case["decision"] == "deny":
            wrong.append((clip.name, outcome.heard))
        understood += outcome.fate is Fate.PERMITTED
    assert wrong == []
    if condition is clean:
        assert understood >= UNDERSTOOD


ASKED = [*own_questions()]
FEW = [*ASKED[5::12], next(one for one in ASKED if one.saving)]
LATE_S = 0.24


@pytest.mark.promise("T-072")
@pytest.mark.parametrize("asked", FEW, ids=lambda one: one.text[:24])
async def test_our_own_question_in_the_microphone_never_answers_itself(
    asked: OwnQuestion, whisper: WhisperTranscriber
) -> None:
    sound = await own_voice(asked.text, asked.language)
    outcome = await own_question_outcome(
        sound, asked.text, whisper, asked.language, late_s=LATE_S, saving=asked.saving
    )
    assert outcome.fate is Fate.MISSED


@pytest.mark.promise("T-070", "T-072")
@pytest.mark.parametrize("pause_s", [0.3, 1.1])
async def test_x55_a_yes_that_is_taken_back_in_time_denies(
    pause_s: float, whisper: WhisperTranscriber
) -> None:
    yes, no = (sound_of(WAV / "reply_en" / name) for name in ("00__flite_rms.wav", "01__flite_slt.wav"))
    alone = await reply_outcome(yes, whisper, Language.ENGLISH)
    taken_back = await reply_outcome(with_silence(yes, 0, pause_s) + no, whisper, Language.ENGLISH)
    assert (alone.fate, taken_back.fate) == (Fate.PERMITTED, Fate.DENIED)
