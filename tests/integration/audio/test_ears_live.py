"""The whole ears on a real sound server with the real models: speech in, commands out."""

import asyncio
import time
from collections.abc import Callable

import pytest

from jarvis_desktop.adapters.microphone import DeviceMicrophone, MicrophoneWiring
from jarvis_desktop.adapters.sound_devices import SoundDevices
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.ears import Ears
from jarvis_desktop.app.ears_parts import EarsParts, EarsWiring
from jarvis_desktop.core.items.commands import Command, SubmitTurn
from jarvis_desktop.core.items.events import Event, LevelHeard, VoiceState, VoiceStateChanged, WakeHeard
from jarvis_desktop.core.settings import VoiceSettings
from jarvis_desktop.core.voice.echo_guard import EchoGuard
from tests.fakes.texts import PlainTexts
from tests.parts.audio import SoundServer
from tests.parts.speech import WAV

pytestmark = [pytest.mark.real_audio, pytest.mark.real_speech]


async def until(holds: Callable[[], bool], within_s: float = 20.0) -> None:
    async with asyncio.timeout(within_s):
        while not holds():
            await asyncio.sleep(0.02)


async def test_hey_jarvis_and_a_request_spoken_into_the_microphone_become_a_turn(
    sound_server: SoundServer, real_parts: EarsParts
) -> None:
    clock, texts = SystemClock(), PlainTexts()
    events: list[tuple[float, Event]] = []
    commands: list[Command] = []

    async def emit(event: Event) -> None:
        events.append((time.monotonic(), event))

    def first(kind: type[Event]) -> float:
        return next(at for at, event in events if isinstance(event, kind))

    microphone = DeviceMicrophone(
        SoundDevices(),
        "",
        MicrophoneWiring(clock, texts, lambda part, text: ears.note_trouble(part, text)),  # noqa: PLW0108 - made before the ears are
    )
    ears = Ears(
        microphone,
        real_parts,
        VoiceSettings.model_validate({}),
        EarsWiring(clock, texts, EchoGuard(), commands.append, emit),
    )
    running = asyncio.create_task(ears.run())
    try:
        await until(lambda: microphone.live)
        # Ears that have just been opened trust no score for 1.3 s.
        heard_from = clock.monotonic_s()
        await until(lambda: clock.monotonic_s() - heard_from > 1.6)
        with sound_server.play(WAV / "e2e" / "en_flite_rms_gap0.0.wav"):
            await until(lambda: bool(commands))
    finally:
        await microphone.close()
        await running
    assert isinstance(commands[0], SubmitTurn)
    assert commands[0].text == "What is the weather in Seoul tomorrow?"
    states = [event.state for _, event in events if isinstance(event, VoiceStateChanged)]
    assert states == [VoiceState.IDLE, VoiceState.LISTENING, VoiceState.TRANSCRIBING, VoiceState.THINKING]
    assert sum(isinstance(event, LevelHeard) for _, event in events) > 20
    assert first(WakeHeard) < events[-1][0]
