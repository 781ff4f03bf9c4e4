"""While we think or speak: the wake word, stop words, and nothing else."""

import pytest

from jarvis_desktop.core.items.commands import Interrupt, SubmitTurn
from jarvis_desktop.core.items.events import Transcribed, VoiceState, WakeHeard
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.turn import Origin
from tests.unit.voice_in.scene import scene


@pytest.mark.parametrize("text", ["stop", "멈춰", "그만"])
async def test_a_stop_word_while_our_voice_plays_interrupts(text: str) -> None:
    async with scene() as s:
        await s.turn_starts()
        await s.voice_starts()
        await s.say(s.whisper.teach(text), 0.4)
        await s.silence(0.5)
        assert s.commands == [Interrupt()]
        assert s.listening_for is ListenFor.STOP


async def test_a_stop_word_while_thinking_interrupts() -> None:
    async with scene() as s:
        await s.turn_starts()
        assert (s.now.state, s.listening_for) == (VoiceState.THINKING, ListenFor.STOP)
        await s.say(s.whisper.teach("멈춰"), 0.4)
        await s.silence(0.5)
        assert s.commands == [Interrupt()]


@pytest.mark.parametrize("text", ["what time is it", "Yes, go ahead.", "how do I stop a process", "no"])
async def test_requests_answers_and_talk_about_stopping_do_nothing_while_we_speak(text: str) -> None:
    async with scene() as s:
        await s.turn_starts()
        await s.voice_starts()
        await s.say(s.whisper.teach(text), 0.6)
        await s.silence(0.6)
        assert s.commands == []


@pytest.mark.voice_bug("echo_followup", "Assistant's echo counts as barge-in")
async def test_our_own_voice_saying_stop_does_not_stop_us() -> None:
    async with scene() as s:
        s.echo.own.add("stop")
        await s.turn_starts()
        await s.voice_starts("Say stop to stop me.")
        await s.say(s.whisper.teach("stop"), 0.4)
        await s.silence(0.5)
        assert s.commands == []


async def test_speech_that_never_pauses_is_searched_for_stop_words_every_three_seconds() -> None:
    async with scene() as s:
        await s.turn_starts()
        await s.voice_starts()
        await s.say(s.whisper.teach("some long echo"), 7.0)
        assert len(s.whisper.calls) == 2
        assert all(call.sound.seconds <= 3.4 for call in s.whisper.calls)


async def test_a_queue_of_stop_checks_never_grows_beyond_two() -> None:
    async with scene() as s:
        await s.turn_starts()
        await s.voice_starts()
        s.whisper.gate.clear()
        await s.say(s.whisper.teach("some long echo"), 20.0)
        assert len(s.whisper.calls) == 2


async def test_the_wake_word_over_our_voice_interrupts_and_the_request_is_heard() -> None:
    async with scene() as s:
        await s.turn_starts()
        await s.voice_starts()
        await s.wake()
        await s.voice_ends(cut=True)
        await s.turn_ends()
        await s.say(s.whisper.teach("open the window"))
        await s.silence(1.0)
        assert s.commands == [Interrupt(), SubmitTurn("open the window", Origin.SPOKEN)]
        assert s.told() == [
            WakeHeard(0.99),
            Transcribed("open the window", Language.ENGLISH, ListenFor.REQUEST),
        ]


@pytest.mark.voice_bug("wake", "Satellite triggers itself when its own TTS")
@pytest.mark.voice_bug("wake", "Wakes on its own reply that contains its name")
@pytest.mark.parametrize("text", ["My name is Jarvis.", "say hey jarvis to wake me", "저는 자비스예요."])
async def test_our_own_voice_saying_our_name_does_not_wake_us(text: str) -> None:
    async with scene() as s:
        await s.turn_starts()
        await s.voice_starts(text)
        await s.wake()
        await s.silence(0.2)
        assert s.commands == []
        assert s.now.state is VoiceState.SPEAKING


@pytest.mark.voice_bug("wake", "Deaf after TTS")
@pytest.mark.parametrize("cut", [False, True])
async def test_within_a_second_after_our_voice_ended_the_wake_word_is_heard(*, cut: bool) -> None:
    async with scene() as s:
        await s.turn_starts()
        await s.voice_starts()
        await s.silence(1.0)
        await s.voice_ends(cut=cut)
        await s.turn_ends()
        await s.silence(0.8)
        assert (s.now.state, s.listening_for) == (VoiceState.IDLE, ListenFor.WAKE_WORD)
        await s.wake()
        await s.silence(0.1)
        assert s.now.state is VoiceState.LISTENING


async def test_speech_without_the_wake_word_is_not_even_recognised_while_idle() -> None:
    async with scene() as s:
        await s.say(s.whisper.teach("private talk"), 3.0)
        await s.silence(1.0)
        assert s.whisper.calls == []
        assert s.commands == []


async def test_states_follow_a_whole_spoken_turn() -> None:
    async with scene() as s:
        await s.turn_starts()
        question = await s.asks()
        await s.read_out(question)
        await s.settles(question)
        await s.voice_starts()
        await s.silence(0.2)
        await s.voice_ends()
        await s.turn_ends()
        await s.silence(0.5)
        assert s.states() == [
            VoiceState.IDLE,
            VoiceState.THINKING,
            VoiceState.ASKING,
            VoiceState.THINKING,
            VoiceState.SPEAKING,
            VoiceState.THINKING,
            VoiceState.IDLE,
        ]


async def test_a_turn_that_begins_elsewhere_does_not_take_the_word_from_the_person() -> None:
    async with scene() as s:
        await s.wake()
        await s.turn_starts("typed elsewhere")
        await s.say(s.whisper.teach("open the window"))
        await s.turn_ends("typed elsewhere")
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("open the window", Origin.SPOKEN)]
