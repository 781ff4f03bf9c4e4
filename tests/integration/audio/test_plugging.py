"""Microphones that are plugged in and out, taken by others, and muted, on a real sound server."""

from collections.abc import Callable

import pytest

from jarvis_desktop.adapters.sound_devices import OpenInput, SoundDevices, SoundOpenError, SoundTrouble
from tests.integration.audio.listener import listening
from tests.parts.audio import SoundServer
from tests.parts.sound_cards import SoundCards

pytestmark = pytest.mark.real_audio

USB = "USB 마이크"
STAND_IN = (
    f'The microphone "{USB}" is not there or in use by another program. Listening through "default" '
    "until it is plugged in again; the setting stays."
)


@pytest.fixture(scope="module")
def devices() -> SoundDevices:
    return SoundDevices()


@pytest.mark.voice_bug("device", "Device list frozen at start")
@pytest.mark.voice_bug("device", "Saved mic overwritten by the fallback")
@pytest.mark.voice_bug("device", "Bluetooth reconnect leaves dead mic")
async def test_the_wished_microphone_is_used_whenever_it_is_plugged_in_wherever_it_stands_in_the_list(
    sound_cards: SoundCards, devices: SoundDevices
) -> None:
    async with listening(devices, USB) as heard:
        await heard.until(lambda: sound_cards.recorded() == ["vmic"])
        sound_cards.plug_in(USB)
        await heard.until(lambda: sound_cards.recorded() == ["card1.monitor"])
        sound_cards.pull_out(USB)
        await heard.until(lambda: sound_cards.recorded() == ["vmic"])
        await heard.until_sound(pieces=5)
        sound_cards.plug_in(USB, first=True)
        await heard.until(lambda: sound_cards.recorded() == ["card1.monitor"])
        await heard.until_sound()
    assert heard.remarks == [STAND_IN]


@pytest.mark.voice_bug("device", "Any device change kills the audio engine")
async def test_another_loudspeaker_does_not_touch_the_microphone(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    async with listening(devices) as heard:
        await heard.until_sound()
        recording = sound_server.control("list", "short", "source-outputs")
        sound_server.control("load-module", "module-null-sink", "sink_name=headphones", "norewinds=1")
        sound_server.control("set-default-sink", "headphones")
        for line in sound_server.control("list", "short", "modules").splitlines():
            if "sink_name=speaker " in line:
                sound_server.control("unload-module", line.partition("\t")[0])
        count = len(heard.pieces)
        await heard.until(lambda: len(heard.pieces) > count + 10)
        assert sound_server.control("list", "short", "source-outputs") == recording
    assert sum(piece.after_gap for piece in heard.pieces) == 1


@pytest.mark.voice_bug("device", "PortAudio -9985 Device unavailable")
async def test_a_microphone_that_another_program_holds_is_told_and_used_when_it_is_free(
    sound_cards: SoundCards, devices: SoundDevices
) -> None:
    sound_cards.plug_in_a_device_that_can_be_taken(USB)
    sound_cards.take(taken=True)
    async with listening(devices, USB) as heard:
        await heard.until_sound()
        assert sound_cards.recorded() == ["vmic"]
        assert heard.remarks == [STAND_IN]
        sound_cards.take(taken=False)
        heard.microphone.set_muted(muted=True)
        await heard.until(lambda: not sound_cards.recorded())
        heard.microphone.set_muted(muted=False)
        await heard.until(lambda: sound_cards.recorded() == ["taken_sink.monitor"])
        await heard.until_sound()
        assert len(heard.remarks) == 1


@pytest.mark.voice_bug("device", "PortAudio -9985 Device unavailable")
def test_a_device_that_is_taken_after_the_look_is_said_to_be_taken(
    sound_cards: SoundCards, devices: SoundDevices
) -> None:
    sound_cards.plug_in_a_device_that_can_be_taken(USB)
    devices.library()
    assert devices.rescan()
    sound_cards.take(taken=True)
    with pytest.raises(SoundOpenError) as raised:
        devices.open_input(USB, lambda _block: None, lambda: None)
    assert (raised.value.trouble, raised.value.device) == (SoundTrouble.BUSY, USB)


async def test_a_source_that_the_server_suspends_is_told_and_used_when_it_goes_on(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    async with listening(devices) as heard:
        await heard.until_sound()
        sound_server.control("suspend-source", "vmic", "1")
        await heard.until_trouble()
        assert "delivers no sound" in str(heard.troubles[-1][1])
        sound_server.control("suspend-source", "vmic", "0")
        await heard.until(lambda: heard.microphone.live)


@pytest.mark.voice_bug("permission", "Records zeros when started from Finder")
async def test_a_microphone_that_delivers_only_zeros_brings_a_hint_that_says_what_to_do(
    sound_server: SoundServer, devices: SoundDevices
) -> None:
    sound_server.control("set-source-mute", "vmic", "1")
    async with listening(devices) as heard:
        await heard.until_trouble()
    assert heard.troubles[-1][1] == (
        "The microphone delivers nothing but silence. "
        "Check its mute switch and the system's microphone permission."
    )


@pytest.mark.voice_bug("device", "Audio worker death leaves app dead")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_an_error_in_the_audio_thread_ends_one_capture_and_not_the_hearing(
    sound_server: SoundServer, capfd: pytest.CaptureFixture[str]
) -> None:
    class FaultyDevices(SoundDevices):
        """The first capture dies with its tenth block."""

        captures = 0

        def open_input(
            self, name: str, on_sound: Callable[[bytes], None], on_end: Callable[[], None]
        ) -> OpenInput:
            self.captures += 1
            blocks = 0

            def faulty(block: bytes) -> None:
                nonlocal blocks
                blocks += 1
                if self.captures == 1 and blocks == 10:
                    raise RuntimeError("the audio thread is broken")
                on_sound(block)

            return super().open_input(name, faulty, on_end)

    devices = FaultyDevices()
    async with listening(devices) as heard:
        await heard.until(lambda: devices.captures == 2 and heard.microphone.live)
        await heard.until_sound()
    assert "went away" in str(next(text for _, text in heard.troubles if text))
    assert sum(piece.after_gap for piece in heard.pieces) == 2
    assert sound_server.control("info")
    capfd.readouterr()
