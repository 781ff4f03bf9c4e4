"""What the mouth says about answers: asked again, a locked screen, a rule read back and decided."""

from dataclasses import replace

import pytest

from jarvis_desktop.core.items.decisions import AnswerFate, RuleOffer
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    AnswerUnclear,
    QuestionAsked,
    ReplyDelta,
    SavingEnded,
    SavingOffered,
    SpeakingEnded,
    SpeakingStarted,
    TurnEnded,
    WakeHeard,
)
from jarvis_desktop.core.items.ids import QuestionId, WindowId
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.spoken import saving_id
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.core.voice.question_speech import saving_speech
from jarvis_desktop.core.voice.spoken_answer import PERMITTING, classify
from tests.fakes.texts import PlainTexts
from tests.unit.voice_out.catalog import KoreanTexts
from tests.unit.voice_out.test_mouth import (
    QUESTION,
    QUESTION_ID,
    READING,
    SESSION,
    TURN,
    Stage,
    begun,
    settled,
    stage,
)

__all__ = ["stage"]


def offer(*patterns: str, tool: str = "bash", project_decides: bool = False) -> RuleOffer:
    lines = tuple(RuleLine(tool, pattern) for pattern in patterns)
    return RuleOffer(lines, "approvals/main.yaml", (), (), project_decides)


ASKED = replace(QUESTION, offer=offer("make test", project_decides=True))
READ_BACK = (
    "Allowed, this once. Save the rule that commands beginning with make test always run without asking? "
    "What they do is decided by a file of the project. Say yes, or say no."
)
READ_ID = saving_id(QUESTION_ID)


# --- the words --------------------------------------------------------------------------------------


def test_the_exact_rule_is_read_back() -> None:
    assert saving_speech(offer("make test", project_decides=True), PlainTexts()).text == READ_BACK
    assert saving_speech(offer("git status", "git log"), PlainTexts()).text == (
        "Allowed, this once. Save the rule that commands beginning with git status, or with git log always "
        "run without asking? Say yes, or say no."
    )
    assert saving_speech(offer("git status"), KoreanTexts()).text == (
        "이번 한 번 허용했어요. 깃 스테이터스로 시작하는 명령을 앞으로 묻지 않고 실행하는 규칙을 저장할까요? "
        "네 또는 아니요라고 말해 주세요."
    )


@pytest.mark.parametrize(
    "unreadable",
    [
        offer("a b; c"),
        offer("git status", "x" * 200),
        offer("/srv/tool run"),
        offer("/home/u/*", tool="edit_file"),
    ],
)
def test_a_rule_that_cannot_be_read_in_full_is_not_offered_by_voice(unreadable: RuleOffer) -> None:
    speech = saving_speech(unreadable, PlainTexts())
    assert speech.screen_only
    assert speech.text == (
        "Allowed, this once. Its rule is too long or unusual to be read aloud, so it is not saved. "
        "The screen can save it, with Always."
    )


def test_the_reading_of_a_rule_is_never_a_yes_itself() -> None:
    for texts in (PlainTexts(), KoreanTexts()):
        for one in (offer("make test"), offer("a;b")):
            assert classify(saving_speech(one, texts).text).label not in PERMITTING


# --- the mouth --------------------------------------------------------------------------------------


@pytest.mark.promise("T-072")
async def test_an_unclear_answer_has_the_question_read_once_more(stage: Stage) -> None:
    await stage.tell(QuestionAsked(QUESTION))
    await stage.hear_all()
    await stage.tell(AnswerUnclear(QuestionId("another")), AnswerUnclear(QUESTION_ID))
    await stage.hear_all()
    assert stage.started == [READING, f"I did not understand that. {READING}"]


async def test_a_yes_under_a_locked_screen_is_explained(stage: Stage) -> None:
    await stage.tell(QuestionAsked(QUESTION))
    await stage.hear_all()
    refused = AnswerRefused(QUESTION_ID, AnswerFate.SCREEN_LOCKED, None)
    await stage.tell(
        refused, replace(refused, window_id=WindowId("w")), replace(refused, fate=AnswerFate.EXPIRED)
    )
    await stage.hear_all()
    assert [e.question_id for e in stage.events if isinstance(e, SpeakingStarted)] == [QUESTION_ID, None]
    assert stage.started == [
        READING,
        "The screen is locked, so nothing is allowed by voice or message. Unlock it first, or say deny.",
    ]


async def test_the_answer_waits_while_a_rule_is_being_decided_about(stage: Stage) -> None:
    await stage.tell(begun(), QuestionAsked(ASKED))
    await stage.hear_all()
    await stage.tell(settled(), SavingOffered(ASKED), ReplyDelta(TURN, "It is done. "))
    await stage.hear_all()
    assert stage.started == [READING, READ_BACK]
    assert stage.events[-1] == SpeakingEnded(cut=False, question_id=READ_ID)
    await stage.tell(TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "It is done. Really."))
    await stage.tell(SavingEnded(QUESTION_ID, saved=True))
    await stage.hear_all()
    assert stage.started[2:4] == ["The rule is saved.", "It is done."]


@pytest.mark.parametrize(
    ("problem", "said"), [("", []), ("the disk is full", ["The rule could not be saved."])]
)
async def test_a_rule_that_is_not_saved_lets_the_answer_go_on(
    stage: Stage, problem: str, said: list[str]
) -> None:
    await stage.tell(begun(), SavingOffered(ASKED), ReplyDelta(TURN, "It is done. "))
    await stage.hear_all()
    await stage.tell(SavingEnded(QUESTION_ID, saved=False, problem=problem))
    await stage.hear_all()
    assert stage.started == [READ_BACK, *said, "It is done."]


async def test_a_decision_in_the_middle_of_the_reading_cuts_it(stage: Stage) -> None:
    await stage.tell(SavingOffered(ASKED))
    await stage.loudspeaker.drain(1)
    await stage.tell(SavingEnded(QUESTION_ID, saved=False))
    assert stage.events[-1] == SpeakingEnded(cut=True, question_id=READ_ID)


async def test_the_wake_word_ends_the_waiting_and_drops_what_waited(stage: Stage) -> None:
    await stage.tell(begun(), SavingOffered(ASKED), ReplyDelta(TURN, "It is done. "))
    await stage.tell(WakeHeard(0.9), SavingEnded(QUESTION_ID, saved=False))
    await stage.hear_all()
    assert "It is done." not in stage.started


async def test_a_rule_that_cannot_be_read_holds_nothing_back(stage: Stage) -> None:
    odd = replace(ASKED, offer=offer("a;b"))
    await stage.tell(begun(), SavingOffered(odd), ReplyDelta(TURN, "It is done. "))
    await stage.hear_all()
    assert stage.started[-1] == "It is done."
    assert READ_ID not in [getattr(event, "question_id", None) for event in stage.events]


async def test_a_typed_request_and_a_silent_mouth_read_no_rule_back(stage: Stage) -> None:
    await stage.tell(SavingOffered(replace(ASKED, spoken=False)))
    await stage.hear_all()
    assert stage.started == []
