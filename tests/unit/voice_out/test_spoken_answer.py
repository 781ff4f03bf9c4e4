"""A spoken answer permits only what it clearly says."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.voice.spoken_answer import (
    ANSWER_BIAS,
    SpokenLabel,
    Stage,
    classify,
    is_plain_refusal,
    is_refusal,
    is_stop,
)

CASES = Path(__file__).parents[2] / "data" / "cases" / "replies.jsonl"
MORE_CASES = CASES.with_name("more_replies.jsonl")
REPLIES = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
MORE_REPLIES = [json.loads(line) for line in MORE_CASES.read_text("utf-8").splitlines()]
PERMITTING = (SpokenLabel.ALLOW, SpokenLabel.ALWAYS)
ALLOWING = [
    "yes", "go ahead", "yeah, go ahead", "granted", "permission granted", "approve", "allow it", "okay do it",
    "run it", "always allow",
    "allow it every time", "please proceed", "응", "네, 진행하세요", "승인", "승인해", "허용해", "허락할게",
    "진행해",
    "실행해", "그렇게 해", "해 줘", "항상 허용", "응 실행해", "네실행해줘", "앞으로도 계속 해도 돼",
    "그거 돌려", "다음 부터는 알아서 실행해", "이번 만 허용해", "마음 대로 해도 돼", "조아 해 줘",
    "내 진행하세요",
]  # fmt: skip
REFUSING = [
    "no", "not", "never", "don't", "don\u2019t", "don\u02bct", "don\uff07t", "dont", "do n't", "don t",
    "cannot", "stop",
    "cancel", "wait", "hold on", "deny", "\uff4e\uff4f", "n\u200bo", "아니", "아니야", "하지 마", "하지마",
    "하지 말고", "안 돼", "안돼",
    "못 해", "거부", "취소", "멈춰", "기다려", "그만", "잠깐", "싫어", "ㄴㄴ", "마", "나중에", "아직",
]  # fmt: skip


@pytest.mark.promise("T-070", "T-072", "T-074")
@pytest.mark.parametrize("case", REPLIES, ids=lambda case: case["text"] or "silence")
def test_nothing_that_must_be_denied_is_permitted_by_keywords(case: dict[str, str]) -> None:
    label = classify(case["text"]).label
    if case["decision"] == "deny":
        assert label not in PERMITTING
    else:
        assert label in (case["decision"], SpokenLabel.UNCLEAR)


@pytest.mark.promise("T-070")
@pytest.mark.parametrize("case", REPLIES, ids=lambda case: case["text"] or "silence")
def test_exactly_the_answers_with_a_refusal_word_are_denied_without_a_model(case: dict[str, object]) -> None:
    assert (classify(str(case["text"])).label is SpokenLabel.DENY) is case["negation"]
    assert is_refusal(str(case["text"])) is case["negation"]


@pytest.mark.promise("T-071")
def test_keywords_settle_nine_of_ten_clear_permissions() -> None:
    clear = [case for case in REPLIES if case["decision"] in ("allow", "always")]
    settled = [case for case in clear if classify(case["text"]).label == case["decision"]]
    assert len(settled) / len(clear) >= 0.9


@pytest.mark.promise("T-070")
@pytest.mark.voice_bug("approval", "'Okay, wait, don't run that'")
@pytest.mark.parametrize(
    "heard",
    [
        "Okay, wait, don't run that", "okay wait", "yes. Actually, no.", "sure, hold on", "go ahead and stop",
        "yes, yes, yes, cancel", "do it later", "allow it never", "네 잠깐만요", "응 아니야",
        "실행해 아니 하지 마", "좋아 근데 나중에", "허용해 취소",
    ],
)  # fmt: skip
def test_a_refusal_wins_wherever_it_stands(heard: str) -> None:
    assert classify(heard).label is SpokenLabel.DENY


@pytest.mark.promise("T-070")
@pytest.mark.voice_bug("approval", "Bare 'ja' or embedded yes approved")
@pytest.mark.parametrize("yes", ["yes", "okay", "allow it", "네", "응", "승인", "ja"])
@pytest.mark.parametrize("no", ["no", "nope", "deny", "아니요", "거부", "안 돼"])
def test_yes_and_no_together_are_a_no_in_either_order(yes: str, no: str) -> None:
    for heard in (f"{yes} {no}", f"{no} {yes}", f"{yes}, {no}, {yes}"):
        assert classify(heard).label is SpokenLabel.DENY


@pytest.mark.voice_bug("approval", "Bare 'ja' or embedded yes approved")
@pytest.mark.parametrize(
    "heard", ["ja", "Ja.", "ja ja", "oui", "hai", "ya", "자", "I said yes to him", "yesyes"]
)
def test_a_yes_of_another_language_or_inside_other_words_permits_nothing(heard: str) -> None:
    assert classify(heard).label not in PERMITTING


@pytest.mark.promise("T-070")
@pytest.mark.voice_bug("approval", "'don’t do it' with curly apostrophe")
@pytest.mark.parametrize(
    "sign", ["'", "\u2018", "\u2019", "\u201b", "\u02bc", "\u2032", "\u00b4", "`", "\uff07", ""]
)
@pytest.mark.parametrize("width", ["narrow", "full"])
def test_a_dont_is_a_refusal_in_every_spelling(sign: str, width: str) -> None:
    for plain in (f"don{sign}t do it", f"yes, but don{sign}t", f"okay, I wouldn{sign}t", "not okay", "no"):
        heard = (
            plain.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)}) if width == "full" else plain
        )
        assert classify(heard).label is SpokenLabel.DENY
        assert classify(heard.upper()).label is SpokenLabel.DENY


@pytest.mark.promise("T-072", "T-074")
def test_none_of_many_more_refusals_doubts_questions_and_quotes_is_a_yes() -> None:
    wrong = [
        case["text"]
        for case in MORE_REPLIES
        if case["decision"] == "deny" and classify(case["text"]).label in PERMITTING
    ]
    assert wrong == []


@pytest.mark.promise("T-071")
@pytest.mark.parametrize("language", ["en", "ko"])
def test_most_of_many_more_answers_are_settled_by_keywords(language: str) -> None:
    def share(decision: tuple[str, ...], label: str) -> float:
        said = [one for one in MORE_REPLIES if one["lang"] == language and one["label"] == label]
        return sum(classify(one["text"]).label in decision for one in said) / len(said)

    assert share(PERMITTING, "allow") >= 0.7
    assert share(PERMITTING, "always") >= 0.85
    assert share((SpokenLabel.DENY,), "deny") >= 0.9


@pytest.mark.promise("T-072")
@pytest.mark.parametrize(
    "heard", ["그래", "응 그래", "네 그래요", "언제나 허용해", "그럼요", "하셔도 됩니다"]
)
def test_a_yes_that_ends_like_a_question_is_a_yes(heard: str) -> None:
    assert classify(heard).label in PERMITTING
    assert classify(heard + "?").label is SpokenLabel.UNCLEAR


@pytest.mark.promise("T-072")
@pytest.mark.parametrize(
    "heard", ["and do that", "And run it.", "allow what", "뭘 허용해", "yes, allow which"]
)
def test_the_rest_of_another_sentence_is_no_yes(heard: str) -> None:
    assert classify(heard).label is SpokenLabel.UNCLEAR


@pytest.mark.promise("T-072")
@pytest.mark.parametrize("heard", ["okay jarvis", "Ok, Jarvis.", "오케이 자비스"])
def test_okay_and_our_name_is_no_answer(heard: str) -> None:
    assert classify(heard).label is SpokenLabel.UNCLEAR
    assert classify(f"{heard} go ahead").label is SpokenLabel.ALLOW


@pytest.mark.promise("T-070")
@pytest.mark.parametrize(
    "heard",
    [
        "no",
        "no, don't",
        "please don't run it now",
        "I said no",
        "rather not",
        "do not do that",
        "그거 안 돼",
        "아 하지 마",
    ],
)
def test_people_who_talk_over_our_voice_refuse_with_their_first_or_last_words(heard: str) -> None:
    assert is_plain_refusal(heard)


@pytest.mark.parametrize(
    "heard",
    [
        "We may not see XC to be not see XC in the fold.",
        "below not see it.",
        "No, no, no, no, no.",
        "fool your fool out, take suit, fool by the no-possu",
        "it or not.",
        "or not",
        "",
    ],
)
def test_what_a_recogniser_makes_of_our_own_voice_in_a_room_is_no_plain_refusal(heard: str) -> None:
    assert not is_plain_refusal(heard)


@pytest.mark.promise("T-070")
@given(phrase=st.sampled_from(ALLOWING), refusal=st.sampled_from(REFUSING), place=st.integers(0, 6))
@example(phrase="항상 허용", refusal="마", place=9)
def test_one_refusal_word_anywhere_in_a_yes_denies(phrase: str, refusal: str, place: int) -> None:
    words = phrase.split()
    words.insert(min(place, len(words)), refusal)
    assert classify(" ".join(words)).label is SpokenLabel.DENY


NO_REFUSALS = [
    "안녕", "안내", "안전하게", "안심하고", "안드로이드", "안쪽", "안마", "안다", "제안", "보안", "동안",
    "방안", "초안", "법안", "마음대로", "마저", "하지만", "노트", "말한 대로", "don't forget", "no problem",
    "never mind the noise", "not at all", "nothing else", "nonstop", "know", "now", "note that down",
]  # fmt: skip
"""Words and phrases that hold the letters of a refusal and may be none."""


@pytest.mark.promise("T-070")
@pytest.mark.voice_bug("approval", "'confirm tango, don't forget")
@pytest.mark.parametrize("exception", NO_REFUSALS)
def test_what_may_be_no_refusal_never_hides_the_refusal_behind_it(exception: str) -> None:
    taken = [
        heard
        for refusal in REFUSING
        for heard in (
            f"{exception} {refusal}",
            f"{exception}, {refusal}",
            f"{exception} - {refusal}",
            f"confirm {exception} - {refusal}",
            f"네, {exception} {refusal}",
            f"{refusal} {exception}",
        )
        if classify(heard).label is not SpokenLabel.DENY
    ]
    assert taken == []


@pytest.mark.promise("T-072")
@given(extra=st.text(st.characters(codec="utf-8", categories=("Ll", "Lo")), max_size=12))
def test_a_word_that_nobody_knows_is_never_part_of_a_yes(extra: str) -> None:
    for answer in (f"yes q{extra}", f"q{extra} go ahead", f"네 쀍{extra}", f"쀍{extra} 허용해"):
        assert classify(answer).label not in PERMITTING


@pytest.mark.promise("T-072")
@pytest.mark.voice_bug("approval", "'Permission granted' counted as denial")
@pytest.mark.parametrize("phrase", ALLOWING)
def test_the_natural_ways_to_say_yes_are_understood(phrase: str) -> None:
    assert classify(phrase).label in PERMITTING
    assert classify(phrase).stage is Stage.KEYWORDS


@pytest.mark.promise("T-072")
@pytest.mark.voice_bug("approval", "'don’t do it' with curly apostrophe")
@pytest.mark.parametrize(
    "heard",
    [
        "goat head", "elbow it", "a loud noise", "Danny", "Denai", "tonight", "did I", "okra", "yesterday",
        "undo items",
        "undo", "okra is fine", "know", "자네", "어네", "예전에", "어 써", "어서", "왔어", "해", "always",
        "yes and delete everything",
        "go ahead and delete the rest", "can you run it", "should I go ahead", "allow or", "if you like, yes",
        "yes, but only the first one", "네가 알아서 해", "허용하는데", "실행하면 어떻게 돼", "승인할까요",
        "응?",
        "네 그런데 뭐 하는 거야", "시청해주셔서 감사합니다", "thank you", "now", "please", "음 어",
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_yes_permits_nothing(heard: str) -> None:
    assert classify(heard).label not in PERMITTING


@pytest.mark.promise("T-072")
@pytest.mark.parametrize(
    ("heard", "stage"),
    [
        ("what does it do?", Stage.QUESTION),
        ("해도 될까?", Stage.QUESTION),
        ("yes but only once", Stage.CONDITION),
        ("좋긴 한데", Stage.CONDITION),
        ("", Stage.NOTHING),
    ],
)
def test_unclear_answers_say_why_they_are_unclear(heard: str, stage: Stage) -> None:
    assert classify(heard).label is SpokenLabel.UNCLEAR
    assert classify(heard).stage is stage


@given(st.text(max_size=300))
def test_any_text_gets_a_label(heard: str) -> None:
    assert classify(heard).label in SpokenLabel


@pytest.mark.parametrize(
    "heard", ["ok " * 16 + "x", "fine good well " * 6, "해 " * 40, "응" * 60, "네 그래 좋아 " * 9]
)
def test_rows_of_small_words_are_settled_at_once(heard: str) -> None:
    assert classify(heard).label in SpokenLabel


@pytest.mark.parametrize(
    "heard",
    ["stop", "Stop.", "stop, stop", "okay stop it", "Jarvis, stop!", "please be quiet", "멈춰", "그만",
    "그만 읽어 줘", "자비스 멈춰", "조용히 해"],
)  # fmt: skip
def test_an_order_to_be_silent_is_recognised(heard: str) -> None:
    assert is_stop(heard)


@pytest.mark.parametrize(
    "heard",
    ["", "how do I stop a process", "stop the docker container", "그만큼 해 줘", "yes", "버스가 어디서 멈춰"],
)
def test_a_request_that_mentions_stopping_is_no_order_to_stop(heard: str) -> None:
    assert not is_stop(heard)


def test_bias_offers_refusals_before_permissions() -> None:
    for language in Language:
        first = ANSWER_BIAS[language].split(".")[0]
        assert classify(first).label is SpokenLabel.DENY
