"""Ears and mouth on this machine's devices and models."""

import asyncio
import logging
from collections.abc import Callable

from jarvis_desktop.adapters.chimes import load_chimes
from jarvis_desktop.adapters.espeak_voice import EspeakVoice
from jarvis_desktop.adapters.loudspeaker import PortAudioLoudspeaker
from jarvis_desktop.adapters.microphone import DeviceMicrophone, MicrophoneWiring
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.sound_devices import SoundDevices
from jarvis_desktop.app.ears import Ears
from jarvis_desktop.app.ears_parts import EarsParts, EarsWiring, load_parts
from jarvis_desktop.app.mouth import Mouth
from jarvis_desktop.app.mouth_speaker import MouthParts
from jarvis_desktop.app.options import MODELS_NAME, Start
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event, Part
from jarvis_desktop.core.ports import Clock, Emit
from jarvis_desktop.core.voice.echo_guard import EchoGuard

log = logging.getLogger(__name__)


class RealVoice:
    """Fills ``VoiceParts``."""

    def __init__(self, start: Start, clock: Clock, post: Callable[[Command], None], emit: Emit) -> None:
        self._start = start
        settings, texts, guard = start.settings.voice, start.texts, EchoGuard()
        devices = SoundDevices()
        self._loudspeaker = PortAudioLoudspeaker(texts, settings.output_device)
        self._microphone = DeviceMicrophone(
            devices, settings.input_device, MicrophoneWiring(clock, texts, self._note_microphone)
        )
        self.ears = Ears(self._microphone, EarsParts(), settings, EarsWiring(clock, texts, guard, post, emit))
        self.mouth = Mouth(
            MouthParts(EspeakVoice(texts), self._loudspeaker, clock, texts, guard, load_chimes()),
            emit,
            settings,
        )
        self._releasing: asyncio.Task[None] | None = None

    def on_event(self, event: Event) -> None:
        """The mouth first: the ears must know what it is going to say."""
        self.mouth.on_event(event)
        self.ears.on_event(event)

    async def run(self) -> None:
        """Load the models, then listen and speak without end."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.ears.run())
            group.create_task(self.mouth.run())
            group.create_task(self._equip())

    async def close(self) -> None:
        """Devices and programs are released."""
        await self._microphone.close()
        await self._loudspeaker.release()

    async def _equip(self) -> None:
        parts = await load_parts(ModelFiles(self._start.home / MODELS_NAME), self._start.texts)
        for part, text in parts.troubles.items():
            self.ears.note_trouble(part, text)
        self.ears.equip(parts)
        have = {
            "wake": parts.wake is not None,
            "vad": parts.vad is not None,
            "transcriber": parts.transcriber is not None,
        }
        log.info("the ears are ready", extra=have)

    def _note_microphone(self, part: Part, text: str | None) -> None:
        self.ears.note_trouble(part, text)
        if text is not None and not self._loudspeaker.playing:
            # PortAudio looks for devices anew only while none of our streams is open.
            self._releasing = asyncio.create_task(self._loudspeaker.release())
