"""A spoken yes is held back for a moment, so that it can be taken back by going on."""

import pytest

from jarvis_desktop.core.items.commands import AnswerQuestion
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Question
from jarvis_desktop.core.items.events import (
    AnswerUnclear,
    HeardNothing,
    NothingHeard,
    Part,
    Transcribed,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.items.spoken import AnswerStage
from tests.unit.voice_in.scene import Scene, scene

HELD = 0.8
"""Seconds of quiet after which a yes has been heard, and not counted yet."""
COUNTED = 2.4


def answered(question: Question, answer: Answer) -> AnswerQuestion:
    return AnswerQuestion(question.question_id, question.digest, answer, AnsweredBy.VOICE)


async def asked(s: Scene) -> Question:
    """A spoken question that has been read aloud."""
    await s.turn_starts()
    question = await s.asks()
    await s.read_out(question)
    return question


async def held(s: Scene, text: str = "Yes, go ahead.") -> Question:
    """It was answered by a yes that does not count yet."""
    question = await asked(s)
    await s.say(s.whisper.teach(text))
    await s.silence(HELD)
    assert (s.commands, s.now.answer) == ([], AnswerStage.HELD)
    return question


@pytest.mark.promise("T-072")
@pytest.mark.parametrize(
    ("text", "answer"),
    [("Yes, go ahead.", Answer.ALLOW), ("승인해", Answer.ALLOW), ("Always allow.", Answer.ALWAYS)],
)
async def test_a_yes_counts_two_seconds_after_it_was_said(text: str, answer: Answer) -> None:
    async with scene() as s:
        question = await held(s, text)
        await s.silence(0.9)
        assert s.commands == []
        await s.silence(0.5)
        assert s.commands == [answered(question, answer)]


@pytest.mark.promise("T-072")
async def test_who_looks_sees_at_once_that_a_yes_was_heard_and_that_it_does_not_count_yet() -> None:
    async with scene() as s:
        await held(s)
        assert [one.text for one in s.told() if isinstance(one, Transcribed)] == ["Yes, go ahead."]
        await s.silence(COUNTED)
        told = [one.answer for one in s.events if isinstance(one, VoiceStateChanged) and one.listening]
        assert told == [AnswerStage.LISTENING, AnswerStage.RECOGNISING, AnswerStage.HELD]
        assert s.now.answer is AnswerStage.GIVEN


@pytest.mark.promise("T-070")
@pytest.mark.parametrize("text", ["No, don't.", "아니 하지 마"])
async def test_a_refusal_counts_at_once(text: str) -> None:
    async with scene() as s:
        question = await asked(s)
        await s.say(s.whisper.teach(text))
        await s.silence(HELD)
        assert s.commands == [answered(question, Answer.DENY)]


@pytest.mark.promise("T-070", "T-072")
@pytest.mark.parametrize("pause_s", [0.72, 1.2, 1.68])
@pytest.mark.parametrize(
    ("begins", "goes_on"),
    [("Yes.", "Actually no."), ("네, 실행해", "아니 잠깐만"), ("Always allow.", "Stop.")],
)
async def test_x55_a_yes_that_is_taken_back_in_time_denies(begins: str, goes_on: str, pause_s: float) -> None:
    async with scene() as s:
        question = await asked(s)
        yes, no = s.whisper.teach(begins), s.whisper.teach(goes_on)
        await s.say(yes)
        await s.silence(pause_s)
        await s.say(no)
        await s.silence(HELD)
        assert s.commands == [answered(question, Answer.DENY)]


async def test_x55_what_is_added_is_recognised_with_what_came_before_and_alone() -> None:
    async with scene() as s:
        question = await held(s, "승인해")
        before = len(s.whisper.calls)
        await s.say(s.whisper.teach("실행해"))
        await s.silence(COUNTED)
        assert s.commands == [answered(question, Answer.ALLOW)]
        whole, alone = s.whisper.calls[before].sound, s.whisper.calls[-1].sound
        assert whole.seconds > alone.seconds + 0.8
        assert alone.seconds == pytest.approx(0.8 + 0.3 + 0.3, abs=0.2)


@pytest.mark.promise("T-070")
async def test_x55_a_refusal_that_only_the_later_part_alone_shows_denies() -> None:
    async with scene() as s:
        question = await held(s)
        s.whisper.lost_beside_others.add(no := s.whisper.teach("No."))
        await s.say(no)
        await s.silence(HELD)
        assert s.commands == [answered(question, Answer.DENY)]


@pytest.mark.promise("T-070")
async def test_x55_a_refusal_too_short_for_an_answer_of_its_own_takes_a_yes_back() -> None:
    async with scene() as s:
        question = await held(s)
        s.whisper.lost_beside_others.add(no := s.whisper.teach("No."))
        await s.say(no, 0.16)
        await s.silence(HELD)
        assert s.commands == [answered(question, Answer.DENY)]


@pytest.mark.promise("T-072")
@pytest.mark.parametrize(("goes_on", "avg_logprob"), [("hmm let me see", -0.3), ("no", -1.4)])
async def test_x55_a_yes_with_something_behind_it_that_nobody_understands_is_asked_again(
    goes_on: str, avg_logprob: float
) -> None:
    async with scene() as s:
        question = await held(s)
        s.whisper.lost_beside_others.add(later := s.whisper.teach(goes_on, avg_logprob=avg_logprob))
        await s.say(later)
        await s.silence(COUNTED)
        assert s.commands == []
        assert AnswerUnclear(question.question_id) in s.told()


async def test_a_click_of_a_key_behind_a_yes_takes_nothing_back() -> None:
    async with scene() as s:
        question = await held(s)
        s.whisper.lost_beside_others.add(click := s.whisper.teach("", avg_logprob=-1.4))
        await s.say(click, 0.08)
        await s.silence(COUNTED)
        assert s.commands == [answered(question, Answer.ALLOW)]


async def test_a_yes_that_is_recognised_late_counts_as_soon_as_it_is() -> None:
    async with scene() as s:
        question = await asked(s)
        s.whisper.gate.clear()
        await s.say(s.whisper.teach("Yes, go ahead."))
        await s.silence(4.0)
        assert (s.commands, s.now.answer) == ([], AnswerStage.RECOGNISING)
        s.whisper.gate.set()
        await s.until(lambda: s.commands == [answered(question, Answer.ALLOW)])


async def test_a_yes_that_is_recognised_only_after_the_person_went_on_does_not_count() -> None:
    async with scene() as s:
        question = await asked(s)
        s.whisper.gate.clear()
        await s.say(s.whisper.teach("Yes, go ahead."))
        await s.silence(1.0)
        await s.say(s.whisper.teach("Wait, no."))
        s.whisper.gate.set()
        await s.silence(COUNTED)
        assert s.commands == [answered(question, Answer.DENY)]


@pytest.mark.parametrize(
    "way", ["settled", "another question", "mute", "interrupt", "wake word", "our voice"]
)
async def test_a_held_yes_is_dropped_when_something_else_happens(way: str) -> None:
    async with scene() as s:
        question = await held(s)
        match way:
            case "settled":  # by a click, or since nobody answered in time
                await s.settles(question, Answer.DENY)
            case "another question":
                await s.asks("second")
            case "mute":
                s.ears.set_muted(True)
                s.ears.set_muted(False)
            case "interrupt":
                s.ears.interrupt()
            case "wake word":
                await s.wake()
            case _:
                await s.voice_starts()
                await s.voice_ends()
        await s.silence(4.0)
        assert not [one for one in s.commands if isinstance(one, AnswerQuestion)]


@pytest.mark.parametrize("way", ["gap", "gone"])
async def test_a_held_yes_is_dropped_and_listened_for_again_when_the_sound_breaks_off(way: str) -> None:
    async with scene() as s:
        question = await held(s)
        if way == "gone":
            s.microphone.live = False
            s.ears.note_trouble(Part.MICROPHONE, "gone")
            s.microphone.live = True
        await s.sound(0, 0.08, after_gap=True)
        await s.silence(3.0)
        assert s.commands == []
        assert NothingHeard(HeardNothing.CANCELLED, ListenFor.ANSWER) in s.told()
        assert (s.now.answer, s.now.listening) == (AnswerStage.LISTENING, 2)
        await s.say(s.whisper.teach("승인해"))
        await s.silence(COUNTED)
        assert s.commands == [answered(question, Answer.ALLOW)]


@pytest.mark.promise("T-072")
async def test_a_yes_of_somebody_who_does_not_stop_talking_is_none() -> None:
    async with scene() as s:
        question = await asked(s)
        await s.say(s.whisper.teach("Yes, go ahead."), 12.0)
        await s.silence(COUNTED)
        assert s.commands == []
        assert AnswerUnclear(question.question_id) in s.told()
