"""The microphone on a real sound server that is taken away, frozen and given back."""

import asyncio
import time

import pytest

from jarvis_desktop.adapters.output_stream import open_output
from jarvis_desktop.adapters.sound_devices import SoundDevices
from jarvis_desktop.core.voice.loudness import dbfs
from tests.integration.audio.listener import listening
from tests.parts.audio import SoundServer
from tests.parts.speech import WAV

pytestmark = pytest.mark.real_audio

NOTICED_S = 3.0


@pytest.fixture(scope="module")
def devices() -> SoundDevices:
    return SoundDevices()


async def test_speech_into_the_microphone_arrives_in_real_time_at_16_khz(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    async with listening(devices) as heard:
        await heard.until_sound()
        with sound_server.play(WAV / "wake" / "flite_rms.wav") as player:
            await heard.until(lambda: any(dbfs(piece.sound.pcm) > -40 for piece in heard.pieces))
            await heard.until(lambda: player.poll() is not None)
        count, began = len(heard.pieces), time.monotonic()
        await heard.until(lambda: len(heard.pieces) >= count + 20)
        assert time.monotonic() - began > 20 * 0.08 - 0.4  # no faster than real time
        assert all(len(piece.sound.pcm) == 2560 for piece in heard.pieces)
        assert [piece.after_gap for piece in heard.pieces] == [True] + [False] * (len(heard.pieces) - 1)


async def test_a_sound_server_that_dies_is_noticed_and_used_again_when_it_is_back(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    async with listening(devices) as heard:
        await heard.until_sound()
        sound_server.kill()
        assert await heard.until_trouble() <= NOTICED_S
        assert not heard.microphone.live
        sound_server.start()
        await heard.until(lambda: sum(piece.after_gap for piece in heard.pieces) == 2)
        assert heard.troubles[-1][1] is None


async def test_an_unplugged_microphone_is_noticed_and_used_again_when_it_is_back(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    async with listening(devices) as heard:
        await heard.until_sound()
        # With its sinks gone there is no monitor either that the server could offer instead.
        sound_server.unload("module-remap-source")
        sound_server.unload("module-null-sink")
        assert await heard.until_trouble() <= NOTICED_S
        for name in ("mic_sink", "speaker"):
            sound_server.control(
                "load-module", "module-null-sink", f"sink_name={name}", "rate=48000", "norewinds=1"
            )
        sound_server.control(
            "load-module", "module-remap-source", "source_name=vmic", "master=mic_sink.monitor"
        )
        sound_server.control("set-default-source", "vmic")
        await heard.until(lambda: heard.microphone.live)


@pytest.mark.voice_bug("device", "Stream opens, callback never called")
async def test_a_frozen_sound_server_is_noticed_and_nothing_else_freezes(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    async with listening(devices) as heard:
        await heard.until_sound()
        sound_server.freeze()
        assert await heard.until_trouble() <= NOTICED_S
        sound_server.thaw()
        await heard.until(lambda: heard.microphone.live)


@pytest.mark.voice_bug("device", "Autostart runs before PipeWire is ready")
async def test_a_sound_server_that_comes_late_is_found_without_anybody_doing_anything(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    sound_server.kill()
    async with listening(devices) as heard:
        assert await heard.until_trouble() <= NOTICED_S
        sound_server.start()
        await heard.until(lambda: heard.microphone.live)


@pytest.mark.voice_bug("device", "App wants 48 kHz but BT headset mic is 16 kHz only")
@pytest.mark.parametrize("rate_hz", [8_000, 96_000])
async def test_a_device_of_another_rate_is_heard_all_the_same(
    rate_hz: int, sound_server: SoundServer, devices: SoundDevices
) -> None:
    sound_server.kill()
    sound_server.start(rate_hz)
    async with listening(devices) as heard:
        await heard.until_sound()
        with sound_server.play(WAV / "wake" / "flite_rms.wav") as player:
            await heard.until(lambda: any(dbfs(piece.sound.pcm) > -40 for piece in heard.pieces))
            await heard.until(lambda: player.poll() is not None)


async def test_muting_really_closes_the_recording_and_unmuting_opens_it(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    def recordings() -> int:
        listed = sound_server.control("list", "source-outputs").splitlines()
        return sum("alsa" in line.lower() and "application.name" in line for line in listed)

    async with listening(devices) as heard:
        await heard.until_sound()
        assert recordings() == 1
        heard.microphone.set_muted(muted=True)
        await heard.until(lambda: recordings() == 0)
        heard.microphone.set_muted(muted=False)
        await heard.until_sound()
        assert recordings() == 1


@pytest.mark.voice_bug("device", "ALSA prints flood stderr")
async def test_a_missing_sound_server_does_not_flood_the_terminal(
    sound_server: SoundServer, devices: SoundDevices, capfd: pytest.CaptureFixture[str]
) -> None:
    sound_server.kill()
    async with listening(devices) as heard:
        await heard.until_trouble()
        count = len(heard.troubles)
        await heard.until(lambda: len(heard.troubles) >= count + 1)
    assert len(capfd.readouterr().err.splitlines()) < 10


async def test_looking_for_devices_anew_waits_for_an_open_loudspeaker(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    await asyncio.to_thread(devices.library)
    assert await asyncio.to_thread(devices.rescan)
    idle = await asyncio.to_thread(open_output, "", lambda _out, _times: False, lambda: None)
    assert not await asyncio.to_thread(devices.rescan)
    await asyncio.to_thread(idle.close)
    assert await asyncio.to_thread(devices.rescan)
    assert sound_server.control("info")


async def test_another_microphone_is_heard_without_a_new_start(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    async with listening(devices) as heard:
        await heard.until_sound()
        # ALSA's own name for the sound server: the same sound by another door.
        assert "pulse" in [device.name for device in devices.inputs()]
        heard.microphone.use("pulse")
        await heard.until(lambda: [piece.after_gap for piece in heard.pieces].count(True) == 2)
        heard.microphone.use("pulse")
        count = len(heard.pieces)
        await heard.until(lambda: len(heard.pieces) > count + 5)
        assert [piece.after_gap for piece in heard.pieces].count(True) == 2
