"""What of a recognition counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.speech import Language, Recognition
from jarvis_desktop.core.voice import heard_text
from jarvis_desktop.core.voice.heard_text import is_loop, says_wake_phrase, without_wake_phrase, words_of
from jarvis_desktop.core.voice.spoken_answer import ANSWER_BIAS


def recognised(text: str, *, avg_logprob: float = -0.3, no_speech: float = 0.05) -> Recognition:
    return Recognition(text, Language.KOREAN, avg_logprob, no_speech)


def test_clear_words_pass_as_they_are() -> None:
    assert words_of(recognised("테스트를 돌려줘."), 1.0) == "테스트를 돌려줘."


@pytest.mark.parametrize(
    ("speech_s", "avg_logprob", "no_speech"),
    [(0.24, -0.3, 0.05), (1.0, -1.01, 0.05), (1.0, -0.3, 0.41)],
)
@pytest.mark.voice_bug("stt", "Hallucinates on silence even with VAD")
@pytest.mark.voice_bug("stt", "Hallucination phrase list has gaps")
def test_each_gate_alone_drops_even_words_that_no_list_knows(
    speech_s: float, avg_logprob: float, no_speech: float
) -> None:
    heard = recognised("응 실행해", avg_logprob=avg_logprob, no_speech=no_speech)
    assert words_of(heard, speech_s) == ""


def test_values_right_on_the_limits_pass() -> None:
    assert words_of(recognised("응", avg_logprob=-1.0, no_speech=0.4), 0.25) == "응"


@pytest.mark.voice_bug("stt", "Output '[SPEAKING CHINESE]'")
@pytest.mark.parametrize(
    "text", ["[BLANK_AUDIO]", "(음악)", "[SPEAKING CHINESE]", "♪♪", "*coughs*", " . ", "…"]
)
def test_signs_for_noises_are_no_words(text: str) -> None:
    assert words_of(recognised(text), 1.0) == ""


def test_words_beside_a_noise_sign_stay() -> None:
    assert words_of(recognised("[music] open the door"), 1.0) == "open the door"


@pytest.mark.voice_bug("stt", "Silence produced '시청해주셔서 감사합니다!'")
@pytest.mark.parametrize(
    "text", ["시청해주셔서 감사합니다!", "Thanks for watching!", "MBC 뉴스 이덕영입니다."]
)
def test_what_recognisers_make_of_nothing_is_dropped(text: str) -> None:
    assert words_of(recognised(text), 1.0) == ""


def test_thanking_clearly_is_kept_and_thanking_shakily_is_not() -> None:
    assert words_of(recognised("감사합니다"), 1.0) == "감사합니다"
    assert words_of(recognised("감사합니다", avg_logprob=-0.8), 1.0) == ""


@pytest.mark.voice_bug("stt", "Loop 'six six six' for 80 s")
@pytest.mark.voice_bug("stt", "Korean hour-long talk: '웃음소리'")
@pytest.mark.parametrize(
    "text",
    [
        "six six six six six six",
        "1. 1. 1. 1. 1. 1. 1.",
        "오오오오오오오",
        "웃음소리 " * 8,
        "go ahead " * 4,
        "하하하하하하하하",
    ],
)
def test_a_recogniser_that_got_stuck_says_nothing(text: str) -> None:
    assert is_loop(text)
    assert words_of(recognised(text), 3.0) == ""


@pytest.mark.parametrize(
    "text", ["no no no no", "아니 아니 아니", "yes, yes", "go ahead, go ahead", "ㅋㅋㅋ"]
)
def test_people_repeat_themselves_without_being_a_loop(text: str) -> None:
    assert not is_loop(text)


@pytest.mark.voice_bug("stt", "Bias prompt is echoed as transcript")
@pytest.mark.voice_bug("stt", "Korean hotwords emitted on silence")
@pytest.mark.parametrize("language", list(Language))
def test_the_bias_coming_back_whole_is_dropped_at_any_length(language: Language) -> None:
    bias = ANSWER_BIAS[language]
    assert words_of(recognised(bias), 3.0, bias) == ""


def test_one_bias_phrase_counts_only_with_enough_speech() -> None:
    assert words_of(recognised("응, 실행해"), 0.28, "아니. 응, 실행해") == "응, 실행해"
    assert words_of(recognised("실행해"), 0.28, "아니, 실행해") == ""
    assert words_of(recognised("실행해"), 0.5, "아니, 실행해") == "실행해"


@pytest.mark.parametrize(
    ("heard", "left"),
    [
        ("Hey Jarvis, what time is it?", "what time is it?"),
        ("hey jarvis", ""),
        ("Jarvis. Open it", "Open it"),
        ("'s, Jarvis, run the tests", "run the tests"),
        ("헤이 자비스 테스트 돌려줘", "테스트 돌려줘"),
        ("자비스야, 지금 몇 시야?", "자비스야, 지금 몇 시야?"),
        ("헤이 자비스야, 지금 몇 시야?", "지금 몇 시야?"),
        ("자비스야", ""),
        ("Hey Jarvis. Jarvis, what time is it?", "Jarvis, what time is it?"),
        ("a jarvis turn it off", "turn it off"),
        ("what is jarvis", "what is jarvis"),
        ("Turn on the light", "Turn on the light"),
        ("자비스럽다", "자비스럽다"),
    ],
)
def test_only_a_leading_wake_phrase_is_taken_off(heard: str, left: str) -> None:
    assert without_wake_phrase(heard) == left


@pytest.mark.parametrize(
    ("text", "says"), [("My name is Jarvis.", True), ("제 이름은 자비스예요", True), ("Done.", False)]
)
def test_texts_that_would_say_the_wake_word_aloud_are_known(text: str, *, says: bool) -> None:
    assert says_wake_phrase(text) is says


@pytest.mark.voice_bug("stt", "Hallucination phrase list has gaps")
def test_the_gates_hold_without_any_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heard_text, "_CREDITS", ())
    monkeypatch.setattr(heard_text, "_FILLERS", frozenset())
    assert words_of(recognised("시청해주셔서 감사합니다", avg_logprob=-1.4, no_speech=0.7), 0.0) == ""


@given(st.text(max_size=80), st.floats(0, 3))
def test_no_text_makes_the_gate_fall_over(text: str, speech_s: float) -> None:
    assert isinstance(words_of(recognised(text), speech_s, "yes, no"), str)
