"""Says one thing after another and tells when sound really begins and ends."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from jarvis_desktop.app.mouth_utterance import Utterance
from jarvis_desktop.core.items.errors import AudioUnavailableError, MissingPartError
from jarvis_desktop.core.items.events import (
    Part,
    SpeakingEnded,
    SpeakingStarted,
    TroubleCleared,
    TroubleNoted,
)
from jarvis_desktop.core.items.speech import Sound
from jarvis_desktop.core.ports import Clock, Emit, Loudspeaker, Texts, Voice
from jarvis_desktop.core.voice.echo_guard import EchoGuard

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MouthParts:
    """What the mouth is made of."""

    voice: Voice
    loudspeaker: Loudspeaker
    clock: Clock
    texts: Texts
    guard: EchoGuard
    chimes: Mapping[str, Sound]


class Speaker:
    """A queue of utterances; the next one is synthesised while the current one plays."""

    def __init__(self, parts: MouthParts, emit: Emit) -> None:
        self._parts = parts
        self._emit = emit
        self._waiting: deque[Utterance] = deque()
        self._arrived = asyncio.Event()
        self.current: Utterance | None = None
        """What is being said now."""
        self._sounding: Utterance | None = None
        """The last thing that was announced as being spoken and not yet as ended."""
        self._chiming: set[asyncio.Task[None]] = set()
        self._troubled: set[Part] = set()

    async def run(self) -> None:
        """Speak what arrives, without end."""
        try:
            while True:
                while not self._waiting:
                    self._arrived.clear()
                    await self._arrived.wait()
                await self._speak(self._waiting.popleft())
        finally:
            self.cut()

    def add(self, utterances: Iterable[Utterance]) -> None:
        """Say these after all that waits."""
        self._waiting.extend(utterances)
        if self._waiting:
            self._waiting[0].prepare(self._parts.voice)
            self._arrived.set()

    def drop(self, is_unwanted: Callable[[Utterance], bool]) -> None:
        """Never say what waits and is unwanted; what is being said goes on."""
        unwanted = [waiting for waiting in self._waiting if is_unwanted(waiting)]
        self._waiting = deque(waiting for waiting in self._waiting if waiting not in unwanted)
        for waiting in unwanted:
            waiting.cut()

    def cut(self) -> None:
        """Silence at once: what plays, what waits and what is being synthesised."""
        self.drop(lambda _: True)
        self.cut_current()

    def cut_current(self) -> None:
        """Silence at once; what waits is said next."""
        if self.current is not None:
            self.current.cut()
        self._parts.loudspeaker.cut()

    def chime(self, sound: Sound) -> None:
        """Play a sound that is no speech, beside everything else."""
        task = asyncio.create_task(self._play_chime(sound))
        self._chiming.add(task)
        task.add_done_callback(self._chiming.discard)

    async def _speak(self, utterance: Utterance) -> None:
        self.current = utterance
        utterance.prepare(self._parts.voice)
        if self._waiting:
            self._waiting[0].prepare(self._parts.voice)
        try:
            await utterance.play(self._parts.loudspeaker, lambda: self._started(utterance))
            if not utterance.was_cut:
                await self._works_again()
            utterance.settle(None)
        except MissingPartError as error:
            for failed in (utterance, *self._waiting):
                failed.settle(error)
            self.drop(lambda _: True)
            await self._note(error)
        finally:
            self.current = None
        await self._end_of(utterance)

    async def _started(self, utterance: Utterance) -> None:
        is_question = utterance.question_id is not None
        self._parts.guard.said(utterance.text, self._parts.clock.monotonic_s(), question=is_question)
        self._sounding = utterance
        await self._emit(SpeakingStarted(utterance.text, utterance.read_id))

    async def _end_of(self, utterance: Utterance) -> None:
        """Silence is told, unless the next sentence of an answer follows at once."""
        if self._sounding is None:
            return
        goes_on = bool(self._waiting) and not utterance.was_cut and utterance.question_id is None
        if goes_on and self._waiting[0].question_id is None:
            return
        sounded, self._sounding = self._sounding, None
        self._parts.guard.fell_silent(self._parts.clock.monotonic_s())
        await self._emit(SpeakingEnded(utterance.was_cut, sounded.read_id))

    async def _play_chime(self, sound: Sound) -> None:
        try:
            await self._parts.loudspeaker.play(sound)
        except MissingPartError as error:
            await self._note(error)

    async def _note(self, error: MissingPartError) -> None:
        part = Part.LOUDSPEAKER if isinstance(error, AudioUnavailableError) else Part.VOICE
        if part in self._troubled:
            return
        self._troubled.add(part)
        log.warning("answers cannot be read aloud", extra={"part": part.value})
        text = self._parts.texts("Answers cannot be read aloud: {problem} They stay on the screen.")
        await self._emit(TroubleNoted(part, text.format(problem=error)))

    async def _works_again(self) -> None:
        cleared, self._troubled = self._troubled, set()
        for part in cleared:
            await self._emit(TroubleCleared(part))
