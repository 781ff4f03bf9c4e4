"""Our own voice in what was heard is taken out again; a person's words stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.voice.echo_guard import EchoGuard
from jarvis_desktop.core.voice.spoken_answer import is_refusal

WEATHER = "The weather is sunny today."
KOREAN = "오늘 서울은 맑고 기온은 이십 도입니다."
QUESTION = "승인 또는 거부라고 말해 주세요."


def guard(text: str, *, question: bool = False, silent_at_s: float | None = None) -> EchoGuard:
    made = EchoGuard()
    made.said(text, 0.0, question=question)
    if silent_at_s is not None:
        made.fell_silent(silent_at_s)
    return made


@pytest.mark.voice_bug("echo_followup", "Echo and user words arrive in one transcript")
@pytest.mark.parametrize(
    ("said", "heard", "left"),
    [
        (WEATHER, "the weather is sunny today set a timer", "set a timer"),
        (WEATHER, "The whether is sunny to day, set a timer please", "set a timer please"),
        (KOREAN, "오늘 서울은 말고 기온은 이십도 입니다 내일은 어때", "내일은 어때"),
        (WEATHER, "sunny today stop", "stop"),
        (WEATHER, "stop the weather is sunny", "stop"),
    ],
)
def test_the_echo_goes_and_the_persons_words_stay(said: str, heard: str, left: str) -> None:
    assert guard(said).strip(heard, 1.0) == left


@pytest.mark.voice_bug("echo_followup", "Follow-up mic opens on the tail")
@pytest.mark.voice_bug("echo_followup", "Call mode hears itself")
@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (WEATHER, "the weather is sunny today"),
        (WEATHER, "whether is sunny to day"),
        (WEATHER, "sunny today"),
        (KOREAN, "오늘 서울은 맑고 기온은 이십 도입니다"),
        (KOREAN, "서울은 말고 기온은 이십도 임니다"),
        ("Should I go ahead?", "should I go ahead"),
        (WEATHER, "the weather is sunny today Tom"),
    ],
)
def test_what_is_only_our_own_voice_is_empty(said: str, heard: str) -> None:
    assert guard(said, silent_at_s=0.5).strip(heard, 1.0) == ""


@pytest.mark.parametrize(
    "heard",
    [
        "what is the weather tomorrow in Busan",
        "set a timer",
        "내일 부산 날씨 알려 줘",
        "yes, go ahead",
        "네, 진행해 주세요",
    ],
)
def test_a_persons_sentence_passes_untouched(heard: str) -> None:
    made = guard(WEATHER)
    made.said(KOREAN, 0.5)
    assert made.strip(heard, 1.0) == heard


@pytest.mark.voice_bug("echo_followup", "'stop' filtered as echo")
def test_stop_counts_although_we_are_saying_the_word() -> None:
    made = guard("You can say stop at any time.")
    assert made.strip("Stop.", 1.0) == "Stop."
    assert made.strip("you can say stop at any time", 1.0) == ""


def test_the_answer_words_of_a_question_are_ours_while_it_is_read() -> None:
    assert guard(QUESTION, question=True).strip("거부", 1.0) == ""
    assert guard(QUESTION, question=True).strip("아니 하지 마", 1.0) == "아니 하지 마"
    assert guard(QUESTION, question=True, silent_at_s=2.0).strip("거부", 3.0) == "거부"


def test_one_word_is_an_answer_once_our_tail_is_over() -> None:
    made = guard("Seoul or Busan?", silent_at_s=1.0)
    assert made.strip("Busan", 1.5) == ""
    assert made.strip("Busan", 3.0) == "Busan"


def test_old_sentences_are_forgotten() -> None:
    made = guard(WEATHER, silent_at_s=1.0)
    assert made.strip("the weather is sunny today", 14.0) == "the weather is sunny today"


@pytest.mark.voice_bug("echo_followup", "Infinite conversation loop")
def test_turns_that_are_only_our_voice_are_counted() -> None:
    made = guard(WEATHER)
    for count in (1, 2, 3):
        assert made.strip("the weather is sunny today", 1.0) == ""
        assert made.self_like_turns == count
    made.strip("set a timer please", 1.0)
    assert made.self_like_turns == 0


def test_silence_counts_as_nothing() -> None:
    made = guard(WEATHER)
    assert made.strip("", 1.0) == ""
    assert made.self_like_turns == 0


@given(
    said=st.sampled_from([WEATHER, KOREAN, "Delete build? Say allow, or say deny."]),
    refusal=st.sampled_from(["no", "stop", "don't", "아니", "하지 마", "멈춰", "cancel"]),
)
def test_a_bare_refusal_is_never_taken_for_an_echo(said: str, refusal: str) -> None:
    assert is_refusal(guard(said).strip(refusal, 1.0))


@given(st.text(max_size=120), st.text(max_size=120))
def test_stripping_only_takes_away(said: str, heard: str) -> None:
    left = guard(said).strip(heard, 1.0)
    assert left == heard or set(left.split()) <= set(heard.split())
