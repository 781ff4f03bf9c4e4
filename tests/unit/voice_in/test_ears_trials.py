"""Ears that are being tried out, and ears whose settings change while they hear."""

from collections.abc import Sequence

from jarvis_desktop.app.ears_parts import EarsParts
from jarvis_desktop.core.items.commands import SubmitTurn
from jarvis_desktop.core.items.events import Event, LevelHeard, Part, TroubleNoted, VoiceState, WakeHeard
from jarvis_desktop.core.items.setup import Trial
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.settings import VoiceSettings
from tests.fakes.scorers import WAKE_SAMPLE, SoundVad, SoundWake
from tests.fakes.transcriber import SoundTranscriber
from tests.unit.voice_in.scene import scene


def levels(events: Sequence[Event]) -> int:
    return sum(isinstance(event, LevelHeard) for event in events)


async def test_while_the_microphone_is_tried_out_its_level_is_told_and_nothing_is_recognised() -> None:
    async with scene() as s:
        assert s.ears.begin_trial(Trial.MICROPHONE) == ""
        await s.wake()
        await s.say(s.whisper.teach("what time is it"))
        await s.silence(1.0)
        assert levels(s.events) > 20
        assert (s.told(), s.commands, s.whisper.calls) == ([], [], [])
        s.ears.end_trial()
        heard = levels(s.events)
        await s.silence(1.0)
        assert levels(s.events) == heard


async def test_a_wake_word_that_is_tried_out_is_told_and_begins_no_request() -> None:
    async with scene() as s:
        assert s.ears.begin_trial(Trial.WAKE_WORD) == ""
        for _ in range(2):
            await s.wake()
            await s.silence(3.0)
        assert s.told() == [WakeHeard(0.99), WakeHeard(0.99)]
        assert (s.commands, s.states()) == ([], [VoiceState.IDLE])


async def test_after_a_trial_the_ears_listen_as_ever() -> None:
    async with scene() as s:
        s.ears.begin_trial(Trial.WAKE_WORD)
        await s.wake()
        s.ears.end_trial()
        await s.silence(3.0)
        request = s.whisper.teach("what time is it")
        await s.wake()
        await s.say(request)
        await s.silence(1.0)
        assert [type(command) for command in s.commands] == [SubmitTurn]


async def test_a_request_that_is_being_spoken_gives_way_to_a_trial_and_talk_now_ends_it() -> None:
    async with scene() as s:
        await s.wake()
        s.ears.begin_trial(Trial.MICROPHONE)
        await s.silence(0.5)
        s.ears.talk_now()
        await s.silence(0.2)
        assert s.states() == [VoiceState.IDLE, VoiceState.LISTENING, VoiceState.IDLE, VoiceState.LISTENING]


async def test_a_trial_whose_part_is_missing_says_what_is_wrong_with_it() -> None:
    async with scene(EarsParts(None, SoundVad(), SoundTranscriber())) as s:
        s.ears.note_trouble(Part.WAKE_WORD, "The wake word cannot be heard: no model.")
        assert s.ears.begin_trial(Trial.WAKE_WORD) == "The wake word cannot be heard: no model."
        assert s.ears.begin_trial(Trial.MICROPHONE) == ""
        s.ears.note_trouble(Part.MICROPHONE, "Nothing but silence.")
        assert s.ears.begin_trial(Trial.MICROPHONE) == "", "a silent one is tried out to be put right"
        s.microphone.live = False
        s.ears.note_trouble(Part.MICROPHONE, "No microphone.")
        assert s.ears.begin_trial(Trial.MICROPHONE) == "No microphone."
        await s.silence(0.1)
        assert TroubleNoted(Part.MICROPHONE, "No microphone.") in s.events


class FaintWake(SoundWake):
    """The wake word is heard, but not for certain."""

    def score(self, pcm: bytes) -> float:
        return 0.6 if super().score(pcm) > 0.5 else 0.01


async def test_another_threshold_counts_for_the_next_wake_word() -> None:
    async with scene(EarsParts(FaintWake(), SoundVad(), SoundTranscriber())) as s:
        for threshold, heard in ((0.7, 0), (0.5, 1)):
            s.ears.configure(VoiceSettings.model_validate({"wake_threshold": threshold}))
            await s.sound(WAKE_SAMPLE, 0.16)
            await s.silence(0.5)
            assert s.told().count(WakeHeard(0.6)) == heard


async def test_another_silence_ends_the_next_request() -> None:
    async with scene() as s:
        s.ears.configure(VoiceSettings.model_validate({"request_silence_s": 3}))
        request = s.whisper.teach("what time is it")
        await s.wake()
        await s.say(request)
        await s.silence(1.5)
        assert s.commands == []
        await s.silence(2.0)
        assert [type(command) for command in s.commands] == [SubmitTurn]


async def test_other_languages_are_the_ones_that_are_recognised_next() -> None:
    async with scene() as s:
        s.ears.configure(VoiceSettings.model_validate({"languages": ["en"]}))
        request = s.whisper.teach("what time is it")
        await s.wake()
        await s.say(request)
        await s.silence(1.0)
        assert tuple(s.whisper.calls[-1].languages) == (Language.ENGLISH,)
