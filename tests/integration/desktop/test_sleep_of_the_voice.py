"""The real microphone on a real sound server while a real bus announces a sleep."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.logind import sleep_changes
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.sleep_care import SleepCare
from jarvis_desktop.app.voice_parts import VoiceWiring
from jarvis_desktop.app.voice_switch import open_voice
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.settings import Settings
from tests.integration.desktop.waiting import comes_true
from tests.parts.audio import SoundServer
from tests.parts.fake_logind import FakeLogind


@pytest.mark.real_audio
async def test_before_the_sleep_the_microphone_is_closed_and_after_it_open_again(
    sound_server: SoundServer, private_bus: str, tmp_path: Path
) -> None:
    def records() -> bool:
        return "alsa" in sound_server.control("list", "source-outputs").lower()

    async def in_time(wanted: Callable[[], bool], what: str) -> None:
        await asyncio.to_thread(comes_true, wanted, what)

    async def emit(event: Event) -> None:
        del event

    clock = SystemClock()
    start = Start(tmp_path, Settings.model_validate({}), Catalog(Language.ENGLISH))
    voice = open_voice(start, VoiceWiring(clock, lambda _: None, emit))
    with closing(FakeLogind(private_bus)) as logind:
        care = SleepCare(lambda: sleep_changes(private_bus), (voice,), clock)
        running = [asyncio.create_task(work) for work in (voice.run(), care.run())]
        try:
            await in_time(lambda: records() and logind.held() == 1, "the microphone is open")
            logind.announce(begins=True)
            await in_time(lambda: logind.held() == 0, "we are ready for the sleep")
            assert not records()
            logind.announce(begins=False)
            await in_time(records, "the microphone is open again")
        finally:
            await voice.close()
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
