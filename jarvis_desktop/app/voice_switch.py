"""Ears and mouth that can be switched on and off while the program runs."""

import asyncio
import gc
import logging
from collections.abc import Callable
from typing import TypeAlias

from jarvis_desktop.app.loop_parts import Listening, Speaking
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.voice_parts import NoVoice, VoiceParts, VoiceWiring
from jarvis_desktop.core.items.events import Event, Part, TroubleCleared
from jarvis_desktop.core.items.setup import Trial
from jarvis_desktop.core.ports import Emit
from jarvis_desktop.core.settings import VoiceSettings

log = logging.getLogger(__name__)

PARTS = (Part.MICROPHONE, Part.LOUDSPEAKER, Part.WAKE_WORD, Part.VAD, Part.TRANSCRIBER, Part.VOICE)
OpenVoice: TypeAlias = Callable[[VoiceSettings], VoiceParts]


def open_voice(start: Start, wiring: VoiceWiring) -> VoiceParts:
    """The voice of this start. Nothing heavy happens before ``run``."""
    quiet = NoVoice(start.texts, wiring.emit)
    if not start.voice:
        return quiet

    def open_real(settings: VoiceSettings) -> VoiceParts:
        # Sound and model libraries are imported where voice is used only; numpy reads its limits once.
        from jarvis_desktop.adapters.onnx_session import limit_library_threads

        limit_library_threads()
        from jarvis_desktop.app.voice_real import RealVoice

        return RealVoice(start, settings, wiring)

    return SwitchedVoice(start.settings.voice, open_real, quiet, wiring.emit)


class SwitchedVoice:
    """Fills ``VoiceParts`` with a real voice while ``voice.enabled`` says so, and with a quiet one else."""

    def __init__(self, settings: VoiceSettings, open_real: OpenVoice, quiet: VoiceParts, emit: Emit) -> None:
        self._settings = settings
        self._open_real = open_real
        self._quiet = quiet
        self._emit = emit
        self._muted = False
        self._switched = asyncio.Event()
        self._held = open_real(settings) if settings.enabled else quiet
        self._leaving: asyncio.Future[None] | None = None
        """The one that was switched off last is being closed."""

    @property
    def ears(self) -> Listening:
        """Itself: whoever holds it reaches the voice in use."""
        return self

    @property
    def mouth(self) -> Speaking:
        """Itself."""
        return self

    def talk_now(self) -> None:
        """Listen for a request."""
        self._held.ears.talk_now()

    def set_muted(self, muted: bool) -> None:  # noqa: FBT001 - it carries the value of the command SetMuted
        """Microphone off or on; a voice that is switched on later begins so."""
        self._muted = muted
        self._held.ears.set_muted(muted)

    def interrupt(self) -> None:
        """Give up what is being listened to."""
        self._held.ears.interrupt()

    def cut(self) -> None:
        """Silence at once."""
        self._held.mouth.cut()

    def configure(self, settings: VoiceSettings) -> None:
        """These settings count from now on; devices open and close behind it."""
        was, self._settings = self._settings.enabled, settings
        if settings.enabled is was:
            self._held.configure(settings)
        else:
            self._switched.set()

    def look_for_models(self) -> None:
        """Whatever is missing is looked for once more."""
        self._held.look_for_models()

    @property
    def live(self) -> bool:
        """Sound is arriving from a microphone."""
        return self._held.live

    def begin_trial(self, trial: Trial) -> str:
        """Only show what the microphone hears; why not, when that cannot be."""
        return self._held.begin_trial(trial)

    def end_trial(self) -> None:
        """Listen as ever."""
        self._held.end_trial()

    async def try_out(self, text: str) -> None:
        """A chime and ``text`` are heard."""
        await self._held.try_out(text)

    def on_event(self, event: Event) -> None:
        """The voice in use reacts."""
        self._held.on_event(event)

    async def run(self) -> None:
        """Listen and speak without end, with whatever is switched on."""
        while True:
            await self._run_until_switched()
            await self._exchange()

    async def _run_until_switched(self) -> None:
        self._switched.clear()
        running = asyncio.create_task(self._held.run())
        switched = asyncio.create_task(self._switched.wait())
        try:
            await asyncio.wait({running, switched}, return_when=asyncio.FIRST_COMPLETED)
            if running.done() and running.exception() is not None:
                log.error("the voice stopped", exc_info=running.exception())
            await switched
        finally:
            for task in (running, switched):
                task.cancel()
            await asyncio.gather(running, switched, return_exceptions=True)

    async def fall_asleep(self) -> None:
        """No device is open."""
        await self._held.fall_asleep()

    async def wake_up(self) -> None:
        """Devices are opened anew."""
        await self._held.wake_up()

    async def close(self) -> None:
        """Devices and programs are released."""
        if self._leaving is not None:
            await self._leaving
        await self._held.close()

    async def _exchange(self) -> None:
        old = self._held
        self._held = self._quiet  # nobody reaches devices that are being closed
        self._leaving = asyncio.ensure_future(old.close())
        # A quit in this moment leaves no device open and no program behind.
        await asyncio.shield(self._leaving)
        self._leaving = None
        del old
        # Its models are some 130 MB, and what the ears froze (see ``RealVoice``) is never looked at again.
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        for part in PARTS:  # nobody uses them now, so nothing is wrong with them
            await self._emit(TroubleCleared(part))
        if self._settings.enabled:
            self._held = self._open_real(self._settings)
            self._held.ears.set_muted(self._muted)
