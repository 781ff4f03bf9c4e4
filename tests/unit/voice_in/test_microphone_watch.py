"""A microphone that delivers nothing but zeros."""

import pytest

from jarvis_desktop.adapters.microphone_watch import SilenceWatch

ZEROS = bytes(2560)
HISS = b"\1\0" * 1280


def changes(watch: SilenceWatch, pcm: bytes, seconds: float) -> list[tuple[float, bool]]:
    pieces = range(1, round(seconds / 0.08) + 1)
    return [(round(piece * 0.08, 2), watch.hint) for piece in pieces if watch.hear(pcm, 0.08)]


@pytest.mark.voice_bug("permission", "Records zeros when started from Finder")
def test_three_seconds_of_zeros_bring_a_hint_and_the_first_sound_takes_it_back() -> None:
    watch = SilenceWatch()
    assert changes(watch, ZEROS, 10) == [(3.04, True)]
    assert changes(watch, HISS, 1) == [(0.08, False)]


def test_a_microphone_that_hisses_is_never_suspected() -> None:
    assert changes(SilenceWatch(), HISS, 10) == []


def test_a_microphone_that_is_muted_later_is_noticed() -> None:
    watch = SilenceWatch()
    changes(watch, HISS, 5)
    assert changes(watch, ZEROS, 5) == [(3.04, True)]


def test_a_microphone_that_gates_noise_is_not_suspected_again() -> None:
    watch = SilenceWatch()
    changes(watch, ZEROS, 1)
    changes(watch, HISS, 1)
    assert changes(watch, ZEROS, 60) == []
