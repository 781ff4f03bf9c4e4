"""Speech detection rests while only the wake word counts."""

import tracemalloc
from array import array

import pytest

from jarvis_desktop.app.ears_hearing import RING_S, WARM_S, Hearing, Marked
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.voice.endpointer import Mark, Timing
from jarvis_desktop.core.voice.wake_gate import GateTuning
from tests.fakes.scorers import SPEECH_SAMPLE, SoundVad, SoundWake


class CountedVad(SoundVad):
    """Keeps what it was given."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def score(self, pcm: bytes) -> float:
        self.heard.append(pcm)
        return super().score(pcm)


def block(value: int, samples: int = 1280) -> bytes:
    return array("h", [value] * samples).tobytes()


def hearing() -> tuple[Hearing, CountedVad]:
    vad = CountedVad()
    return Hearing(SoundWake(), vad, GateTuning()), vad


@pytest.mark.voice_bug("memory_cpu", "Memory grows during silence")
def test_ten_minutes_of_sound_are_kept_as_twenty_seconds() -> None:
    ears, vad = hearing()
    for _ in range(100):
        ears.hear(block(0))
    tracemalloc.start()
    try:
        for _ in range(7400):
            ears.hear(block(SPEECH_SAMPLE))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 2 * RING_S * 32_000
    assert vad.heard == []


@pytest.mark.voice_bug("memory_cpu", "70-100 % of a Pi Zero 2 W")
def test_while_only_the_wake_word_counts_no_sound_is_searched_for_speech() -> None:
    ears, vad = hearing()
    for _ in range(100):
        ears.hear(block(SPEECH_SAMPLE))
    assert vad.heard == []


def test_when_listening_begins_speech_detection_has_heard_the_last_second() -> None:
    ears, vad = hearing()
    for number in range(50):
        ears.hear(block(number))
    ears.listen(ListenFor.REQUEST, Timing(0.7))
    heard = b"".join(vad.heard)
    assert WARM_S - 0.032 < len(heard) / 32_000 <= WARM_S
    assert heard == b"".join(block(number) for number in range(50))[-len(heard) :]


def test_listening_that_goes_on_without_a_gap_hears_nothing_twice() -> None:
    ears, vad = hearing()
    ears.hear(block(0))
    ears.listen(ListenFor.STOP, Timing(0.3))
    ears.hear(block(1))
    count = len(vad.heard)
    ears.stop()
    ears.listen(ListenFor.ANSWER, Timing(0.5))
    assert len(vad.heard) == count


def test_speech_is_found_to_the_frame_after_a_rest() -> None:
    ears, _ = hearing()
    for _ in range(25):
        ears.hear(block(0))
    ears.listen(ListenFor.REQUEST, Timing(0.7))
    marks = [
        one
        for value in (*[SPEECH_SAMPLE] * 10, *[0] * 12)
        for one in ears.hear(block(value))
        if isinstance(one, Marked)
    ]
    assert [one.mark for one in marks] == [Mark.PAUSED, Mark.ENDED]
    segment = marks[-1].segment
    assert segment is not None
    assert segment.speech_s == pytest.approx(0.8, abs=0.04)
