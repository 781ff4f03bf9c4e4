"""What people who only look are told about voice while something is open."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from jarvis_desktop.core.items.decisions import AnswerFate
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    AnswerUnclear,
    Event,
    HeardNothing,
    NothingHeard,
    QuestionAsked,
    SavingEnded,
    SavingOffered,
    Transcribed,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.spoken import AnswerStage
from jarvis_desktop.ui.spoken_picture import SpokenPicture, heard_line, voice_line
from tests.fakes.texts import PlainTexts
from tests.ui.samples import OFFER, QUESTION

TEXTS = PlainTexts()
SPOKEN = replace(QUESTION, spoken=True, offer=OFFER)
READ_IN_FULL = replace(SPOKEN, detail="ls")
TOO_LONG = replace(SPOKEN, detail="ls " * 400)


def voice(answer: AnswerStage, nth: int = 0, *, muted: bool = False) -> VoiceStateChanged:
    listens = ListenFor.ANSWER if nth else ListenFor.STOP
    return VoiceStateChanged(VoiceState.ASKING, muted, listens, listening=nth, answer=answer)


def after(*events: Event) -> SpokenPicture:
    picture = SpokenPicture()
    for event in events:
        picture.take(event)
    return picture


def heard(*events: Event) -> str:
    return heard_line(after(QuestionAsked(SPOKEN), *events), SPOKEN, TEXTS)


@pytest.mark.promise("T-073", "T-254")
def test_every_state_of_a_spoken_answer_is_said_and_why_nothing_is_heard() -> None:
    said = {
        voice(AnswerStage.WAITING): "Speaking the question…",
        voice(AnswerStage.LISTENING, 3): "Listening 3 of 20: say yes or no.",
        voice(AnswerStage.RECOGNISING, 3): "Recognising what you said (3 of 20)…",
        voice(AnswerStage.HELD, 3): "Heard. It counts in a moment, unless you go on speaking.",
        voice(AnswerStage.GIVEN): "Your spoken answer was taken.",
        voice(AnswerStage.USED_UP): "Not listening any more, after 20 times: answer with the buttons.",
        voice(
            AnswerStage.UNREAD
        ): "Not listening, because reading aloud is switched off: answer with the buttons.",
        voice(
            AnswerStage.DEAF
        ): "Not listening, because microphone or speech recognition is missing: answer with the buttons.",
        voice(
            AnswerStage.LISTENING, 3, muted=True
        ): "Not listening, because the microphone is off: answer with the buttons.",
    }
    assert {event: voice_line(after(event), READ_IN_FULL, TEXTS) for event in said} == said


def test_what_only_the_screen_can_allow_says_so_from_the_beginning() -> None:
    for answer in (AnswerStage.NONE, AnswerStage.WAITING):
        assert voice_line(after(voice(answer)), TOO_LONG, TEXTS) == (
            "Too long or unusual to be read aloud: only the buttons can allow it. You can still say no."
        )


def test_somebody_who_talks_over_a_question_sees_that_it_stays_open() -> None:
    talks = VoiceStateChanged(VoiceState.LISTENING, muted=False, listen_for=ListenFor.REQUEST)
    assert voice_line(after(talks), READ_IN_FULL, TEXTS) == "Listening to a new request; this stays open."


def answers(words: str) -> Iterable[Event]:
    yield Transcribed(words, Language.ENGLISH, ListenFor.ANSWER)


@pytest.mark.promise("T-072")
def test_what_was_heard_is_shown_and_an_unclear_answer_says_what_comes_next() -> None:
    unclear = (
        "That was neither yes nor no, so it is asked once more: say “allow it” or “no”, or use the buttons. "
        "If it stays unclear: denied."
    )
    assert heard(*answers("well maybe")) == "Heard: “well maybe”."
    assert heard(*answers("well maybe"), AnswerUnclear(SPOKEN.question_id)) == (
        f"Heard: “well maybe”. {unclear}"
    )
    assert heard(*answers("well maybe " * 20), AnswerUnclear(SPOKEN.question_id)).endswith(unclear)
    assert heard(AnswerUnclear(SPOKEN.question_id)) == unclear
    assert heard(NothingHeard(HeardNothing.ECHO, ListenFor.ANSWER)) == "Only Jarvis's own voice was heard."
    assert heard(NothingHeard(HeardNothing.UNCLEAR, ListenFor.ANSWER)).endswith(
        "say “allow it” or “no”, or use the buttons."
    )
    assert heard(NothingHeard(HeardNothing.CANCELLED, ListenFor.ANSWER)).endswith("Please say it again.")
    assert heard(NothingHeard(HeardNothing.SILENCE, ListenFor.REQUEST)) == ""
    assert heard(AnswerRefused(SPOKEN.question_id, AnswerFate.SCREEN_LOCKED, None)) == (
        "A yes by voice does not count while the screen is locked."
    )


def test_what_was_heard_hides_nothing_and_a_new_question_begins_without_it() -> None:
    assert heard(*answers("y\u202ees")) == "Heard: “y⟨U+202E⟩es”."
    assert heard(*answers("no"), AnswerUnclear(SPOKEN.question_id), QuestionAsked(SPOKEN)) == ""


def test_a_rule_that_was_read_back_is_open_until_it_is_decided() -> None:
    offered = after(SavingOffered(SPOKEN), voice(AnswerStage.WAITING))
    assert offered.saving == SPOKEN
    assert voice_line(offered, SPOKEN, TEXTS, saving=True) == "Reading the rule aloud…"
    assert after(SavingOffered(SPOKEN), SavingEnded(SPOKEN.question_id, saved=True)).saving is None
