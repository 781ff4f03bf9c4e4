"""Ears and mouth on this machine's devices and models."""

import asyncio
import gc
import logging

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
from jarvis_desktop.app.screen_first import ScreenFirst
from jarvis_desktop.app.voice_parts import VoiceWiring
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Event, Part
from jarvis_desktop.core.items.setup import SettingsChanged, Trial
from jarvis_desktop.core.settings import VoiceSettings
from jarvis_desktop.core.voice.echo_guard import EchoGuard

log = logging.getLogger(__name__)


class RealVoice:
    """Fills ``VoiceParts``."""

    def __init__(self, start: Start, settings: VoiceSettings, wiring: VoiceWiring) -> None:
        self._start = start
        self._models_came = asyncio.Event()
        texts, guard, clock, emit = start.texts, EchoGuard(), wiring.clock, wiring.emit
        devices = SoundDevices()
        self._loudspeaker = PortAudioLoudspeaker(texts, settings.output_device)
        self._microphone = DeviceMicrophone(
            devices,
            settings.input_device,
            MicrophoneWiring(clock, texts, self._note_microphone, self._remark),
        )
        self.ears = Ears(
            self._microphone,
            EarsParts(),
            settings,
            EarsWiring(clock, texts, guard, wiring.post, emit, wiring.model),
        )
        self.mouth = Mouth(
            MouthParts(EspeakVoice(texts), self._loudspeaker, clock, texts, guard, load_chimes()),
            emit,
            settings,
        )
        self._screen_first = ScreenFirst(self.mouth.on_event)
        self._wiring = wiring
        self._releasing: asyncio.Task[None] | None = None
        self._remarking: asyncio.Future[None] | None = None

    def on_event(self, event: Event) -> None:
        """The mouth first: the ears must know what it is going to say."""
        self._screen_first.on_event(event)
        self.ears.on_event(event)
        if isinstance(event, SettingsChanged) and "ui.language" in event.changed:
            self.look_for_models()  # what is missing is told in that language

    def configure(self, settings: VoiceSettings) -> None:
        """These settings count from now on; another device is opened behind it."""
        self._microphone.use(settings.input_device)
        self._loudspeaker.use(settings.output_device)
        self.ears.configure(settings)
        self.mouth.configure(settings)

    def look_for_models(self) -> None:
        """Whatever the ears miss is looked for once more."""
        self._models_came.set()

    @property
    def live(self) -> bool:
        """Sound is arriving from the microphone."""
        return self._microphone.live

    def begin_trial(self, trial: Trial) -> str:
        """Only show what the microphone hears; why not, when that cannot be."""
        return self.ears.begin_trial(trial)

    def end_trial(self) -> None:
        """Listen as ever."""
        self.ears.end_trial()

    async def try_out(self, text: str) -> None:
        """A chime and ``text`` are heard.

        Raises:
            UserFixableError: a question is open.
            MissingPartError: no voice or no loudspeaker.
        """
        await self.mouth.try_out(text)

    async def run(self) -> None:
        """Load the models, then listen and speak without end."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.ears.run())
            group.create_task(self.mouth.run())
            group.create_task(self._equip())

    async def fall_asleep(self) -> None:
        """Silent, and no device open: many are gone or mute after a sleep."""
        self.mouth.cut()
        await self._microphone.rest()
        await self._loudspeaker.release()

    async def wake_up(self) -> None:
        """The microphone is opened anew, the loudspeaker with the next sound."""
        self._microphone.wake()

    async def close(self) -> None:
        """Devices and programs are released."""
        self._screen_first.close()
        await self._microphone.close()
        await self._loudspeaker.release()

    async def _equip(self) -> None:
        """Load what is there now, and what comes later."""
        parts = EarsParts()
        while True:
            self._models_came.clear()
            had = (parts.wake, parts.vad, parts.transcriber)
            files = ModelFiles(self._start.home / MODELS_NAME, texts=self._start.texts)
            parts = await load_parts(files, self._start.texts, parts)
            for part in (Part.WAKE_WORD, Part.VAD, Part.TRANSCRIBER):
                self.ears.note_trouble(part, parts.troubles.get(part))
            if had == (None, None, None) or had != (parts.wake, parts.vad, parts.transcriber):
                # Not for nothing: what is being heard right now would be lost.
                self.ears.equip(parts)
            have = {
                "wake": parts.wake is not None,
                "vad": parts.vad is not None,
                "transcriber": parts.transcriber is not None,
            }
            # A search for garbage among all that the libraries made stands every thread still, for 74 ms once
            # in three requests (experiments/bench_latency.py). None of it is garbage.
            gc.freeze()
            log.info("the ears are ready", extra=have)
            await self._models_came.wait()

    def _note_microphone(self, part: Part, text: str | None) -> None:
        self.ears.note_trouble(part, text)
        if text is not None and not self._loudspeaker.playing:
            # PortAudio looks for devices anew only while none of our streams is open.
            self._releasing = asyncio.create_task(self._loudspeaker.release())

    def _remark(self, text: str) -> None:
        told = ActivityNoted(ActivityKind.VOICE, text, self._wiring.clock.now())
        self._remarking = asyncio.ensure_future(self._wiring.emit(told))
