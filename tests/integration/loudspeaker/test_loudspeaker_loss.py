"""A loudspeaker that goes away is noticed, said and picked up again."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.loudspeaker import PortAudioLoudspeaker
from jarvis_desktop.core.items.errors import AudioUnavailableError
from tests.fakes.texts import PlainTexts
from tests.integration.loudspeaker.conftest import restart_portaudio, server_or_skip
from tests.integration.loudspeaker.sound_server import SoundServer, tone, until_heard

pytestmark = pytest.mark.real_audio


@pytest.fixture
def own_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SoundServer]:
    server = server_or_skip(tmp_path)
    monkeypatch.setenv("PULSE_SERVER", server.address)
    restart_portaudio()
    yield server
    server.stop()


@pytest.mark.voice_bug("device", "PortAudio -9985")
async def test_a_device_that_goes_away_is_noticed_and_picked_up_again(
    own_server: SoundServer,
) -> None:
    loudspeaker = PortAudioLoudspeaker(PlainTexts())
    playing = asyncio.create_task(loudspeaker.play(tone(8)))
    await asyncio.wait({playing}, timeout=0.5)
    went_s = time.monotonic()
    own_server.stop()
    with pytest.raises(AudioUnavailableError, match="stopped playing"):
        await playing
    assert time.monotonic() - went_s < 7  # not only when the tone of 8 s would have been over
    asked_s = time.monotonic()
    with pytest.raises(AudioUnavailableError, match="No loudspeaker could be opened"):
        await loudspeaker.play(tone(0.1))
    assert time.monotonic() - asked_s < 20
    own_server.start()
    recording = own_server.record()
    await loudspeaker.play(tone(0.1))
    await until_heard(recording, time.monotonic())
    assert recording.loud_span_s()
    recording.stop()
    await loudspeaker.release()
