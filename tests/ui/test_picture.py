"""What a front end knows, and which face the tray shows."""

import pytest

from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    Event,
    Part,
    QuestionAsked,
    ReplyDelta,
    ReplyReplaced,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.ui.picture import KEPT_ACTIVITY, Face, Picture, RunningTurn
from jarvis_desktop.ui.words import state_text
from tests.fakes.texts import PlainTexts
from tests.ui.samples import NOW, QUESTION, SESSION, TURN, settled, started

TROUBLE = TroubleNoted(Part.OLLAMA, "Ollama does not answer.")


def voice(state: VoiceState, *, muted: bool = False) -> VoiceStateChanged:
    return VoiceStateChanged(state, muted=muted, listen_for=ListenFor.WAKE_WORD)


@pytest.mark.parametrize(
    ("events", "face"),
    [
        ([], Face.ASLEEP),
        ([voice(VoiceState.LISTENING)], Face.LISTENING),
        ([voice(VoiceState.TRANSCRIBING)], Face.LISTENING),
        ([voice(VoiceState.THINKING)], Face.THINKING),
        ([voice(VoiceState.SPEAKING)], Face.SPEAKING),
        ([voice(VoiceState.ASKING)], Face.ASKING),
        ([started()], Face.THINKING),
        ([started(), QuestionAsked(QUESTION)], Face.ASKING),
        ([QuestionAsked(QUESTION), settled()], Face.ASLEEP),
        ([voice(VoiceState.IDLE, muted=True)], Face.MUTED),
        ([TROUBLE], Face.TROUBLE),
        ([TROUBLE, voice(VoiceState.IDLE, muted=True)], Face.MUTED),
        ([TROUBLE, voice(VoiceState.LISTENING)], Face.LISTENING),
        ([TROUBLE, TroubleCleared(Part.OLLAMA)], Face.ASLEEP),
        ([started(), TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "hi")], Face.ASLEEP),
    ],
)
def test_the_face_is_the_most_urgent_thing_to_say(events: list[Event], face: Face) -> None:
    picture = Picture()
    for event in events:
        picture.take(event)
    assert picture.face is face


def test_a_running_turn_keeps_its_answer_for_windows_that_open_later() -> None:
    picture = Picture()
    for event in (started(), ReplyDelta(TURN, "one "), ReplyDelta(TURN, "two")):
        picture.take(event)
    assert picture.turn == RunningTurn(TURN, "one two")
    picture.take(ReplyReplaced(TURN, "three"))
    assert picture.turn == RunningTurn(TURN, "three")


def test_words_of_another_turn_do_not_mix_in() -> None:
    picture = Picture()
    picture.take(started())
    other = TurnId("other")
    for event in (ReplyDelta(other, "x"), TurnEnded(other, SESSION, TurnEnd.ANSWERED, "x")):
        picture.take(event)
    assert picture.turn == RunningTurn(TURN, "")


def test_the_oldest_activity_goes_when_there_is_too_much() -> None:
    picture = Picture()
    for number in range(KEPT_ACTIVITY + 2):
        picture.take(ActivityNoted(ActivityKind.TOOL, str(number), NOW))
    assert (len(picture.activity), picture.activity[0].text) == (KEPT_ACTIVITY, "2")


def test_where_nobody_listens_nobody_is_told_to_say_the_wake_word() -> None:
    picture = Picture()
    picture.take(VoiceStateChanged(VoiceState.IDLE, muted=False, listen_for=ListenFor.NOTHING))
    assert state_text(picture, PlainTexts()) == "Voice is off"


def test_before_the_ears_can_hear_nobody_is_told_to_speak() -> None:
    picture, texts = Picture(), PlainTexts()
    said = [state_text(picture, texts)]
    for listen_for, ready in (
        (ListenFor.NOTHING, False),
        (ListenFor.WAKE_WORD, True),
        (ListenFor.NOTHING, True),
    ):
        picture.take(VoiceStateChanged(VoiceState.IDLE, muted=False, listen_for=listen_for, ready=ready))
        said.append(state_text(picture, texts))
    assert said == ["Getting ready…", "Getting ready…", "Waiting for “Hey Jarvis”", "Voice is off"]
