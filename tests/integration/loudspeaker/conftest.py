"""A sound server for the tests of this folder."""

import contextlib
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.loudspeaker import PortAudioLoudspeaker
from tests.fakes.texts import PlainTexts
from tests.integration.loudspeaker.sound_server import Recording, SoundServer


def restart_portaudio() -> None:
    """PortAudio lists devices when it starts; make it look again."""
    import sounddevice

    with contextlib.suppress(sounddevice.PortAudioError):
        sounddevice._terminate()
    sounddevice._initialize()


def server_or_skip(folder: Path) -> SoundServer:
    """A running server; the reason where there cannot be one."""
    if not shutil.which("pulseaudio"):
        reason = "needs pulseaudio: sudo apt install pulseaudio pulseaudio-utils libasound2-plugins"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    server = SoundServer(folder)
    server.start()
    return server


@pytest.fixture(scope="module")
def sound_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SoundServer]:
    server = server_or_skip(tmp_path_factory.mktemp("sound"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PULSE_SERVER", server.address)
        restart_portaudio()
        yield server
        server.stop()
    restart_portaudio()


@pytest.fixture
async def loudspeaker(sound_server: SoundServer) -> AsyncIterator[PortAudioLoudspeaker]:
    made = PortAudioLoudspeaker(PlainTexts())
    yield made
    await made.release()


@pytest.fixture
def recording(sound_server: SoundServer) -> Iterator[Recording]:
    made = sound_server.record()
    yield made
    made.stop()
