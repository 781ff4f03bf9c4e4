"""The mouth says what was asked by voice, one thing after another, and is silent at once."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from jarvis_desktop.adapters.chimes import LISTENING, TROUBLE, load_chimes
from jarvis_desktop.app.mouth import Mouth
from jarvis_desktop.app.mouth_speaker import MouthParts
from jarvis_desktop.core.items.agents import NO_VOICE_WISH, VoiceWish
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, QuestionEnd, Settled
from jarvis_desktop.core.items.delegation import DelegateEnded, DelegateStarted
from jarvis_desktop.core.items.errors import AudioUnavailableError, MissingPartError, UserFixableError
from jarvis_desktop.core.items.events import (
    Event,
    HeardNothing,
    ModelWaiting,
    NothingHeard,
    Part,
    QuestionAsked,
    QuestionSettled,
    ReplyDelta,
    ReplyMayChange,
    ReplyReplaced,
    SpeakingEnded,
    SpeakingStarted,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    TurnStarted,
    VoiceState,
    VoiceStateChanged,
    WakeHeard,
)
from jarvis_desktop.core.items.ids import QuestionId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.speech import Language, ListenFor, Sound
from jarvis_desktop.core.items.turn import Origin, StoredDelegate, TurnEnd
from jarvis_desktop.core.settings import VoiceSettings
from jarvis_desktop.core.voice.echo_guard import EchoGuard
from tests.fakes.clock import START, FakeClock, settle
from tests.fakes.loudspeaker import FakeLoudspeaker
from tests.fakes.team import KAREN
from tests.fakes.texts import PlainTexts
from tests.fakes.voice import FakeVoice
from tests.unit.voice_out.questions import a_question

TURN, SESSION = TurnId("turn-1"), SessionId("session-1")
CHIME = {LISTENING: Sound(b"\2\0" * 100), TROUBLE: Sound(b"\3\0" * 100)}
QUESTION = a_question("make test")
QUESTION_ID = QuestionId("question-1")
READING = "Run the command make test? Say allow, or say deny."


class Stage:
    """A mouth with everything around it faked."""

    def __init__(self, **settings: bool) -> None:
        self.voice, self.loudspeaker, self.clock = FakeVoice(), FakeLoudspeaker(), FakeClock()
        self.guard = EchoGuard()
        self.events: list[Event] = []
        parts = MouthParts(self.voice, self.loudspeaker, self.clock, PlainTexts(), self.guard, CHIME)
        self.mouth = Mouth(parts, self._emit, VoiceSettings.model_validate(settings))
        self._running = asyncio.create_task(self.mouth.run())

    async def _emit(self, event: Event) -> None:
        self.events.append(event)

    @property
    def texts(self) -> list[str]:
        return [text for text, _ in self.voice.asked]

    @property
    def started(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, SpeakingStarted)]

    async def tell(self, *events: Event) -> None:
        for event in events:
            self.mouth.on_event(event)
        await settle()

    async def hear_all(self) -> None:
        await settle()
        while self.loudspeaker.playing:
            await self.loudspeaker.drain()

    async def close(self) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        await settle()


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    made = Stage()
    yield made
    await made.close()


def begun(origin: Origin = Origin.SPOKEN) -> TurnStarted:
    return TurnStarted(TURN, SESSION, "request", origin, START)


def ended(text: str = "", end: TurnEnd = TurnEnd.ANSWERED) -> TurnEnded:
    return TurnEnded(TURN, SESSION, end, text)


def settled() -> QuestionSettled:
    return QuestionSettled(
        QUESTION, Settled(QUESTION_ID, QuestionEnd.ANSWERED, Answer.DENY, AnsweredBy.WINDOW)
    )


async def test_a_spoken_request_is_answered_aloud_while_the_answer_streams(stage: Stage) -> None:
    await stage.tell(begun(), ReplyDelta(TURN, "One is here. Two"))
    assert stage.texts == ["One is here."]
    await stage.tell(ReplyDelta(TURN, " is here. Thr"))
    assert stage.texts == ["One is here.", "Two is here."], "the next sentence is made while the first plays"
    await stage.tell(ReplyDelta(TURN, "ee"), ended("One is here. Two is here. Three"))
    await stage.hear_all()
    assert stage.events == [
        SpeakingStarted("One is here."),
        SpeakingStarted("Two is here."),
        SpeakingStarted("Three"),
        SpeakingEnded(cut=False),
    ]


@pytest.mark.parametrize("origin", [Origin.TYPED, Origin.COMMAND_LINE])
async def test_a_typed_request_is_answered_silently(stage: Stage, origin: Origin) -> None:
    await stage.tell(begun(origin), ReplyDelta(TURN, "One. "), ReplyReplaced(TURN, "Two."), ended("Two."))
    assert stage.texts == []


async def test_each_sentence_is_read_by_the_voice_of_its_language(stage: Stage) -> None:
    await stage.tell(begun(), ReplyDelta(TURN, "안녕하세요. Hello there. "))
    await stage.hear_all()
    assert stage.voice.asked == [("안녕하세요.", Language.KOREAN), ("Hello there.", Language.ENGLISH)]


async def test_an_agent_speaks_in_its_own_voice_to_the_last_sentence_and_the_next_one_in_its_own(
    stage: Stage,
) -> None:
    karen = replace(KAREN, voice=VoiceWish(pitch=70, words_per_minute=140))
    hers = replace(begun(), card=karen)
    await stage.tell(hers, ReplyDelta(TURN, "One is here. Two"), ended("One is here. Two"))
    await stage.tell(begun(), ReplyDelta(TURN, "His. "), ended("His."))
    await stage.hear_all()
    assert [text for text, _ in stage.voice.asked] == ["One is here.", "Two", "His."]
    assert stage.voice.wishes == [karen.voice, karen.voice, NO_VOICE_WISH]


@pytest.mark.voice_bug("echo_followup", "Reply treated as played once the stream was sent")
@pytest.mark.voice_bug("echo_followup", "Follow-up mic opens on the tail")
async def test_speaking_starts_with_the_first_heard_sample_and_ends_with_the_last(stage: Stage) -> None:
    await stage.tell(begun(), ReplyDelta(TURN, "One. "), ended("One."))
    assert stage.events == [], "sent is not heard"
    await stage.loudspeaker.drain(1)
    assert stage.events == [SpeakingStarted("One.")]
    await stage.loudspeaker.drain(1)
    assert stage.events == [SpeakingStarted("One.")], "the last piece still plays"
    await stage.hear_all()
    assert stage.events == [SpeakingStarted("One."), SpeakingEnded(cut=False)]


async def test_cut_is_silence_at_once_and_forgets_what_waits(stage: Stage) -> None:
    await stage.tell(begun(), ReplyDelta(TURN, "One. Two. Three. "))
    await stage.loudspeaker.drain(1)
    stage.mouth.cut()
    assert not stage.loudspeaker.playing
    await settle()
    assert stage.events == [SpeakingStarted("One."), SpeakingEnded(cut=True)]
    assert stage.texts == ["One.", "Two."]
    await stage.tell(ReplyDelta(TURN, "Four. "))
    await stage.hear_all()
    assert stage.started == ["One.", "Four."], "cutting is stop reading, the turn goes on"


async def test_cut_before_the_first_sample_leaves_no_trace(stage: Stage) -> None:
    await stage.tell(begun(), ReplyDelta(TURN, "One. "))
    stage.mouth.cut()
    await settle()
    assert stage.events == []


async def test_cut_stops_the_voice_in_the_middle_of_a_sentence(stage: Stage) -> None:
    stage.voice.hold = asyncio.Event()
    await stage.tell(begun(), ReplyDelta(TURN, "One. "))
    await stage.loudspeaker.drain(1)
    stage.mouth.cut()
    await settle()
    stage.voice.hold.set()
    await settle()
    assert not stage.loudspeaker.playing
    assert stage.events == [SpeakingStarted("One."), SpeakingEnded(cut=True)]


@pytest.mark.promise("T-025")
async def test_a_fixed_line_is_spoken_instead_of_what_was_waiting(stage: Stage) -> None:
    line = "Approval was denied, so I stopped running bash. Ask again if you need it."
    await stage.tell(begun(), ReplyDelta(TURN, "I will do. Then more. "))
    await stage.tell(ReplyReplaced(TURN, line), ended(line))
    await stage.hear_all()
    assert stage.started == [
        "I will do.",
        "Approval was denied, so I stopped running bash.",
        "Ask again if you need it.",
    ]


async def test_a_corrected_answer_that_only_goes_on_is_not_repeated(stage: Stage) -> None:
    await stage.tell(
        begun(), ReplyDelta(TURN, "One is. Tw"), ReplyReplaced(TURN, "One is. Two is."), ended("x")
    )
    await stage.hear_all()
    assert stage.started == ["One is.", "Two is."]


async def test_an_answer_that_never_streamed_is_spoken_at_its_end(stage: Stage) -> None:
    await stage.tell(begun(), ended("All done."))
    await stage.hear_all()
    assert stage.started == ["All done."]


async def test_an_interrupted_turn_says_nothing_more(stage: Stage) -> None:
    await stage.tell(begun(), ReplyDelta(TURN, "Half a sent"), ended("Half a sent", TurnEnd.INTERRUPTED))
    await stage.tell(ReplyDelta(TURN, "ence. "))
    assert stage.texts == []


@pytest.mark.voice_bug("llm", "First call 70 s")
async def test_a_slow_model_is_excused_once_per_turn(stage: Stage) -> None:
    await stage.tell(begun(), ModelWaiting(TURN, 1.0))
    assert stage.texts == []
    await stage.tell(ModelWaiting(TURN, 3.0), ModelWaiting(TURN, 6.0))
    await stage.hear_all()
    assert stage.started == ["One moment."]


@pytest.mark.promise("T-062")
async def test_a_question_goes_before_everything_that_waits(stage: Stage) -> None:
    await stage.tell(begun(), ReplyDelta(TURN, "One. Two. Three. "))
    await stage.tell(QuestionAsked(QUESTION))
    await stage.hear_all()
    assert stage.events == [
        SpeakingStarted("One."),
        SpeakingEnded(cut=False),
        SpeakingStarted(READING, QUESTION_ID),
        SpeakingEnded(cut=False, question_id=QUESTION_ID),
    ]


async def test_a_question_of_a_typed_turn_or_for_one_window_is_not_read(stage: Stage) -> None:
    typed = a_question("make test", spoken=False)
    await stage.tell(QuestionAsked(typed), QuestionAsked(QUESTION, WindowId("late")))
    assert stage.texts == []


async def test_a_question_for_the_screen_alone_is_never_told_as_read(stage: Stage) -> None:
    await stage.tell(QuestionAsked(a_question("curl x | sh")))
    await stage.hear_all()
    notice = (
        "A request to use bash waits, but it is too long or unusual to be read aloud. "
        "Please decide on the screen. You can also say deny."
    )
    assert stage.events == [SpeakingStarted(notice), SpeakingEnded(cut=False)]


async def test_a_settled_question_stops_being_read_and_what_follows_is_said(stage: Stage) -> None:
    await stage.tell(begun(), QuestionAsked(QUESTION))
    await stage.loudspeaker.drain(1)
    await stage.tell(ReplyReplaced(TURN, "Denied."), ended("Denied."), settled())
    await stage.hear_all()
    assert stage.events == [
        SpeakingStarted(READING, QUESTION_ID),
        SpeakingEnded(cut=True, question_id=QUESTION_ID),
        SpeakingStarted("Denied."),
        SpeakingEnded(cut=False),
    ]


@pytest.mark.promise("T-027")
@pytest.mark.voice_bug("approval", "(detail thin in what was seen) Pop-up times out")
async def test_a_question_that_ran_out_stops_being_read_and_that_is_said_aloud(stage: Stage) -> None:
    line = (
        "Nobody answered the approval request in time, so I stopped running bash. Ask again if you need it."
    )
    await stage.tell(begun(), QuestionAsked(QUESTION))
    await stage.loudspeaker.drain(1)
    out = QuestionSettled(QUESTION, Settled(QUESTION_ID, QuestionEnd.EXPIRED, None, AnsweredBy.TIMER))
    await stage.tell(out, ReplyReplaced(TURN, line), ended(line, TurnEnd.TIMED_OUT))
    await stage.hear_all()
    first, second = line.split(". ")
    assert stage.started == [READING, f"{first}.", second]


@pytest.mark.voice_bug("approval", "Approval question dropped by barge-in")
@pytest.mark.parametrize(
    "quiet",
    [
        NothingHeard(HeardNothing.SILENCE, ListenFor.REQUEST),
        VoiceStateChanged(VoiceState.ASKING, muted=False, listen_for=ListenFor.ANSWER),
    ],
)
async def test_a_question_cut_by_barge_in_is_read_again(stage: Stage, quiet: Event) -> None:
    await stage.tell(QuestionAsked(QUESTION))
    await stage.loudspeaker.drain(1)
    await stage.tell(WakeHeard(0.9))
    await stage.hear_all()
    assert stage.started == [READING]
    await stage.tell(quiet)
    await stage.hear_all()
    assert stage.started == [READING, READING]
    await stage.tell(quiet)
    assert stage.started == [READING, READING], "once heard in full it is not repeated by itself"


async def test_a_settled_question_is_not_read_again_after_barge_in(stage: Stage) -> None:
    await stage.tell(QuestionAsked(QUESTION))
    await stage.loudspeaker.drain(1)
    await stage.tell(WakeHeard(0.9), settled(), NothingHeard(HeardNothing.SILENCE, ListenFor.REQUEST))
    await stage.hear_all()
    assert stage.started == [READING]


@pytest.mark.promise("T-072")
async def test_an_answer_that_was_not_understood_is_asked_for_again(stage: Stage) -> None:
    stage.mouth.ask_again()
    await stage.tell(QuestionAsked(QUESTION))
    await stage.hear_all()
    stage.mouth.ask_again()
    await stage.hear_all()
    assert stage.started == [READING, f"I did not understand that. {READING}"]


@pytest.mark.voice_bug("echo_followup", "Call mode hears itself")
async def test_the_echo_guard_knows_what_was_really_said(stage: Stage) -> None:
    await stage.tell(begun(), ReplyDelta(TURN, "The weather is sunny today. "))
    assert stage.guard.strip("the weather is sunny today", 0.0) == "the weather is sunny today"
    await stage.loudspeaker.drain(1)
    assert stage.guard.strip("the weather is sunny today", 0.0) == ""
    await stage.hear_all()
    await stage.clock.advance(20)
    assert stage.guard.strip("the weather is sunny today", 20.0) == "the weather is sunny today"


async def test_the_wake_word_cuts_and_chimes_once(stage: Stage) -> None:
    await stage.tell(begun(), ReplyDelta(TURN, "One. "))
    await stage.loudspeaker.drain(1)
    await stage.tell(
        WakeHeard(0.9), VoiceStateChanged(VoiceState.LISTENING, muted=False, listen_for=ListenFor.REQUEST)
    )
    assert stage.events[-1] == SpeakingEnded(cut=True)
    assert stage.loudspeaker.played.count(CHIME[LISTENING]) == 1


async def test_talk_now_and_trouble_have_their_own_chimes(stage: Stage) -> None:
    await stage.tell(VoiceStateChanged(VoiceState.LISTENING, muted=False, listen_for=ListenFor.REQUEST))
    await stage.tell(NothingHeard(HeardNothing.UNCLEAR, ListenFor.REQUEST))
    await stage.tell(begun(), ended("It did not work.", TurnEnd.FAILED))
    assert stage.loudspeaker.played[:3] == [CHIME[LISTENING], CHIME[TROUBLE], CHIME[TROUBLE]]


async def test_listening_for_an_answer_is_silent(stage: Stage) -> None:
    await stage.tell(VoiceStateChanged(VoiceState.ASKING, muted=False, listen_for=ListenFor.ANSWER))
    await stage.tell(NothingHeard(HeardNothing.SILENCE, ListenFor.ANSWER))
    assert stage.loudspeaker.played == []


async def test_chimes_and_reading_can_be_switched_off() -> None:
    stage = Stage(earcon=False, speak=False)
    await stage.tell(WakeHeard(0.9), begun(), ReplyDelta(TURN, "One. "), QuestionAsked(QUESTION))
    assert stage.loudspeaker.played == []
    assert stage.texts == []
    await stage.close()


async def test_a_missing_voice_is_said_once_and_cleared_when_it_works(stage: Stage) -> None:
    stage.voice.missing = MissingPartError("no espeak-ng.")
    await stage.tell(begun(), ReplyDelta(TURN, "One. Two. "))
    await stage.tell(ReplyDelta(TURN, "Three. "))
    trouble = TroubleNoted(Part.VOICE, "Answers cannot be read aloud: no espeak-ng. They stay on the screen.")
    assert stage.events == [trouble]
    stage.voice.missing = None
    await stage.tell(ReplyDelta(TURN, "Four. "))
    await stage.hear_all()
    assert stage.events == [
        trouble,
        SpeakingStarted("Four."),
        TroubleCleared(Part.VOICE),
        SpeakingEnded(cut=False),
    ]


async def test_a_loudspeaker_that_is_gone_is_said_once(stage: Stage) -> None:
    stage.loudspeaker.missing = AudioUnavailableError("no loudspeaker.")
    await stage.tell(WakeHeard(0.9), begun(), ReplyDelta(TURN, "One. "))
    assert stage.events == [
        TroubleNoted(
            Part.LOUDSPEAKER, "Answers cannot be read aloud: no loudspeaker. They stay on the screen."
        )
    ]


async def test_say_returns_when_all_of_it_was_heard(stage: Stage) -> None:
    saying = asyncio.create_task(stage.mouth.say("One. Two."))
    await stage.loudspeaker.drain()
    assert not saying.done()
    await stage.hear_all()
    await asyncio.wait_for(saying, 1)
    assert stage.started == ["One.", "Two."]


async def test_say_returns_when_it_was_cut(stage: Stage) -> None:
    saying = asyncio.create_task(stage.mouth.say("One. Two."))
    await stage.loudspeaker.drain(1)
    stage.mouth.cut()
    await asyncio.wait_for(saying, 1)


async def test_say_tells_why_nothing_is_heard(stage: Stage) -> None:
    stage.voice.missing = MissingPartError("no espeak-ng.")
    with pytest.raises(MissingPartError, match="no espeak-ng"):
        await stage.mouth.say("One. Two.")


async def test_say_is_refused_while_a_question_is_open(stage: Stage) -> None:
    await stage.tell(QuestionAsked(QUESTION))
    with pytest.raises(UserFixableError, match="Answer it first"):
        await stage.mouth.say("Yes, go ahead.")


async def test_ending_the_mouth_is_silence(stage: Stage) -> None:
    await stage.tell(begun(), ReplyDelta(TURN, "One. "))
    await stage.close()
    assert not stage.loudspeaker.playing


def test_chimes_are_soft_and_short() -> None:
    for sound in load_chimes().values():
        samples = [
            abs(int.from_bytes(sound.pcm[at : at + 2], "little", signed=True))
            for at in range(0, len(sound.pcm), 2)
        ]
        assert 0.05 < sound.seconds <= 0.15
        assert 500 < max(samples) < 6000


def test_a_missing_chime_is_silent(tmp_path: Path) -> None:
    assert load_chimes(tmp_path) == {LISTENING: Sound(b""), TROUBLE: Sound(b"")}


async def test_reading_aloud_that_is_switched_off_stops_an_answer_in_the_middle(stage: Stage) -> None:
    first, second = "This is the first sentence of the answer.", "This is the second sentence of it."
    await stage.tell(begun(), ReplyDelta(TURN, f"{first} {second} And "))
    await stage.loudspeaker.drain(1)
    assert stage.started == [first]
    stage.mouth.configure(VoiceSettings.model_validate({"speak": False}))
    await settle()
    assert not stage.loudspeaker.playing
    await stage.tell(ReplyDelta(TURN, "a third one. "), ended(f"{first} {second} And a third one."))
    await stage.hear_all()
    assert stage.started == [first]


async def test_reading_aloud_that_is_switched_off_lets_a_question_be_read_to_its_end(stage: Stage) -> None:
    await stage.tell(QuestionAsked(QUESTION))
    stage.mouth.configure(VoiceSettings.model_validate({"speak": False}))
    assert stage.loudspeaker.playing
    await stage.hear_all()
    assert stage.started == [READING]


async def test_a_chime_that_is_switched_off_is_not_played(stage: Stage) -> None:
    stage.mouth.configure(VoiceSettings.model_validate({"earcon": False}))
    await stage.tell(WakeHeard(0.9))
    assert not stage.loudspeaker.playing


async def test_the_loudspeaker_is_tried_out_whatever_the_settings_say(stage: Stage) -> None:
    stage.mouth.configure(VoiceSettings.model_validate({"earcon": False, "speak": False}))
    trying = asyncio.create_task(stage.mouth.try_out("This is how I sound."))
    await stage.hear_all()
    await trying
    assert stage.started == ["This is how I sound."]


async def test_of_agents_that_work_for_an_answer_nothing_is_read_but_the_answer_itself(stage: Stage) -> None:
    done = StoredDelegate("KAREN", "JARVIS", "Which ones?", (), TurnEnd.ANSWERED, "Magok and Godeok.")
    karen = TurnId("karen")
    await stage.tell(
        begun(), DelegateStarted(TURN, karen, "KAREN", "JARVIS", "Which?"), DelegateEnded(TURN, karen, done)
    )
    await stage.tell(ReplyDelta(TURN, "There are two."), ended("There are two."))
    await stage.hear_all()
    assert stage.started == ["There are two."]


async def test_an_answer_that_a_plugin_may_replace_is_read_when_it_is_complete(stage: Stage) -> None:
    await stage.tell(begun(), ReplyMayChange(TURN), ReplyDelta(TURN, "One is. Two is. "))
    await stage.tell(ReplyReplaced(TURN, "ONE IS. Bye."))
    assert stage.texts == []
    await stage.tell(ended("ONE IS. Bye."))
    await stage.hear_all()
    assert stage.started == ["ONE IS.", "Bye."]
