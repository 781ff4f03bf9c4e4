"""espeak-ng speaks both languages, early, and stops when nobody listens any more."""

import asyncio
import os
import shutil
import time
from contextlib import aclosing
from pathlib import Path

import numpy as np
import pytest

from jarvis_desktop.adapters.espeak_voice import EspeakVoice
from jarvis_desktop.core.items.agents import NO_VOICE_WISH, VoiceWish
from jarvis_desktop.core.items.errors import MissingPartError
from jarvis_desktop.core.items.speech import Language, Sound
from tests.fakes.texts import PlainTexts

pytestmark = pytest.mark.skipif(
    not shutil.which("espeak-ng") and not os.environ.get("CI"),
    reason="needs espeak-ng: sudo apt install espeak-ng",
)

KOREAN, ENGLISH = Language.KOREAN, Language.ENGLISH
LONG = "This is a long sentence that goes on and on, with many words in it. " * 12


async def spoken(text: str, language: Language = ENGLISH, wish: VoiceWish = NO_VOICE_WISH) -> list[Sound]:
    return [sound async for sound in EspeakVoice(PlainTexts()).speak(text, language, wish)]


def seconds(sounds: list[Sound]) -> float:
    return sum(sound.seconds for sound in sounds)


def pcm_of(sounds: list[Sound]) -> bytes:
    return b"".join(sound.pcm for sound in sounds)


def loudness(sounds: list[Sound]) -> float:
    return float(np.abs(np.frombuffer(pcm_of(sounds), "<i2").astype(int)).max())


@pytest.mark.parametrize(
    ("text", "language"), [("안녕하세요, 반가워요.", KOREAN), ("Hello, nice to meet you.", ENGLISH)]
)
async def test_both_languages_are_spoken_at_a_sane_length(text: str, language: Language) -> None:
    sounds = await spoken(text, language)
    assert 0.8 < seconds(sounds) < 3.5
    assert loudness(sounds) > 5000
    assert all(len(sound.pcm) % 2 == 0 and sound.rate_hz == 22_050 for sound in sounds)


@pytest.mark.voice_bug("tts", "No Korean voice")
async def test_hangul_is_read_by_the_korean_voice_whatever_language_is_asked() -> None:
    assert pcm_of(await spoken("안녕하세요")) == pcm_of(await spoken("안녕하세요", KOREAN))


async def test_whoever_speaks_may_wish_for_another_pitch_and_speed() -> None:
    usual = await spoken("Hello, nice to meet you.")
    slow = await spoken("Hello, nice to meet you.", wish=VoiceWish(words_per_minute=100))
    high = await spoken("Hello, nice to meet you.", wish=VoiceWish(pitch=90))
    assert seconds(slow) > 1.2 * seconds(usual)
    assert pcm_of(high) != pcm_of(usual)
    assert loudness(high) > 5000


async def test_the_first_piece_comes_long_before_the_text_is_through() -> None:
    started_s = time.monotonic()
    speech = EspeakVoice(PlainTexts()).speak(LONG, ENGLISH)
    first = await anext(speech)
    assert first.seconds >= 0.2
    assert time.monotonic() - started_s < 10  # of 30 s of speech, on a machine with much else to do
    rest = [sound async for sound in speech]
    assert seconds([first, *rest]) > 30


@pytest.mark.parametrize("text", ["-v en --help", "--version", "-f /etc/passwd", "-"])
async def test_text_is_never_read_as_an_option(text: str) -> None:
    assert pcm_of(await spoken(text)) == pcm_of(await spoken(f" {text}"))


async def test_phoneme_brackets_and_controls_are_plain_text() -> None:
    assert seconds(await spoken("[[h@l'oU]] and \x00 more")) > 0.8


async def test_the_end_is_not_followed_by_a_long_silence() -> None:
    pcm = pcm_of(await spoken("Hello there."))
    assert (len(pcm) - len(pcm.rstrip(b"\0"))) / 2 / 22_050 <= 0.11


@pytest.mark.parametrize("text", ["", " ", "😀", "…"])
async def test_text_without_words_gives_no_speech_and_no_error(text: str) -> None:
    assert seconds(await spoken(text)) < 1.5


async def test_closing_early_ends_the_program() -> None:
    speech = EspeakVoice(PlainTexts()).speak(LONG * 20, ENGLISH)
    await anext(speech)
    await speech.aclose()  # the guard of the suite sees a program that still runs


async def test_cancelling_ends_the_program() -> None:
    begun = asyncio.Event()

    async def listen() -> None:
        async with aclosing(EspeakVoice(PlainTexts()).speak(LONG * 20, ENGLISH)) as speech:
            await anext(speech)
            begun.set()
            await asyncio.Event().wait()

    listening = asyncio.create_task(listen())
    await asyncio.wait_for(begun.wait(), 5)
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening


async def test_a_missing_program_is_named_with_what_to_install() -> None:
    with pytest.raises(MissingPartError, match="sudo apt install espeak-ng"):
        await anext(EspeakVoice(PlainTexts(), "espeak-ng-is-not-here").speak("Hello", ENGLISH))


async def test_a_program_without_its_voices_is_named_with_what_to_install(tmp_path: Path) -> None:
    program = tmp_path / "espeak-ng"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(MissingPartError, match="voice en-us"):
        await anext(EspeakVoice(PlainTexts(), str(program)).speak("Hello", ENGLISH))
