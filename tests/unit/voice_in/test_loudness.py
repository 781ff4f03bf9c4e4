"""Loudness of pieces of sound."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.voice.loudness import SILENCE_DBFS, dbfs, level


def tone(sample: int) -> bytes:
    return array("h", [sample, -sample] * 640).tobytes()


@pytest.mark.parametrize(
    ("sample", "expected"), [(32767, 0.0), (3277, -20.0), (328, -40.0), (0, SILENCE_DBFS)]
)
def test_loudness_is_measured_below_full_scale(sample: int, expected: float) -> None:
    assert dbfs(tone(sample)) == pytest.approx(expected, abs=0.05)


def test_nothing_at_all_is_silent() -> None:
    assert dbfs(b"") == SILENCE_DBFS


@given(st.integers(0, 32767), st.integers(0, 32767))
def test_the_level_lies_between_0_and_1_and_grows_with_loudness(one: int, other: int) -> None:
    quiet, loud = sorted((one, other))
    assert 0 <= level(tone(quiet)) <= level(tone(loud)) <= 1
