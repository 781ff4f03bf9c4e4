"""From the wake word to a request."""

from datetime import timedelta

import pytest

from jarvis_desktop.app.ears_parts import EarsParts
from jarvis_desktop.core.items.commands import Interrupt, SubmitTurn
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.items.events import (
    ActivityNoted,
    HeardNothing,
    LevelHeard,
    NothingHeard,
    Part,
    RequestRefused,
    Transcribed,
    TroubleCleared,
    TroubleNoted,
    VoiceState,
    WakeHeard,
)
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.turn import Origin
from tests.fakes.scorers import BrokenWake, SoundVad
from tests.fakes.transcriber import SoundTranscriber
from tests.unit.voice_in.scene import scene


async def test_wake_word_and_request_become_a_spoken_turn() -> None:
    async with scene() as s:
        request = s.whisper.teach("what time is it")
        await s.wake()
        await s.say(request)
        await s.silence(1.0)
        assert s.told() == [
            WakeHeard(0.99),
            Transcribed("what time is it", Language.ENGLISH, ListenFor.REQUEST),
        ]
        assert s.commands == [SubmitTurn("what time is it", Origin.SPOKEN)]
        assert s.states() == [
            VoiceState.IDLE,
            VoiceState.LISTENING,
            VoiceState.TRANSCRIBING,
            VoiceState.THINKING,
        ]


@pytest.mark.voice_bug("first_word", "First word after wake lost")
@pytest.mark.voice_bug("first_word", "'what time is it' becomes 'time is it'")
async def test_the_sound_of_a_request_begins_before_the_wake_decision() -> None:
    async with scene() as s:
        request = s.whisper.teach("what time is it")
        await s.wake()
        await s.say(request, 0.8)
        await s.silence(1.0)
        sound = s.whisper.calls[-1].sound
        # 0.2 s before the decision, 0.8 s of speech, at most 0.3 s of quiet behind it.
        assert 0.2 + 0.8 <= sound.seconds <= 0.2 + 0.8 + 0.3 + 0.1


async def test_recognition_has_begun_before_the_silence_is_over_and_is_not_done_twice() -> None:
    async with scene() as s:
        request = s.whisper.teach("what time is it")
        await s.wake()
        await s.say(request)
        await s.silence(0.4)
        assert len(s.whisper.calls) == 1
        assert s.commands == []
        await s.silence(0.6)
        assert len(s.whisper.calls) == 1
        assert s.commands == [SubmitTurn("what time is it", Origin.SPOKEN)]


async def test_what_was_recognised_in_a_pause_is_thrown_away_when_the_person_goes_on() -> None:
    async with scene() as s:
        first, second = s.whisper.teach("delete"), s.whisper.teach("nothing")
        await s.wake()
        await s.say(first)
        await s.silence(0.4)
        await s.say(second)
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("delete nothing", Origin.SPOKEN)]
        assert [len(call.sound.pcm) for call in s.whisper.calls] == sorted(
            len(call.sound.pcm) for call in s.whisper.calls
        )


async def test_a_late_recognition_is_not_waited_for_by_the_ears() -> None:
    async with scene() as s:
        request = s.whisper.teach("what time is it")
        s.whisper.gate.clear()
        await s.wake()
        await s.say(request)
        await s.silence(2.0)
        assert s.now.state is VoiceState.TRANSCRIBING
        s.whisper.gate.set()
        await s.until(lambda: bool(s.commands))
        assert s.commands == [SubmitTurn("what time is it", Origin.SPOKEN)]


async def test_a_new_wake_word_while_transcribing_voids_the_old_request() -> None:
    async with scene() as s:
        old, new = s.whisper.teach("old request"), s.whisper.teach("new request")
        s.whisper.gate.clear()
        await s.wake()
        await s.say(old)
        await s.silence(2.2)
        await s.wake()
        s.whisper.gate.set()
        await s.say(new)
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("new request", Origin.SPOKEN)]


async def test_silence_after_the_wake_word_ends_after_eight_seconds() -> None:
    async with scene() as s:
        await s.wake()
        await s.silence(8.2)
        assert s.told() == [WakeHeard(0.99), NothingHeard(HeardNothing.SILENCE, ListenFor.REQUEST)]
        assert s.now.state is VoiceState.IDLE
        assert s.listening_for is ListenFor.WAKE_WORD
        assert s.whisper.calls == []


@pytest.mark.voice_bug("endpoint", "Long dictation cut at 20 s cap")
async def test_a_request_without_end_is_taken_as_far_as_it_was_heard_and_says_so() -> None:
    async with scene() as s:
        request = s.whisper.teach("once upon a time")
        await s.wake()
        await s.say(request, 17)
        await s.silence(0.2)
        assert s.commands == [SubmitTurn("once upon a time", Origin.SPOKEN)]
        assert any(isinstance(event, ActivityNoted) for event in s.told())


async def test_the_level_is_told_only_while_listening() -> None:
    async with scene() as s:
        assert not any(isinstance(event, LevelHeard) for event in s.events)
        await s.wake()
        await s.say(20_000, 1.04)
        levels = [event.level for event in s.events if isinstance(event, LevelHeard)]
        assert len(levels) == 13
        assert all(0.9 < level <= 1 for level in levels)


async def test_talk_now_listens_without_the_wake_word() -> None:
    async with scene() as s:
        request = s.whisper.teach("open the window")
        s.ears.talk_now()
        await s.say(request)
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("open the window", Origin.SPOKEN)]


@pytest.mark.voice_bug("first_word", "First ~500 ms lost in push-to-talk")
async def test_speech_that_begins_with_the_press_of_talk_now_is_complete() -> None:
    async with scene() as s:
        request = s.whisper.teach("stop the music please")
        s.ears.talk_now()
        await s.say(request, 1.04)
        await s.silence(1.0)
        assert s.whisper.calls[-1].sound.pcm.count(request.to_bytes(2, "little")) >= 16_640


@pytest.mark.voice_bug("first_word", "After wake the device ignores VAD")
async def test_speech_that_runs_through_the_wake_word_has_a_start_and_an_end() -> None:
    async with scene() as s:
        phrase, request = s.whisper.teach("hey jarvis"), s.whisper.teach("turn on the light")
        await s.say(phrase, 0.8)
        await s.wake()
        await s.say(request)
        await s.silence(1.0)
        assert [type(command) for command in s.commands] == [SubmitTurn]


async def test_a_wake_phrase_that_got_into_the_text_is_not_part_of_the_request() -> None:
    async with scene() as s:
        request = s.whisper.teach("Hey Jarvis, run the tests")
        await s.wake()
        await s.say(request)
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("run the tests", Origin.SPOKEN)]


async def test_unclear_sound_after_the_wake_word_is_no_request() -> None:
    async with scene() as s:
        noise = s.whisper.teach("감사합니다", avg_logprob=-1.6)
        await s.wake()
        await s.say(noise)
        await s.silence(1.0)
        assert s.commands == []
        assert s.told()[-1] == NothingHeard(HeardNothing.UNCLEAR, ListenFor.REQUEST)
        assert s.now.state is VoiceState.IDLE


async def test_saying_stop_after_the_wake_word_is_not_sent_as_a_request() -> None:
    async with scene() as s:
        stop = s.whisper.teach("멈춰")
        await s.wake()
        await s.say(stop)
        await s.silence(1.0)
        assert s.commands == []
        assert s.told()[-1] == NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST)


async def test_interrupting_from_a_window_ends_the_listening() -> None:
    async with scene() as s:
        await s.wake()
        await s.silence(1.2)
        s.ears.interrupt()
        await s.silence(0.2)
        assert s.told()[-1] == NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST)
        assert s.now.state is VoiceState.IDLE


@pytest.mark.voice_bug("stt", "English 'Continue' transcribed as Korean")
async def test_the_language_of_the_last_request_is_the_hint_for_the_next() -> None:
    async with scene() as s:
        korean, again = s.whisper.teach("지금 몇 시야"), s.whisper.teach("고마워")
        for request in (korean, again):
            await s.wake()
            await s.say(request)
            await s.silence(3.0)
        assert [call.hint for call in s.whisper.calls] == [Language.ENGLISH, Language.KOREAN]
        assert all(call.languages == (Language.KOREAN, Language.ENGLISH) for call in s.whisper.calls)


@pytest.mark.voice_bug("wake", "Detection loops after a hit")
async def test_the_wake_scorer_is_fed_in_every_state_and_its_scores_are_not_kept() -> None:
    async with scene() as s:
        request = s.whisper.teach("what time is it")
        before = s.wake_scorer.frames
        await s.wake()
        await s.say(request, 0.8)
        await s.silence(0.8)
        await s.turn_starts()
        await s.voice_starts()
        await s.silence(1.6)
        assert s.wake_scorer.frames - before == 1 + 10 + 10 + 20


async def test_a_gap_in_the_sound_makes_everything_forget() -> None:
    async with scene() as s:
        await s.wake()
        await s.sound(0, 0.08, after_gap=True)
        assert s.told()[-1] == NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST)
        await s.wake()
        await s.silence(0.1)
        assert s.states()[-1] is VoiceState.IDLE  # deaf for 1.3 s after the gap
        await s.silence(1.3)
        await s.wake()
        await s.silence(0.1)
        assert s.states()[-1] is VoiceState.LISTENING


# --- muted ----------------------------------------------------------------------------------------


async def test_muting_closes_the_microphone_and_ends_the_listening() -> None:
    async with scene() as s:
        await s.wake()
        s.ears.set_muted(True)
        await s.silence(0.1)
        assert s.microphone.muted
        assert (s.now.state, s.now.muted, s.listening_for) == (VoiceState.IDLE, True, ListenFor.NOTHING)
        s.ears.talk_now()
        await s.until(lambda: s.told()[-1] == NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST))
        s.ears.set_muted(False)
        await s.silence(0.1)
        assert (s.now.muted, s.listening_for) == (False, ListenFor.WAKE_WORD)


# --- missing and broken parts -----------------------------------------------------------------------


@pytest.mark.voice_bug("wake", "melspectrogram.onnx missing")
async def test_without_the_wake_model_talk_now_still_works() -> None:
    whisper = SoundTranscriber()
    async with scene(EarsParts(None, SoundVad(), whisper)) as s:
        request = whisper.teach("what time is it")
        s.ears.talk_now()
        await s.say(request)
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("what time is it", Origin.SPOKEN)]


async def test_without_speech_recognition_talk_now_says_again_what_is_missing() -> None:
    async with scene(EarsParts(None, SoundVad(), None)) as s:
        s.ears.note_trouble(Part.TRANSCRIBER, "The model is missing.")
        s.ears.talk_now()
        await s.silence(0.1)
        assert s.told() == [
            TroubleNoted(Part.TRANSCRIBER, "The model is missing."),
            NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST),
            TroubleNoted(Part.TRANSCRIBER, "The model is missing."),
        ]


async def test_parts_that_come_later_are_used_from_then_on() -> None:
    whisper = SoundTranscriber()
    async with scene(EarsParts()) as s:
        assert (s.listening_for, s.now.ready) == (ListenFor.NOTHING, False)
        s.ears.equip(EarsParts(s.wake_scorer, SoundVad(), whisper))
        await s.silence(1.6)
        assert (s.listening_for, s.now.ready) == (ListenFor.WAKE_WORD, True)
        request = whisper.teach("what time is it")
        await s.wake()
        await s.say(request)
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("what time is it", Origin.SPOKEN)]


async def test_ears_that_no_wake_word_model_came_for_say_that_they_wait_for_none() -> None:
    async with scene(EarsParts()) as s:
        s.ears.equip(EarsParts(None, SoundVad(), SoundTranscriber()))
        await s.silence(0.1)
        assert (s.listening_for, s.now.ready) == (ListenFor.NOTHING, True)
        s.ears.talk_now()
        await s.silence(0.1)
        assert s.listening_for is ListenFor.REQUEST


async def test_the_same_trouble_is_told_once_and_its_end_once() -> None:
    async with scene() as s:
        for text in ("gone", "gone", None, None, "gone"):
            s.ears.note_trouble(Part.MICROPHONE, text)
        await s.silence(0.1)
        assert s.told() == [
            TroubleNoted(Part.MICROPHONE, "gone"),
            TroubleCleared(Part.MICROPHONE),
            TroubleNoted(Part.MICROPHONE, "gone"),
        ]


async def test_a_microphone_that_goes_away_while_listening_ends_the_listening() -> None:
    async with scene() as s:
        await s.wake()
        s.microphone.live = False
        s.ears.note_trouble(Part.MICROPHONE, "gone")
        await s.until(lambda: s.now.state is VoiceState.IDLE)
        assert NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST) in s.told()


@pytest.mark.parametrize("hours", [5, -5])
async def test_a_wall_clock_that_is_set_while_somebody_speaks_changes_nothing(hours: int) -> None:
    async with scene() as s:
        request = s.whisper.teach("what time is it")
        await s.wake()
        await s.say(request, 0.4)
        s.clock._start += timedelta(hours=hours)
        await s.say(request, 0.4)
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("what time is it", Origin.SPOKEN)]
        assert not any(isinstance(event, NothingHeard) for event in s.told())


@pytest.mark.parametrize("way", ["told", "gap"])
async def test_words_before_the_microphone_went_away_are_given_back_and_not_acted_on(way: str) -> None:
    async with scene() as s:
        begun = s.whisper.teach("delete the notes")
        await s.wake()
        await s.say(begun)
        if way == "told":
            s.microphone.live = False
            s.ears.note_trouble(Part.MICROPHONE, "gone")
            await s.until(lambda: s.now.state is VoiceState.IDLE)
        else:
            await s.sound(0, 0.08, after_gap=True)
        await s.until(lambda: any(isinstance(event, RequestRefused) for event in s.told()))
        assert [event.text for event in s.told() if isinstance(event, RequestRefused)] == ["delete the notes"]
        assert s.commands == []


async def test_a_person_who_mutes_in_the_middle_of_a_sentence_gets_nothing_back() -> None:
    async with scene() as s:
        begun = s.whisper.teach("delete the notes")
        await s.wake()
        await s.say(begun)
        s.ears.set_muted(True)
        s.ears.note_trouble(Part.MICROPHONE, None)
        await s.silence(1.0)
        assert s.whisper.calls == []
        assert not any(isinstance(event, RequestRefused) for event in s.told())


@pytest.mark.voice_bug("stt", "6-8 s clip takes 20-50 s")
async def test_a_recogniser_that_fails_is_asked_once_and_the_ears_hear_on() -> None:
    async with scene() as s:
        request = s.whisper.teach("what time is it")
        s.whisper.error = ModelFileError("gone")
        await s.wake()
        await s.say(request)
        await s.silence(1.0)
        assert len(s.whisper.calls) == 1
        assert s.told()[-1] == NothingHeard(HeardNothing.UNCLEAR, ListenFor.REQUEST)
        s.whisper.error = None
        await s.silence(2.0)
        await s.wake()
        await s.say(request)
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("what time is it", Origin.SPOKEN)]


@pytest.mark.voice_bug("device", "Audio worker death leaves app dead")
async def test_ears_survive_a_scorer_that_raises_and_say_so_the_third_time() -> None:
    whisper = SoundTranscriber()
    async with scene(EarsParts(BrokenWake(3), SoundVad(), whisper)) as s:
        request = whisper.teach("what time is it")
        assert [event.part for event in s.told() if isinstance(event, TroubleNoted)] == [Part.WAKE_WORD]
        await s.silence(1.0)
        await s.wake()
        await s.say(request)
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("what time is it", Origin.SPOKEN)]


@pytest.mark.voice_bug("stt", "Quiet built-in mic")
async def test_three_faint_utterances_in_a_row_bring_a_hint_about_the_microphone() -> None:
    async with scene() as s:
        for _ in range(3):
            s.ears.talk_now()
            await s.faint_speech(0.8)
            await s.silence(3.0)
        heard = [event for event in s.told() if isinstance(event, NothingHeard | TroubleNoted)]
        assert [event.reason for event in heard if isinstance(event, NothingHeard)] == [
            HeardNothing.TOO_QUIET
        ] * 3
        assert isinstance(heard[-2], TroubleNoted)
        assert s.commands == []
        s.ears.talk_now()
        await s.say(s.whisper.teach("open the window"))
        await s.silence(1.0)
        assert TroubleCleared(Part.MICROPHONE) in s.told()


async def test_a_request_that_becomes_no_turn_does_not_look_like_thinking_for_ever() -> None:
    async with scene() as s:
        request = s.whisper.teach("new conversation please")
        await s.wake()
        await s.say(request)
        await s.silence(1.0)
        assert s.states()[-1] is VoiceState.THINKING
        await s.silence(5.2)
        assert (s.states()[-1], s.listening_for) == (VoiceState.IDLE, ListenFor.WAKE_WORD)


async def test_the_wake_word_stops_a_running_turn_and_listens() -> None:
    async with scene() as s:
        await s.turn_starts()
        await s.wake()
        await s.silence(0.1)
        assert s.commands == [Interrupt()]
        s.ears.interrupt()  # the order comes back to the ears like everybody's
        await s.turn_ends()
        assert s.now.state is VoiceState.LISTENING
