"""Spoken answers to an open question."""

import pytest

from jarvis_desktop.app.ears_recognise import COUNTER_BIAS
from jarvis_desktop.core.items.commands import AnswerQuestion, Interrupt
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, AnswerFate, Question
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    AnswerUnclear,
    HeardNothing,
    NothingHeard,
    Part,
    Transcribed,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.spoken import MAX_LISTENINGS, AnswerStage
from jarvis_desktop.core.settings import VoiceSettings
from jarvis_desktop.core.voice.echo_guard import EchoGuard
from jarvis_desktop.core.voice.spoken_answer import ANSWER_BIAS
from tests.unit.voice_in.scene import Scene, scene


def answered(question: Question, answer: Answer) -> AnswerQuestion:
    return AnswerQuestion(question.question_id, question.digest, answer, AnsweredBy.VOICE)


async def asked(s: Scene, name: str = "q") -> Question:
    """A spoken question that has been read aloud."""
    await s.turn_starts()
    question = await s.asks(name)
    await s.read_out(question)
    assert s.listening_for is ListenFor.ANSWER
    return question


def asked_again(s: Scene, question: Question) -> bool:
    return s.told().count(AnswerUnclear(question.question_id)) == 1


async def reply(s: Scene, value: int) -> None:
    await s.say(value)
    await s.silence(2.4)


@pytest.mark.promise("T-062")
async def test_a_clear_yes_after_the_question_was_read_allows() -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach("Yes, go ahead."))
        assert s.commands == [answered(question, Answer.ALLOW)]
        assert s.told()[-1] == Transcribed("Yes, go ahead.", Language.ENGLISH, ListenFor.ANSWER)
        assert s.now.state is VoiceState.ASKING


async def test_a_yes_is_recognised_plain_first_and_then_with_bias_in_the_same_language() -> None:
    async with scene() as s:
        await asked(s)
        await reply(s, s.whisper.teach("응, 실행해"))
        assert [call.bias for call in s.whisper.calls] == [None, ANSWER_BIAS[Language.KOREAN]]
        assert s.whisper.calls[0].sound is s.whisper.calls[1].sound
        assert s.whisper.calls[1].languages == (Language.KOREAN,)


async def test_an_english_yes_must_also_hold_against_words_that_sound_like_one() -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach("Go ahead.", countered="Goat head."))
        assert s.commands == []
        assert asked_again(s, question)
        assert [call.bias for call in s.whisper.calls] == [
            None,
            ANSWER_BIAS[Language.ENGLISH],
            COUNTER_BIAS[Language.ENGLISH],
        ]


async def test_a_yes_that_only_bias_hears_permits_nothing() -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach("goat head", biased="go ahead"))
        assert s.commands == []
        assert asked_again(s, question)
        assert [call.bias for call in s.whisper.calls] == [None]


@pytest.mark.parametrize("biased", ["goat head", "", "yes but what does it do?"])
async def test_a_yes_that_the_biased_recognition_does_not_repeat_is_asked_for_again(biased: str) -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach("Yes, go ahead.", biased=biased))
        assert s.commands == []
        assert asked_again(s, question)


@pytest.mark.promise("T-070")
@pytest.mark.parametrize(("biased", "countered"), [("No, don't.", None), ("deny", None), (None, "Stop.")])
async def test_a_refusal_in_any_recognition_denies(biased: str | None, countered: str | None) -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach("Yes, go ahead.", biased=biased, countered=countered))
        assert s.commands == [answered(question, Answer.DENY)]


@pytest.mark.promise("T-070", "T-072")
@pytest.mark.parametrize("text", ["No, don't do that.", "아니 하지 마", "yes but not now", "stop"])
async def test_a_refusal_denies_at_once(text: str) -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach(text))
        assert s.commands == [answered(question, Answer.DENY)]


UNCLEAR = ["what does it do?", "yes, but only the first one", "hmm let me see", "네?", "whatever"]


@pytest.mark.promise("T-072")
@pytest.mark.parametrize("text", UNCLEAR)
async def test_an_unclear_answer_is_asked_for_once_more_and_then_a_clear_one_counts(text: str) -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach(text))
        assert s.commands == []
        assert asked_again(s, question)
        await s.read_out(question)
        await reply(s, s.whisper.teach("Yes, go ahead."))
        assert s.commands == [answered(question, Answer.ALLOW)]


@pytest.mark.promise("T-072")
@pytest.mark.parametrize("text", UNCLEAR)
async def test_x58_an_unclear_answer_is_asked_for_once_more_and_a_second_one_denies(text: str) -> None:
    async with scene() as s:
        question = await asked(s)
        unclear = s.whisper.teach(text)
        await reply(s, unclear)
        assert s.commands == []
        assert asked_again(s, question)
        await s.read_out(question)
        await reply(s, unclear)
        assert s.commands == [answered(question, Answer.DENY)]
        assert asked_again(s, question)


@pytest.mark.promise("T-072", "T-074")
@pytest.mark.parametrize("text", ["네", "네.", "응", "예", "그래"])
async def test_a_korean_yes_that_may_ask_back_is_asked_for_once_more_and_then_counts(text: str) -> None:
    async with scene() as s:
        question = await asked(s)
        bare = s.whisper.teach(text)
        await reply(s, bare)
        assert s.commands == []
        assert asked_again(s, question)
        await s.read_out(question)
        await reply(s, bare)
        assert s.commands == [answered(question, Answer.ALLOW)]


@pytest.mark.promise("T-072", "T-074")
@pytest.mark.parametrize("said", [("Yes, do that.", -0.75), ("Yes, do that.", -0.6)])
async def test_a_yes_that_is_not_recognised_surely_is_asked_for_again(said: tuple[str, float]) -> None:
    text, avg_logprob = said
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach(text, avg_logprob=avg_logprob))
        assert s.commands == []
        assert asked_again(s, question)
        await s.read_out(question)
        await reply(s, s.whisper.teach("No.", avg_logprob=avg_logprob))
        assert s.commands == [answered(question, Answer.DENY)]


@pytest.mark.voice_bug("approval", "Right answers missed: tangle/tang go")
@pytest.mark.parametrize("text", ["goat head", "elbow it", "어 써", "자네"])
async def test_what_nearly_sounds_like_an_answer_is_shown_as_it_was_heard_and_asked_again(text: str) -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach(text))
        heard, unclear = s.told()[-2:]
        assert (heard, unclear) == (
            Transcribed(text, Language.ENGLISH if text.isascii() else Language.KOREAN, ListenFor.ANSWER),
            AnswerUnclear(question.question_id),
        )
        assert s.commands == []


async def test_an_always_that_every_recognition_hears_is_passed_on_as_such() -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach("Always allow."))
        assert s.commands == [answered(question, Answer.ALWAYS)]


async def test_an_always_that_bias_hears_as_a_plain_yes_is_a_plain_yes() -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach("Always allow.", biased="allow"))
        assert s.commands == [answered(question, Answer.ALLOW)]


async def test_after_a_yes_that_a_locked_screen_refused_the_answer_is_listened_for_again() -> None:
    async with scene() as s:
        question = await asked(s)
        await reply(s, s.whisper.teach("Yes, go ahead."))
        await s.tell(AnswerRefused(question.question_id, AnswerFate.SCREEN_LOCKED, None))
        await s.silence(0.5)
        await reply(s, s.whisper.teach("No, don't."))
        assert s.commands == [answered(question, Answer.ALLOW), answered(question, Answer.DENY)]


@pytest.mark.voice_bug("approval", "Approval question dropped by barge-in")
async def test_x50_a_yes_before_the_question_has_begun_to_be_read_decides_nothing() -> None:
    async with scene() as s:
        await s.turn_starts()
        yes = s.whisper.teach("Yes, go ahead.")
        await s.say(yes, 0.4)
        question = await s.asks()
        await reply(s, yes)
        assert s.commands == []
        assert s.listening_for is ListenFor.STOP
        await s.read_out(question)
        await s.silence(2.0)
        assert s.commands == [], "a yes from before does not count once the question has been read"
        await reply(s, yes)
        assert s.commands == [answered(question, Answer.ALLOW)]


@pytest.mark.voice_bug("approval", "Approval question dropped by barge-in")
async def test_a_yes_after_a_reading_that_was_cut_off_waits_for_the_question_to_be_read_again() -> None:
    async with scene() as s:
        await s.turn_starts()
        question = await s.asks()
        yes = s.whisper.teach("Yes, go ahead.")
        await s.voice_starts("Shall I run it?", question)
        await s.silence(0.2)
        await s.voice_ends(question, cut=True)
        await s.silence(0.6)
        await reply(s, yes)
        assert s.commands == []
        await s.read_out(question)
        await reply(s, yes)
        assert s.commands == [answered(question, Answer.ALLOW)]


async def test_a_yes_while_the_question_is_being_read_decides_nothing() -> None:
    async with scene() as s:
        await s.turn_starts()
        question = await s.asks()
        await s.voice_starts("Shall I run it?", question)
        await reply(s, s.whisper.teach("Yes, go ahead."))
        await s.voice_ends(question)
        await s.silence(2.0)
        assert s.commands == []


async def test_a_yes_begun_while_our_voice_was_playing_does_not_allow_when_it_is_over() -> None:
    async with scene() as s:
        await s.turn_starts()
        question = await s.asks()
        await s.voice_starts("Shall I run it?", question)
        yes = s.whisper.teach("Yes, go ahead.")
        await s.say(yes, 0.4)
        await s.voice_ends(question)
        await s.say(yes, 0.8)
        await s.silence(1.0)
        assert s.commands == []
        await reply(s, yes)
        assert s.commands == [answered(question, Answer.ALLOW)]


@pytest.mark.parametrize("text", ["No, don't!", "아니 하지 마", "stop", "멈춰"])
async def test_a_refusal_while_the_question_is_being_read_denies(text: str) -> None:
    async with scene() as s:
        await s.turn_starts()
        question = await s.asks()
        await s.voice_starts("Shall I run it?", question)
        await s.say(s.whisper.teach(text), 0.5)
        await s.silence(0.6)
        assert s.commands == [answered(question, Answer.DENY)]


async def test_a_refusal_begun_in_the_reading_and_ended_after_it_denies() -> None:
    async with scene() as s:
        await s.turn_starts()
        question = await s.asks()
        await s.voice_starts("Shall I run it?", question)
        no = s.whisper.teach("No, don't do it")
        await s.say(no, 0.4)
        await s.voice_ends(question)
        await s.say(no, 0.4)
        await s.silence(1.0)
        assert s.commands == [answered(question, Answer.DENY)]


@pytest.mark.voice_bug("echo_followup", "Infinite conversation loop")
@pytest.mark.voice_bug("echo_followup", "Call mode hears itself")
async def test_our_own_question_coming_back_is_neither_a_yes_nor_a_no() -> None:
    async with scene() as s:
        s.echo.own.add("Should I go ahead?")
        await asked(s)
        await reply(s, s.whisper.teach("Should I go ahead?"))
        assert s.commands == []
        assert NothingHeard(HeardNothing.ECHO, ListenFor.ANSWER) in s.told()
        assert s.listening_for is ListenFor.ANSWER


async def test_x53_with_two_open_questions_nothing_said_decides() -> None:
    async with scene() as s:
        first = await asked(s)
        second = await s.asks("second")
        await s.read_out(second)
        yes = s.whisper.teach("Yes, go ahead.")
        await reply(s, yes)
        assert s.commands == []
        await s.settles(first)
        await s.silence(0.5)
        await reply(s, yes)
        assert s.commands == [answered(second, Answer.ALLOW)]


READ = "Run the command make test? Say allow, or say deny."


@pytest.mark.parametrize(
    "own", ["allow", "Allow.", "say allow", "Say allow, or say deny.", "deny", "or say deny"]
)
async def test_x52_our_own_reading_of_the_answers_is_no_answer(own: str) -> None:
    guard = EchoGuard()
    async with scene(guard=guard) as s:
        await s.turn_starts()
        question = await s.asks()
        echo = s.whisper.teach(own)
        guard.said(READ, s.clock.monotonic_s(), question=True)
        await s.voice_starts(READ, question)
        await s.say(echo, 0.6)
        await s.silence(2.4)
        await s.say(echo, 0.4)
        guard.fell_silent(s.clock.monotonic_s())
        await s.voice_ends(question)
        await s.say(echo, 0.16)
        await s.silence(1.5)
        assert s.commands == []
        assert s.listening_for is ListenFor.ANSWER
        await reply(s, s.whisper.teach("Yes, go ahead."))
        assert s.commands == [answered(question, Answer.ALLOW)]


@pytest.mark.parametrize(
    ("begins", "goes_on"), [("Yes.", "No, wait."), ("네", "아니 잠깐만"), ("Allow it.", "Stop.")]
)
async def test_x55_only_the_whole_of_what_was_said_counts(begins: str, goes_on: str) -> None:
    async with scene() as s:
        question = await asked(s)
        yes, no = s.whisper.teach(begins), s.whisper.teach(goes_on)
        await s.say(yes)
        await s.silence(0.4)
        assert [len(call.languages) > 0 for call in s.whisper.calls][:1] == [True], (
            "the beginning was recognised"
        )
        assert s.commands == []
        await s.say(no)
        await s.silence(2.4)
        assert s.commands == [answered(question, Answer.DENY)]


async def test_a_question_of_a_typed_request_is_not_answered_by_voice() -> None:
    async with scene() as s:
        await s.turn_starts()
        question = await s.asks(spoken=False)
        await s.read_out(question)
        await reply(s, s.whisper.teach("Yes, go ahead."))
        await reply(s, s.whisper.teach("No, don't."))
        assert s.commands == []


@pytest.mark.promise("T-073", "T-076")
async def test_the_answer_is_listened_for_again_after_silence_and_after_unclear_sound() -> None:
    async with scene() as s:
        question = await asked(s)
        noise, yes = s.whisper.teach("you", avg_logprob=-1.4), s.whisper.teach("승인해")
        await s.silence(8.5)
        await reply(s, noise)
        await s.silence(9)
        await reply(s, yes)
        assert s.commands == [answered(question, Answer.ALLOW)]
        told = [event for event in s.events if isinstance(event, VoiceStateChanged)]
        assert [(event.listening, event.answer) for event in told if event.listening] == [
            (1, AnswerStage.LISTENING),
            (2, AnswerStage.LISTENING),
            (2, AnswerStage.RECOGNISING),
            (3, AnswerStage.LISTENING),
            (4, AnswerStage.LISTENING),
            (4, AnswerStage.RECOGNISING),
            (4, AnswerStage.HELD),
        ]
        assert s.now.answer is AnswerStage.GIVEN
        reasons = [event.reason for event in s.told() if isinstance(event, NothingHeard)]
        assert reasons == [HeardNothing.SILENCE, HeardNothing.UNCLEAR, HeardNothing.SILENCE]


@pytest.mark.promise("T-073", "T-254")
async def test_after_twenty_listenings_without_words_voice_no_longer_answers() -> None:
    async with scene() as s:
        question = await asked(s)
        noise, yes = s.whisper.teach("you", avg_logprob=-1.4), s.whisper.teach("승인해")
        for _ in range(19):
            await reply(s, noise)
        assert s.now.listen_for is ListenFor.ANSWER
        await reply(s, noise)
        assert (s.listening_for, s.now.answer) == (ListenFor.STOP, AnswerStage.USED_UP)
        await reply(s, yes)
        assert s.commands == []
        await s.settles(question)
        assert s.now.answer is AnswerStage.NONE


@pytest.mark.promise("T-073")
@pytest.mark.voice_bug("approval", "Voice input is off while a permission prompt is shown")
async def test_twenty_listenings_need_no_wake_word_and_each_begins_with_a_clean_state() -> None:
    async with scene() as s:
        question = await asked(s)
        noise, yes = s.whisper.teach("you", avg_logprob=-1.4), s.whisper.teach("Yes, go ahead.")
        for nth in range(1, MAX_LISTENINGS):
            assert (s.now.state, s.now.listen_for, s.now.listening) == (
                VoiceState.ASKING,
                ListenFor.ANSWER,
                nth,
            )
            await reply(s, noise)
        assert {(call.languages, call.hint, call.bias) for call in s.whisper.calls} == {
            ((Language.KOREAN, Language.ENGLISH), Language.ENGLISH, None)
        }
        assert max(call.sound.seconds for call in s.whisper.calls) < 1.5, "the sound of one round only"
        await reply(s, yes)
        assert s.commands == [answered(question, Answer.ALLOW)]


@pytest.mark.voice_bug("approval", "Voice input is off while a permission prompt is shown")
async def test_a_muted_microphone_answers_nothing_and_an_open_one_goes_on_listening() -> None:
    async with scene() as s:
        question = await asked(s)
        yes = s.whisper.teach("Yes, go ahead.")
        s.ears.set_muted(True)
        await reply(s, yes)
        await reply(s, s.whisper.teach("No, don't."))
        assert (s.commands, s.whisper.calls) == ([], [])
        assert (s.now.muted, s.listening_for) == (True, ListenFor.NOTHING)
        s.ears.set_muted(False)
        await s.silence(0.5)
        assert s.listening_for is ListenFor.ANSWER
        await reply(s, yes)
        assert s.commands == [answered(question, Answer.ALLOW)]


@pytest.mark.promise("T-073")
async def test_the_next_reading_of_the_question_is_listened_after_again() -> None:
    async with scene() as s:
        question = await asked(s)
        await s.read_out(question)
        await reply(s, s.whisper.teach("Yes, go ahead."))
        assert s.commands == [answered(question, Answer.ALLOW)]


async def test_only_the_first_spoken_answer_is_given() -> None:
    async with scene() as s:
        question = await asked(s)
        yes = s.whisper.teach("Yes, go ahead.")
        await reply(s, yes)
        await reply(s, yes)
        await reply(s, s.whisper.teach("Always allow."))
        assert s.commands == [answered(question, Answer.ALLOW)]


async def test_an_answer_that_is_understood_only_after_the_question_closed_decides_nothing() -> None:
    async with scene() as s:
        question = await asked(s)
        yes = s.whisper.teach("Yes, go ahead.")
        s.whisper.gate.clear()
        await reply(s, yes)
        await s.settles(question, Answer.DENY)
        s.whisper.gate.set()
        await s.silence(0.5)
        assert s.commands == []


async def test_a_late_yes_never_answers_the_next_question() -> None:
    async with scene() as s:
        first = await asked(s)
        yes = s.whisper.teach("Yes, go ahead.")
        s.whisper.gate.clear()
        await reply(s, yes)
        await s.settles(first, Answer.DENY)
        second = await s.asks("second")
        await s.read_out(second)
        s.whisper.gate.set()
        await s.silence(0.5)
        assert s.commands == []


@pytest.mark.parametrize("length_s", [0.32, 0.4])
@pytest.mark.voice_bug("endpoint", "A short 'yes/stop' takes 15 s")
async def test_a_short_answer_is_heard_within_a_second_and_a_short_no_counts_then(length_s: float) -> None:
    async with scene() as s:
        question = await asked(s)
        await s.say(s.whisper.teach("아니"), length_s)
        await s.silence(0.72)
        assert s.commands == [answered(question, Answer.DENY)]


async def test_the_wake_word_withdraws_the_question_and_listens_for_a_request() -> None:
    async with scene() as s:
        await asked(s)
        await s.wake()
        await s.silence(0.1)
        assert s.commands == [Interrupt()]
        assert s.now.state is VoiceState.LISTENING
        assert s.listening_for is ListenFor.REQUEST


async def test_a_question_shown_again_to_a_late_window_is_still_one_question() -> None:
    async with scene() as s:
        question = await asked(s)
        await s.asks("q")
        await reply(s, s.whisper.teach("Yes, go ahead."))
        assert s.commands == [answered(question, Answer.ALLOW)]


async def test_people_who_only_look_are_told_why_no_spoken_answer_is_heard() -> None:
    async with scene() as s:
        seen = []
        await s.turn_starts()
        question = await s.asks("q")
        await s.voice_starts("May I?", question)
        seen.append(s.now.answer)
        s.ears.configure(VoiceSettings.model_validate({"speak": False}))
        await s.voice_ends()
        await s.settles(question)
        second = await s.asks("q2")
        await s.silence(0.5)
        seen.append(s.now.answer)
        s.microphone.live = False
        s.ears.note_trouble(Part.MICROPHONE, "gone")
        await s.silence(0.1)
        seen.append(s.now.answer)
        await s.settles(second)
        seen.append(s.now.answer)
        assert seen == [AnswerStage.WAITING, AnswerStage.UNREAD, AnswerStage.DEAF, AnswerStage.NONE]
