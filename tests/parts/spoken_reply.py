"""Sound played to the real ears as fast as they hear it, while an approval question waits for an answer."""

import asyncio
from array import array
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

from jarvis_desktop.adapters.vad_onnx import VadOnnx
from jarvis_desktop.app.ears import Ears
from jarvis_desktop.app.ears_parts import EarsParts, EarsWiring
from jarvis_desktop.app.hear import pieces
from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.commands import AnswerQuestion, Command, DecideSaving
from jarvis_desktop.core.items.decisions import Question, Shown, Verdict, VerdictKind
from jarvis_desktop.core.items.events import (
    AnswerUnclear,
    Event,
    QuestionAsked,
    SavingOffered,
    SpeakingEnded,
    SpeakingStarted,
    Transcribed,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, QuestionId, SessionId, TurnId
from jarvis_desktop.core.items.speech import SAMPLE_RATE_HZ, Language, Sound
from jarvis_desktop.core.items.spoken import saving_id
from jarvis_desktop.core.ports import Captured, Transcriber
from jarvis_desktop.core.settings import VoiceSettings
from jarvis_desktop.core.voice.echo_guard import EchoGuard
from jarvis_desktop.core.voice.spoken_answer import PERMITTING
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts

PIECE_S = 0.08
UNTIL_IT_COUNTS = 30
"""Pieces of quiet behind an answer: a yes may be taken back that long."""
SHORT_QUESTION = "Run the command make test? Say allow, or say deny."


class Fate(StrEnum):
    """What became of the question."""

    PERMITTED = "permitted"
    DENIED = "denied"
    UNCLEAR = "unclear"
    """It is asked once more."""
    MISSED = "missed"
    """Nothing was heard that counts; the ears go on listening."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the ears made of one sound."""

    fate: Fate
    heard: tuple[str, ...]


@dataclass(slots=True)
class _Played:
    """Fills ``Microphone``: pieces of sound, and what happens between them; it waits for recognitions."""

    script: Iterable[bytes | Event]
    clock: FakeClock
    guard: EchoGuard
    live: bool = True
    ears: Ears | None = None

    async def chunks(self) -> AsyncIterator[Captured]:
        for one in self.script:
            if isinstance(one, bytes):
                await self.clock.advance(PIECE_S)
                yield Captured(Sound(one), self.clock.monotonic_s())
                await self._recognised()
            else:
                self._happen(one)
        await self._recognised()

    def _happen(self, event: Event) -> None:
        assert self.ears is not None
        at_s = self.clock.monotonic_s()
        if isinstance(event, SpeakingStarted):
            self.guard.said(event.text, at_s, question=True)
        elif isinstance(event, SpeakingEnded):
            self.guard.fell_silent(at_s)
        self.ears.on_event(event)

    async def _recognised(self) -> None:
        """As if recognising took no time: nothing that is said meanwhile is lost."""
        assert self.ears is not None
        while tasks := self.ears._judge._tasks:
            with suppress(asyncio.CancelledError):
                await asyncio.wait(tasks)

    def set_muted(self, *, muted: bool) -> None:
        self.live = not muted

    async def close(self) -> None:
        self.live = False


@dataclass(slots=True)
class _Notes:
    """Everything that the ears said."""

    outcome: Fate = Fate.MISSED
    heard: list[str] = field(default_factory=list)
    ears: Ears | None = None

    def post(self, command: Command) -> None:
        if isinstance(command, AnswerQuestion) and self.outcome in (Fate.MISSED, Fate.UNCLEAR):
            permits = command.answer.value in PERMITTING
            self.outcome = Fate.PERMITTED if permits else Fate.DENIED
        elif isinstance(command, DecideSaving) and command.save:
            self.outcome = Fate.PERMITTED

    async def emit(self, event: Event) -> None:
        if isinstance(event, Transcribed):
            self.heard.append(event.text)
        elif isinstance(event, AnswerUnclear):
            self.outcome = Fate.UNCLEAR
            assert self.ears is not None
            self.ears.on_event(SpeakingStarted(SHORT_QUESTION, event.question_id))


def a_question() -> Question:
    """One that was asked by voice."""
    return Question(
        question_id=QuestionId("q"),
        session_id=SessionId("session"),
        turn_id=TurnId("turn"),
        agent_id=MAIN_AGENT,
        call=ToolCall(CallId("call"), "bash", {"command": "make test"}),
        shown=Shown.COMMAND,
        detail="make test",
        cwd=Path("/somewhere"),
        why=Verdict(VerdictKind.ASK, "no rule", "no-rule"),
        digest="digest",
        asked_at=START,
        deadline_at=START + timedelta(seconds=120),
        spoken=True,
    )


async def reply_outcome(pcm: bytes, transcriber: Transcriber, language: Language) -> Outcome:
    """What ``pcm`` comes to, heard after a question was read to its end."""
    question = a_question()
    script: tuple[bytes | Event, ...] = (
        QuestionAsked(question),
        SpeakingStarted(SHORT_QUESTION, question.question_id),
        *_quiet(6),
        SpeakingEnded(cut=False, question_id=question.question_id),
        *pieces(pcm),
        *_quiet(UNTIL_IT_COUNTS),
    )
    return await _played(script, transcriber, language)


async def own_question_outcome(
    pcm: bytes,
    said: str,
    transcriber: Transcriber,
    language: Language,
    *,
    late_s: float = 0.0,
    saving: bool = False,
) -> Outcome:
    """What becomes of a question when only our own voice, reading it, gets into the microphone.

    late_s: so long after the loudspeaker fell silent its sound still arrives.
    saving: it is the question whether a rule is saved.
    """
    question = a_question()
    asking: Event = SavingOffered(question) if saving else QuestionAsked(question)
    topic_id = saving_id(question.question_id) if saving else question.question_id
    sound = [pcm[at : at + 2560].ljust(2560, b"\0") for at in range(0, len(pcm), 2560)]
    late = round(late_s / PIECE_S)
    head, tail = sound[: len(sound) - late], sound[len(sound) - late :]
    script: tuple[bytes | Event, ...] = (
        *_quiet(30),
        asking,
        SpeakingStarted(said, topic_id),
        *head,
        SpeakingEnded(cut=False, question_id=topic_id),
        *tail,
        *_quiet(60),
    )
    return await _played(script, transcriber, language)


def with_noise(pcm: bytes, snr_db: float, seed: int) -> bytes:
    """``pcm`` over pink noise; loudness is compared where there is speech."""
    import numpy as np

    speech = np.frombuffer(pcm, np.int16).astype(np.float64)
    chance = np.random.default_rng(seed)
    spectrum = np.fft.rfft(chance.normal(0, 1, len(speech)))
    noise = np.fft.irfft(spectrum / np.sqrt(np.arange(len(spectrum)) + 1), len(speech))
    loud = speech[np.abs(speech) > np.abs(speech).max() / 20]
    wanted = np.sqrt(np.mean(loud**2)) / 10 ** (snr_db / 20)
    noise *= wanted / np.sqrt(np.mean(noise**2))
    return bytes(np.clip(speech + noise, -32768, 32767).astype(np.int16).tobytes())


def with_key_clicks(pcm: bytes, seed: int) -> bytes:
    """Somebody types meanwhile: five bursts of 5 ms each second, as loud as the speech."""
    import numpy as np

    sound = np.frombuffer(pcm, np.int16).astype(np.float64)
    chance = np.random.default_rng(seed)
    peak = np.abs(sound).max()
    for first in range(800, len(sound) - 200, SAMPLE_RATE_HZ // 5):
        at = first + int(chance.integers(0, 100))
        burst = sound[at : at + 80]
        burst += chance.normal(0, peak / 2, len(burst)) * np.linspace(1, 0, len(burst))
    return bytes(np.clip(sound, -32768, 32767).astype(np.int16).tobytes())


def with_silence(pcm: bytes, before_s: float = 0.6, after_s: float = 0.6) -> bytes:
    """So that noise is there before and behind the words, too."""
    quiet = [bytes(int(seconds * SAMPLE_RATE_HZ) * 2) for seconds in (before_s, after_s)]
    return quiet[0] + pcm + quiet[1]


def _quiet(count: int) -> Iterator[bytes]:
    return (array("h", bytes(2560)).tobytes() for _ in range(count))


async def _played(script: Iterable[bytes | Event], transcriber: Transcriber, language: Language) -> Outcome:
    clock, guard, notes = FakeClock(), EchoGuard(), _Notes()
    microphone = _Played(script, clock, guard)
    ears = Ears(
        microphone,
        EarsParts(None, VadOnnx(), transcriber),
        VoiceSettings.model_validate({}),
        EarsWiring(clock, PlainTexts(language), guard, notes.post, notes.emit),
    )
    microphone.ears = notes.ears = ears
    await ears.run()
    return Outcome(notes.outcome, tuple(notes.heard))
