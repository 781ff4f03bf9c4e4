"""Korean sentences say their numbers as people do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.voice.spoken_numbers import korean_numbers, native, sino


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("파일 3개", "파일 세 개"),
        ("20개와 21번", "스무 개와 스물한 번"),
        ("100개", "백개"),
        ("3개월", "삼개월"),
        ("30초", "삼십초"),
        ("20%", "이십 퍼센트"),
        ("500MB", "오백 메가바이트"),
        ("3.14", "삼 점 일사"),
        ("3.12.1", "삼 점 일이 점 일"),
        ("12345", "만 이천삼백사십오"),
        ("100000000", "일억"),
        ("1,234,567원", "백이십삼만 사천오백육십칠원"),
        ("5:30", "다섯 시 삼십 분"),
        ("17:00", "열일곱 시"),
        ("2026-12-01", "이천이십육년 십이월 일일"),
        ("6월", "유월"),
        ("3~5개", "세 개에서 다섯 개"),
        ("010-1234-5678", "공 일 공 일 이 삼 사 오 육 칠 팔"),
        ("포트 8080", "포트 팔 공 팔 공"),
        ("-5도", "마이너스 오도"),
        ("$5", "오 달러"),
        ("0개", "영개"),
        ("2시간 뒤 2시", "두 시간 뒤 두 시"),
        ("1, 2, 3", "일, 이, 삼"),
    ],
)
def test_numbers_are_said_with_the_right_system(written: str, said: str) -> None:
    assert korean_numbers(written) == said


@given(st.integers(0, 10**16 - 1))
def test_every_number_has_words_without_digits(number: int) -> None:
    assert sino(number)
    assert not any(sign.isdigit() for sign in sino(number))


@given(st.integers(1, 9999), st.integers(1, 9999))
def test_different_numbers_never_sound_the_same(one: int, other: int) -> None:
    assert (sino(one) == sino(other)) is (one == other)


@pytest.mark.parametrize("number", [-1, 10**16])
def test_a_number_without_words_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="not between"):
        sino(number)


@pytest.mark.parametrize("number", [0, 100])
def test_native_counters_end_at_ninety_nine(number: int) -> None:
    with pytest.raises(ValueError, match="not between"):
        native(number)


@given(st.text("0123456789.,:-~%개번원월 ", max_size=40))
def test_any_row_of_digits_can_be_said(written: str) -> None:
    assert not any(sign.isdigit() for sign in korean_numbers(written))
