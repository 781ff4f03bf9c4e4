"""Choosing and opening devices, with PortAudio's answers scripted."""

import threading
import weakref

import pytest

from jarvis_desktop.adapters.sound_devices import STREAMS, SoundDevices, SoundOpenError, SoundTrouble
from tests.fakes.portaudio import FakePortAudio, a_device


@pytest.fixture(autouse=True)
def streams_of_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams that other tests left open are not this one's."""
    monkeypatch.setattr(STREAMS, "_streams", weakref.WeakSet())


def devices_on(library: FakePortAudio) -> SoundDevices:
    devices = SoundDevices()
    devices._library = library
    return devices


def ignore_sound(_block: bytes) -> None:
    return


def ignore_end() -> None:
    return


def test_a_device_is_opened_at_its_own_rate() -> None:
    library = FakePortAudio([a_device("USB", 44_100)])
    opened = devices_on(library).open_input("", ignore_sound, ignore_end)
    assert library.opened == [(0, 44_100, 1)]
    assert (opened.rate_hz, opened.channels, opened.wished) == (44_100, 1, True)


@pytest.mark.voice_bug("device", "App wants 48 kHz but BT headset mic is 16 kHz only")
@pytest.mark.parametrize("only_hz", [16_000, 8_000])
def test_a_device_that_lies_about_its_rate_is_opened_at_the_one_it_takes(only_hz: int) -> None:
    library = FakePortAudio([a_device("headset")], refuse=lambda _d, rate: None if rate == only_hz else -9997)
    assert devices_on(library).open_input("", ignore_sound, ignore_end).rate_hz == only_hz


@pytest.mark.voice_bug("device", "Sudden 'Invalid sample rate'")
def test_a_device_that_refuses_every_rate_is_an_error_that_names_it() -> None:
    library = FakePortAudio([a_device("broken")], refuse=lambda _d, _rate: -9997)
    with pytest.raises(SoundOpenError) as raised:
        devices_on(library).open_input("", ignore_sound, ignore_end)
    assert (raised.value.trouble, raised.value.device) == (SoundTrouble.REFUSED, "broken")


@pytest.mark.voice_bug("device", "PortAudio -9985 Device unavailable")
def test_a_busy_device_is_tried_once_and_said_to_be_busy() -> None:
    library = FakePortAudio([a_device("USB")], refuse=lambda _d, _rate: -9985)
    with pytest.raises(SoundOpenError) as raised:
        devices_on(library).open_input("", ignore_sound, ignore_end)
    assert raised.value.trouble is SoundTrouble.BUSY
    assert len(library.opened) == 1


def test_no_device_that_records_is_an_error() -> None:
    with pytest.raises(SoundOpenError) as raised:
        devices_on(FakePortAudio([a_device("speaker", inputs=0)])).open_input("", ignore_sound, ignore_end)
    assert raised.value.trouble is SoundTrouble.NO_DEVICE


@pytest.mark.voice_bug("device", "Saved mic overwritten by the fallback")
def test_the_saved_device_is_taken_by_name_and_a_stand_in_is_marked_as_one() -> None:
    library = FakePortAudio([a_device("built-in"), a_device("USB PnP Audio: 2")])
    devices = devices_on(library)
    assert devices.open_input("USB PnP", ignore_sound, ignore_end).device.name == "USB PnP Audio: 2"
    stand_in = devices.open_input("Bluetooth", ignore_sound, ignore_end)
    assert (stand_in.device.name, stand_in.wished) == ("built-in", False)


@pytest.mark.voice_bug("device", "Device list frozen at start")
@pytest.mark.voice_bug("device", "Bluetooth reconnect leaves dead mic")
def test_devices_are_looked_for_anew_only_while_nothing_of_ours_is_open() -> None:
    library = FakePortAudio([a_device("built-in")], later=[a_device("other"), a_device("USB")])
    devices = devices_on(library)
    opened = devices.open_input("", ignore_sound, ignore_end)
    assert not devices.rescan()
    devices.close_input(opened)
    somebody_elses = library.RawInputStream(
        device=0, samplerate=48_000, channels=1, callback=ignore_sound, finished_callback=ignore_end
    )
    STREAMS.add(somebody_elses)
    assert not devices.rescan()
    somebody_elses.close()
    assert library.looks == 0
    assert devices.rescan()
    assert [device.name for device in devices.inputs()] == ["other", "USB"]
    assert opened.stream.closed


def test_only_the_bytes_leave_the_callback() -> None:
    blocks: list[bytes] = []
    opened = devices_on(FakePortAudio([a_device("USB")])).open_input("", blocks.append, ignore_end)
    opened.stream.callback(memoryview(b"\1\0\2\0"), 2, None, None)
    assert blocks == [b"\1\0\2\0"]


@pytest.mark.voice_bug("device", "Opening BT mic switches headphones")
def test_a_bluetooth_headset_records_only_when_it_was_chosen_or_is_all_there_is() -> None:
    headset, built_in = a_device("WH-1000 Hands-Free AG Audio"), a_device("Built-in Microphone")
    both, alone = devices_on(FakePortAudio([headset, built_in])), devices_on(FakePortAudio([headset]))
    assert both.open_input("", ignore_sound, ignore_end).device.name == "Built-in Microphone"
    assert both.open_input("WH-1000", ignore_sound, ignore_end).device.name == headset["name"]
    assert alone.open_input("", ignore_sound, ignore_end).device.name == headset["name"]


def test_a_running_stream_ends_from_its_own_callback_and_is_never_aborted() -> None:
    blocks: list[bytes] = []
    devices = devices_on(FakePortAudio([a_device("USB")]))
    opened = devices.open_input("", blocks.append, ignore_end)
    closing = threading.Thread(target=devices.close_input, args=(opened,))
    closing.start()
    while not opened.ending.wished:
        closing.join(0.01)
    opened.stream.deliver(b"\1\0")
    closing.join(5)
    stream = opened.stream
    assert (blocks, stream.joined, stream.aborted, stream.closed) == ([], True, False, True)


def test_a_stream_that_brings_no_more_blocks_is_closed_all_the_same() -> None:
    devices = devices_on(FakePortAudio([a_device("USB")]))
    opened = devices.open_input("", ignore_sound, ignore_end)
    devices.close_input(opened)
    assert (opened.stream.aborted, opened.stream.closed) == (True, True)
