"""Which scores are a wake."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.voice.wake_gate import GateTuning, WakeGate

DEAF_FRAMES = 16


def awake(tuning: GateTuning | None = None) -> WakeGate:
    gate = WakeGate(tuning or GateTuning())
    for _ in range(DEAF_FRAMES):
        gate.hear(0.0)
    return gate


def wakes(gate: WakeGate, scores: list[float]) -> list[int]:
    return [index for index, score in enumerate(scores) if gate.hear(score)]


@pytest.mark.voice_bug("wake", "Wakes and barge-ins with nobody speaking")
def test_no_score_counts_in_the_first_16_frames_and_the_17th_does() -> None:
    assert wakes(WakeGate(GateTuning()), [0.99] * 17) == [16]


@pytest.mark.voice_bug("wake", "Wakes and barge-ins with nobody speaking")
def test_a_reset_makes_the_gate_deaf_again() -> None:
    gate = awake()
    gate.reset()
    assert gate.deaf
    assert wakes(gate, [0.99] * 16) == []
    assert wakes(gate, [0.99]) == [0]


@pytest.mark.voice_bug("wake", "Re-fires several times for one utterance")
def test_eight_high_frames_in_a_row_are_one_wake() -> None:
    assert wakes(awake(), [0.1, *[0.9] * 8, *[0.0] * 20]) == [1]


@pytest.mark.voice_bug("wake", "Probability stays high after a hit")
def test_a_score_that_stays_high_for_three_seconds_wakes_once() -> None:
    assert wakes(awake(), [0.9] * 38) == [0]


def test_after_refractory_time_and_release_the_next_phrase_wakes_again() -> None:
    assert wakes(awake(), [0.9, *[0.0] * 25, 0.9]) == [0, 26]


def test_nothing_wakes_within_the_refractory_time_even_after_a_release() -> None:
    assert wakes(awake(), [0.9, *[0.0] * 10, 0.9]) == [0]


def test_falling_only_below_the_threshold_does_not_arm_the_gate_again() -> None:
    assert wakes(awake(), [0.9, *[0.45] * 30, 0.9]) == [0]


def test_one_frame_just_over_the_threshold_is_not_enough_but_two_are() -> None:
    assert wakes(awake(), [0.6, 0.0]) == []
    assert wakes(awake(), [0.6, 0.6]) == [1]


def test_one_frame_is_enough_when_it_is_sure() -> None:
    assert wakes(awake(), [0.81, 0.0]) == [0]


@pytest.mark.voice_bug("wake", "'Hey Jarvis' stops working after hours")
def test_eight_hours_with_a_phrase_every_ten_minutes_miss_none() -> None:
    gate = awake()
    frames, heard = int(8 * 3600 / 0.08), 0
    for frame in range(frames):
        heard += gate.hear(0.95 if frame % 7500 < 5 else 0.02)
    assert heard == 8 * 6


@given(st.lists(st.floats(0, 1), max_size=200))
def test_two_wakes_are_never_closer_than_the_refractory_time(scores: list[float]) -> None:
    found = wakes(awake(), scores)
    assert all(later - earlier >= 25 for earlier, later in pairwise(found))
