"""Trials of the setup window: microphone, wake word, loudspeaker; one at a time, each ends by itself."""

import asyncio
from contextlib import suppress
from typing import Protocol

from jarvis_desktop.app.ears_parts import PARTS_OF_TRIAL
from jarvis_desktop.app.loop_parts import Speaking
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.events import Event, Part, TroubleNoted, VoiceState, VoiceStateChanged
from jarvis_desktop.core.items.setup import Trial, TrialChanged
from jarvis_desktop.core.ports import Clock, Emit, Texts

LONGEST_S = 60.0
"""A forgotten trial must not keep Jarvis from listening."""


class TriedVoice(Protocol):
    """The voice, as far as trials reach it; ``VoiceParts`` fills it."""

    @property
    def live(self) -> bool:
        """Sound is arriving, be it silence."""

    def begin_trial(self, trial: Trial) -> str:
        """Only show what the microphone hears; why not, when that cannot be."""

    def end_trial(self) -> None:
        """Listen as ever."""

    async def try_out(self, text: str) -> None:
        """A chime and ``text`` are heard."""

    @property
    def mouth(self) -> Speaking:
        """It can be cut."""


class Trials:
    """Begins and ends trials, and tells it."""

    def __init__(self, voice: TriedVoice, clock: Clock, texts: Texts, emit: Emit) -> None:
        self._voice = voice
        self._clock = clock
        self._texts = texts
        self._emit = emit
        self._wanted: Trial | None = None
        """What was asked for last; None once a person had enough of it."""
        self._running: Trial | None = None
        self._task: asyncio.Task[None] | None = None
        self._enough = asyncio.Event()
        self._trouble = ""
        self._muted = False

    def begin(self, trial: Trial) -> None:
        """Try ``trial`` out; another one that runs ends first."""
        before, self._wanted = self._task, trial
        self._enough.set()

        async def work() -> None:
            if before is not None:
                await asyncio.wait({before})
            if self._task is not asyncio.current_task() or self._wanted is not trial:
                await self._emit(TrialChanged(trial, running=False))  # over before its turn came
                return
            await (self._sound() if trial is Trial.LOUDSPEAKER else self._listen(trial))

        self._task = asyncio.create_task(work())

    def end(self, trial: Trial) -> None:
        """Enough of ``trial``; harmless when it does not run."""
        if self._wanted is trial:
            self._wanted = None
            self._enough.set()

    def on_event(self, event: Event) -> None:
        """A lost microphone ends a trial with the reason, and so does a person who talks to Jarvis."""
        if isinstance(event, VoiceStateChanged):
            self._muted = event.muted
        if self._running is None or self._running is Trial.LOUDSPEAKER:
            return
        if isinstance(event, TroubleNoted):
            is_deaf = event.part is Part.MICROPHONE and not self._voice.live
            if is_deaf or event.part in PARTS_OF_TRIAL[self._running]:
                self._trouble = event.text
                self._enough.set()
        elif isinstance(event, VoiceStateChanged) and (event.muted or event.state is VoiceState.LISTENING):
            self._enough.set()

    async def close(self) -> None:
        """No trial runs any more."""
        self._enough.set()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self, trial: Trial) -> None:
        self._enough.clear()
        muted = self._texts("The microphone is muted. Turn it on again, then try.")
        self._trouble = muted if self._muted else self._voice.begin_trial(trial)
        if self._trouble:
            await self._emit(TrialChanged(trial, running=False, trouble=self._trouble))
            return
        self._running = trial
        try:
            await self._emit(TrialChanged(trial, running=True))
            await self._until_enough()
        finally:
            self._running = None
            self._voice.end_trial()
        await self._emit(TrialChanged(trial, running=False, trouble=self._trouble))

    async def _sound(self) -> None:
        self._enough.clear()
        self._running = Trial.LOUDSPEAKER
        await self._emit(TrialChanged(Trial.LOUDSPEAKER, running=True))
        trouble = ""
        playing = asyncio.ensure_future(self._voice.try_out(self._texts("Hello, this is how I sound.")))
        enough = asyncio.ensure_future(self._until_enough())
        try:
            await asyncio.wait({playing, enough}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                self._voice.mouth.cut()
            with suppress(asyncio.CancelledError):
                await playing
        except JarvisError as error:
            trouble = str(error)
        finally:
            self._running = None
            for task in (playing, enough):
                task.cancel()
        await self._emit(TrialChanged(Trial.LOUDSPEAKER, running=False, trouble=trouble))

    async def _until_enough(self) -> None:
        waits = [
            asyncio.ensure_future(self._enough.wait()),
            asyncio.ensure_future(self._clock.sleep(LONGEST_S)),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
