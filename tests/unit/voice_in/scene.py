"""Ears with fakes around them, and a day in their life: silence, speech, wake words and events."""

import asyncio
from array import array
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from jarvis_desktop.app.ears import Ears
from jarvis_desktop.app.ears_parts import EarsParts, EarsWiring, OwnVoice
from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.decisions import (
    Answer,
    AnsweredBy,
    Question,
    QuestionEnd,
    Settled,
    Shown,
    Verdict,
    VerdictKind,
)
from jarvis_desktop.core.items.events import (
    Event,
    LevelHeard,
    QuestionAsked,
    QuestionSettled,
    SpeakingEnded,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, QuestionId, SessionId, TurnId
from jarvis_desktop.core.items.speech import ListenFor, Sound
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.ports import Captured, ChatModel
from jarvis_desktop.core.settings import VoiceSettings
from tests.fakes.clock import FakeClock, settle
from tests.fakes.microphone import FakeMicrophone
from tests.fakes.scorers import SPEECH_SAMPLE, WAKE_SAMPLE, SoundVad, SoundWake
from tests.fakes.texts import PlainTexts
from tests.fakes.transcriber import SoundTranscriber

PIECE_SAMPLES = 1280
SESSION = SessionId("session")


class NoEcho:
    """Fills ``OwnVoice``: nothing is our own, except what the test says."""

    def __init__(self) -> None:
        self.own: set[str] = set()

    def strip(self, heard: str, at_s: float) -> str:
        return "" if heard in self.own else heard


@dataclass
class Scene:
    """The ears and everything they said."""

    ears: Ears
    clock: FakeClock
    microphone: FakeMicrophone
    whisper: SoundTranscriber
    wake_scorer: SoundWake
    echo: NoEcho
    """Not asked where the scene was given another guard."""
    events: list[Event] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)

    # --- sound ------------------------------------------------------------------------------------

    async def sound(self, value: int, seconds: float, *, after_gap: bool = False) -> None:
        """So many seconds of one sample value, in pieces of 80 ms."""
        for _ in range(max(1, round(seconds / 0.08))):
            await self.clock.advance(0.08)
            pcm = array("h", [value] * PIECE_SAMPLES).tobytes()
            self.microphone.put(Captured(Sound(pcm), self.clock.monotonic_s(), after_gap=after_gap))
            after_gap = False
            await settle(12)

    async def silence(self, seconds: float) -> None:
        await self.sound(0, seconds)

    async def wake(self) -> None:
        """ "Hey Jarvis"."""
        await self.sound(WAKE_SAMPLE, 0.08)

    async def say(self, value: int, seconds: float = 0.8) -> None:
        """Speech of a taught text."""
        await self.sound(value, seconds)

    async def faint_speech(self, seconds: float) -> None:
        """Speech to the fakes, which look at the first sample of a frame, and -62 dB to a level meter."""
        samples = array("h", [0] * PIECE_SAMPLES)
        for first in range(0, PIECE_SAMPLES, 256):
            samples[first] = SPEECH_SAMPLE
        for _ in range(round(seconds / 0.08)):
            await self.clock.advance(0.08)
            self.microphone.put(Captured(Sound(samples.tobytes()), self.clock.monotonic_s()))
            await settle(12)

    # --- events -----------------------------------------------------------------------------------

    async def tell(self, *events: Event) -> None:
        for event in events:
            self.ears.on_event(event)
        await settle()

    async def turn_starts(self, name: str = "turn") -> None:
        await self.tell(TurnStarted(TurnId(name), SESSION, "…", Origin.SPOKEN, self.clock.now()))

    async def turn_ends(self, name: str = "turn") -> None:
        await self.tell(TurnEnded(TurnId(name), SESSION, TurnEnd.ANSWERED, "…"))

    async def voice_starts(self, text: str = "Here is the answer.", question: Question | None = None) -> None:
        await self.tell(SpeakingStarted(text, question.question_id if question else None))

    async def voice_ends(self, question: Question | None = None, *, cut: bool = False) -> None:
        await self.tell(SpeakingEnded(cut, question.question_id if question else None))

    async def asks(self, name: str = "q", *, spoken: bool = True) -> Question:
        asked = self.question(name, spoken=spoken)
        await self.tell(QuestionAsked(asked))
        return asked

    async def read_out(self, question: Question) -> None:
        """The question is read aloud to its end, and the echo of it has gone."""
        await self.voice_starts("Shall I run it?", question)
        await self.silence(0.4)
        await self.voice_ends(question)
        await self.silence(0.6)

    async def settles(self, question: Question, answer: Answer = Answer.ALLOW) -> None:
        settled = Settled(question.question_id, QuestionEnd.ANSWERED, answer, AnsweredBy.VOICE)
        await self.tell(QuestionSettled(question, settled))

    def question(self, name: str, *, spoken: bool) -> Question:
        return Question(
            question_id=QuestionId(name),
            session_id=SESSION,
            turn_id=TurnId("turn"),
            agent_id=MAIN_AGENT,
            call=ToolCall(CallId("call"), "bash", {"command": "make test"}),
            shown=Shown.COMMAND,
            detail="make test",
            cwd=Path("/somewhere"),
            why=Verdict(VerdictKind.ASK, "no rule", "no-rule"),
            digest=f"digest of {name}",
            asked_at=self.clock.now(),
            deadline_at=self.clock.now() + timedelta(seconds=120),
            spoken=spoken,
        )

    # --- what came of it ----------------------------------------------------------------------------

    def told(self) -> list[Event]:
        """Everything but levels and states."""
        return [event for event in self.events if not isinstance(event, LevelHeard | VoiceStateChanged)]

    def states(self) -> list[VoiceState]:
        """States in their order."""
        found: list[VoiceState] = []
        for event in self.events:
            if isinstance(event, VoiceStateChanged) and found[-1:] != [event.state]:
                found.append(event.state)
        return found

    @property
    def now(self) -> VoiceStateChanged:
        return next(event for event in reversed(self.events) if isinstance(event, VoiceStateChanged))

    @property
    def listening_for(self) -> ListenFor:
        return self.now.listen_for

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait, bounded, for work beside the sound."""
        for _ in range(200):
            if holds():
                return
            await settle(1)
        raise AssertionError("it never came to hold")


@asynccontextmanager
async def scene(
    parts: EarsParts | None = None,
    settings: VoiceSettings | None = None,
    model: ChatModel | None = None,
    guard: OwnVoice | None = None,
) -> AsyncIterator[Scene]:
    """Running ears, awake for two seconds. ``guard`` says what is our own voice, or the test."""
    clock, microphone, echo = FakeClock(), FakeMicrophone(), NoEcho()
    whisper, wake = SoundTranscriber(), SoundWake()
    events: list[Event] = []
    commands: list[Command] = []

    async def emit(event: Event) -> None:
        events.append(event)

    ears = Ears(
        microphone,
        parts or EarsParts(wake, SoundVad(), whisper),
        settings or VoiceSettings.model_validate({}),
        EarsWiring(clock, PlainTexts(), guard or echo, commands.append, emit, model),
    )
    running = asyncio.create_task(ears.run())
    the_scene = Scene(ears, clock, microphone, whisper, wake, echo, events, commands)
    try:
        await the_scene.silence(2.0)
        yield the_scene
    finally:
        whisper.gate.set()
        await microphone.close()
        await running
