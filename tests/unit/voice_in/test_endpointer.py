"""Where speech begins and ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.voice.endpointer import (
    FINAL,
    FRAME_S,
    YES_HELD_S,
    Endpointer,
    Mark,
    Timing,
    timing_for,
)

REQUEST = timing_for(ListenFor.REQUEST, request_silence_s=0.7, answer_silence_s=0.5)
ANSWER = timing_for(ListenFor.ANSWER, request_silence_s=0.7, answer_silence_s=0.5)


def marks(endpointer: Endpointer, *stretches: tuple[float, float]) -> list[tuple[Mark, float]]:
    """(mark, seconds) of everything but waiting, for stretches of (probability, seconds)."""
    told: list[tuple[Mark, float]] = []
    frame = 0
    for probability, seconds in stretches:
        for _ in range(round(seconds / FRAME_S)):
            frame += 1
            mark = endpointer.hear(probability, frame * FRAME_S)
            if mark not in (Mark.WAITING, Mark.GOING_ON):
                told.append((mark, round(frame * FRAME_S, 3)))
            if mark in FINAL:
                return told
    return told


def kinds(told: list[tuple[Mark, float]]) -> list[Mark]:
    return [mark for mark, _ in told]


def test_a_request_ends_700_ms_after_its_last_speech() -> None:
    told = marks(Endpointer(REQUEST, 0.0), (0.0, 0.32), (0.9, 0.96), (0.0, 2.0))
    assert kinds(told) == [Mark.STARTED, Mark.PAUSED, Mark.ENDED]
    assert told[-1][1] == pytest.approx(0.32 + 0.96 + 0.7, abs=FRAME_S)


def test_an_answer_lulls_500_ms_after_its_last_speech_and_ends_2_s_after_it() -> None:
    told = marks(Endpointer(ANSWER, 0.0), (0.9, 0.32), (0.0, 3.0))
    assert kinds(told) == [Mark.STARTED, Mark.PAUSED, Mark.LULL, Mark.ENDED]
    assert told[-2][1] == pytest.approx(0.32 + 0.5, abs=FRAME_S)
    assert told[-1][1] == pytest.approx(0.32 + YES_HELD_S, abs=FRAME_S)


@pytest.mark.parametrize("silence_s", [0.3, 2.0, 5.0])
def test_whatever_silence_a_person_sets_an_answer_lulls_before_it_ends(silence_s: float) -> None:
    timing = timing_for(ListenFor.ANSWER, request_silence_s=0.7, answer_silence_s=silence_s)
    told = marks(Endpointer(timing, 0.0), (0.9, 0.32), (0.0, 6.0))
    assert kinds(told)[-2:] == [Mark.LULL, Mark.ENDED]
    assert told[-1][1] == pytest.approx(0.32 + max(silence_s, YES_HELD_S), abs=2 * FRAME_S)


def test_what_is_added_to_an_answer_goes_on_with_it_and_is_told_apart() -> None:
    endpointer = Endpointer(ANSWER, 0.0)
    told = marks(endpointer, (0.9, 0.64), (0.0, 1.7), (0.9, 0.32), (0.0, 3.0))
    assert kinds(told) == [
        Mark.STARTED,
        Mark.PAUSED,
        Mark.LULL,
        Mark.RESUMED,
        Mark.PAUSED,
        Mark.LULL,
        Mark.ENDED,
    ]
    assert endpointer.began_at_s == 0.0
    assert endpointer.later_began_at_s == pytest.approx(0.64 + 1.7, abs=2 * FRAME_S)
    assert endpointer.later_speech_s == pytest.approx(0.32, abs=FRAME_S)


def test_the_time_in_which_an_answer_can_be_taken_back_is_never_cut_short() -> None:
    told = marks(Endpointer(ANSWER, 0.0), (0.9, 9.0), (0.0, 3.0))
    assert kinds(told)[-1] is Mark.ENDED
    assert told[-1][1] == pytest.approx(9.0 + YES_HELD_S, abs=3 * FRAME_S)


def test_who_goes_on_after_the_longest_answer_is_not_waited_for() -> None:
    told = marks(Endpointer(ANSWER, 0.0), (0.9, 9.0), (0.0, 1.5), (0.9, 0.5))
    assert kinds(told)[-1] is Mark.CAPPED


def test_a_pause_that_goes_on_is_taken_back() -> None:
    told = marks(Endpointer(REQUEST, 0.0), (0.9, 0.64), (0.0, 0.4), (0.9, 0.64), (0.0, 1.0))
    assert kinds(told) == [Mark.STARTED, Mark.PAUSED, Mark.RESUMED, Mark.PAUSED, Mark.ENDED]


@pytest.mark.voice_bug("endpoint", "(detail thin in what was seen) Endpoint too early on pauses")
@pytest.mark.parametrize("speed", [0.8, 1.0, 1.25])
def test_pauses_of_half_a_second_do_not_end_a_request(speed: float) -> None:
    talk = ((0.9, 0.8 / speed), (0.0, 0.48), (0.9, 0.8 / speed), (0.0, 0.54), (0.9, 0.8 / speed))
    told = marks(Endpointer(REQUEST, 0.0), *talk, (0.0, 1.0))
    assert kinds(told).count(Mark.ENDED) == 1
    assert told[-1][1] > sum(seconds for _, seconds in talk)


@pytest.mark.voice_bug("endpoint", "A short 'yes/stop' takes 15 s to finish")
@pytest.mark.parametrize("late_ms", range(0, 800, 100))
@pytest.mark.parametrize("length_s", [0.26, 0.32, 0.4])
def test_a_short_word_is_acted_on_within_a_second_and_a_half_wherever_it_begins(
    late_ms: int, length_s: float
) -> None:
    told = marks(Endpointer(ANSWER, 0.0), (0.0, late_ms / 1000), (0.9, length_s), (0.1, 1.5))
    assert told[-1][0] is Mark.LULL
    assert told[-1][1] <= late_ms / 1000 + length_s + 0.6


@pytest.mark.voice_bug("endpoint", "(detail thin in what was seen) Ends in the middle of a thought")
def test_who_thinks_long_can_set_a_longer_silence() -> None:
    patient = timing_for(ListenFor.REQUEST, request_silence_s=2.0, answer_silence_s=0.5)
    told = marks(Endpointer(patient, 0.0), (0.9, 0.8), (0.0, 1.8), (0.9, 0.8), (0.0, 3.0))
    assert kinds(told).count(Mark.ENDED) == 1
    assert told[-1][1] == pytest.approx(0.8 + 1.8 + 0.8 + 2.0, abs=3 * FRAME_S)


def test_a_click_is_forgotten_and_the_words_after_it_are_heard() -> None:
    endpointer = Endpointer(REQUEST, 0.0)
    told = marks(endpointer, (0.9, 0.1), (0.0, 0.6), (0.9, 0.5), (0.0, 1.0))
    assert told[-1][0] is Mark.ENDED
    assert endpointer.began_at_s == pytest.approx(0.7, abs=2 * FRAME_S)
    assert endpointer.speech_s == pytest.approx(0.5, abs=FRAME_S)


def test_scores_between_release_and_onset_carry_speech_on_but_do_not_begin_it() -> None:
    assert marks(Endpointer(REQUEST, 0.0), (0.45, 2.0)) == []
    assert kinds(marks(Endpointer(REQUEST, 0.0), (0.9, 0.1), (0.45, 2.0), (0.0, 1.0)))[-1] is Mark.ENDED


def test_nobody_speaking_times_out_after_eight_seconds() -> None:
    told = marks(Endpointer(REQUEST, 0.0), (0.0, 10.0))
    assert kinds(told) == [Mark.TIMED_OUT]
    assert told[0][1] == pytest.approx(8.0, abs=FRAME_S)


@pytest.mark.voice_bug("endpoint", "TV in the room keeps it listening")
@pytest.mark.voice_bug("endpoint", "Long dictation cut at 20 s cap")
def test_speech_without_end_is_capped_at_15_s_and_kept() -> None:
    endpointer = Endpointer(REQUEST, 0.0)
    told = marks(endpointer, (0.9, 60.0))
    assert told[-1][0] is Mark.CAPPED
    assert told[-1][1] == pytest.approx(15.0, abs=FRAME_S)
    assert endpointer.speech_s > 14.9


def test_speech_that_was_already_going_on_is_no_answer() -> None:
    told = marks(Endpointer(ANSWER, 0.0, quiet_first=True), (0.9, 1.0), (0.0, 0.3), (0.9, 0.5), (0.0, 1.0))
    assert kinds(told) == [Mark.STARTED, Mark.PAUSED, Mark.LULL]
    assert told[0][1] == pytest.approx(1.3, abs=2 * FRAME_S)


@given(st.lists(st.floats(0, 1), max_size=400))
def test_listening_always_ends_within_no_speech_time_plus_cap(probabilities: list[float]) -> None:
    timing = Timing(0.7, no_speech_s=2.0, cap_s=3.0)
    endpointer = Endpointer(timing, 0.0)
    for frame, probability in enumerate(probabilities + [0.5] * 400, start=1):
        if endpointer.hear(probability, frame * FRAME_S) in FINAL:
            assert frame * FRAME_S <= 2.0 + 3.0 + 3 * FRAME_S
            return
    pytest.fail("listening did not end")
