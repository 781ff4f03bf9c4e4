"""The microphone's own behaviour, with PortAudio scripted and real time short."""

import asyncio
import threading
from array import array
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from jarvis_desktop.adapters import microphone as module
from jarvis_desktop.adapters import sound_devices, sound_queue
from jarvis_desktop.adapters.microphone import DeviceMicrophone, MicrophoneWiring
from jarvis_desktop.adapters.sound_devices import OpenInput, SoundDevices
from jarvis_desktop.core.items.events import Part
from jarvis_desktop.core.ports import Captured
from tests.fakes.clock import FakeClock
from tests.fakes.portaudio import FakePortAudio, a_device
from tests.fakes.texts import PlainTexts

BLOCK = array("h", [100] * 1280).tobytes()


@pytest.fixture(autouse=True)
def quick_endings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No scripted capture brings the block that would end it."""
    monkeypatch.setattr(sound_devices, "ENDING_S", 0.02)


@dataclass
class Setup:
    """A microphone, what it delivered and what it complained about."""

    microphone: DeviceMicrophone
    devices: "WatchedDevices"
    clock: FakeClock
    pieces: list[Captured]
    troubles: list[str | None]
    remarks: list[str]

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not holds():
                await asyncio.sleep(0.01)

    async def until_open(self, times: int) -> OpenInput:
        await self.until(lambda: len(self.devices.opened) >= times)
        return self.devices.opened[times - 1]


class WatchedDevices(SoundDevices):
    """Keeps what was opened."""

    def __init__(self, library: FakePortAudio) -> None:
        super().__init__()
        self._library = library
        self.opened: list[OpenInput] = []
        self.opening = threading.Event()
        self.before_opening: Callable[[], object] = lambda: None

    def open_input(
        self, name: str, on_sound: Callable[[bytes], None], on_end: Callable[[], None]
    ) -> OpenInput:
        self.opening.set()
        self.before_opening()
        opened = super().open_input(name, on_sound, on_end)
        self.opened.append(opened)
        return opened


@asynccontextmanager
async def listening(library: FakePortAudio, name: str = "") -> AsyncIterator[Setup]:
    clock, devices = FakeClock(), WatchedDevices(library)
    pieces: list[Captured] = []
    troubles: list[str | None] = []
    remarks: list[str] = []

    def on_trouble(part: Part, text: str | None) -> None:
        assert part is Part.MICROPHONE
        if troubles[-1:] != [text]:
            troubles.append(text)

    wiring = MicrophoneWiring(clock, PlainTexts(), on_trouble, remarks.append)
    the_microphone = DeviceMicrophone(devices, name, wiring)

    async def drain() -> None:
        async for piece in the_microphone.chunks():
            pieces.append(piece)  # noqa: PERF401 - the list must grow while the microphone runs

    draining = asyncio.create_task(drain())
    try:
        yield Setup(the_microphone, devices, clock, pieces, troubles, remarks)
    finally:
        await the_microphone.close()
        await draining


def speak(opened: OpenInput, blocks: int = 1, block: bytes = BLOCK) -> None:
    for _ in range(blocks):
        opened.stream.callback(memoryview(block), len(block) // 2, None, None)


async def test_pieces_are_80_ms_and_only_the_first_is_after_a_gap() -> None:
    async with listening(FakePortAudio([a_device("USB", 16_000)])) as s:
        speak(await s.until_open(1), 3)
        await s.until(lambda: len(s.pieces) == 3)
        assert [piece.after_gap for piece in s.pieces] == [True, False, False]
        assert all(piece.sound.pcm == BLOCK for piece in s.pieces)
        assert s.microphone.live


@pytest.mark.voice_bug("device", "Stream opens, callback never called")
async def test_a_capture_that_delivers_nothing_for_two_seconds_is_opened_again() -> None:
    async with listening(FakePortAudio([a_device("USB", 16_000)])) as s:
        first = await s.until_open(1)
        await s.clock.advance(2.1)
        await s.until(lambda: first.stream.closed)
        assert not s.microphone.live
        assert s.troubles[-1] is not None
        assert '"USB" delivers no sound' in s.troubles[-1]
        await s.clock.advance(2.0)
        speak(await s.until_open(2))
        await s.until(lambda: s.troubles[-1] is None)


async def test_a_capture_that_opens_when_nobody_wants_it_any_more_is_closed() -> None:
    devices, may_open = WatchedDevices(FakePortAudio([a_device("USB", 16_000)])), threading.Event()
    devices.before_opening = lambda: may_open.wait(5)
    wiring = MicrophoneWiring(FakeClock(), PlainTexts(), lambda _part, _text: None)
    the_microphone = DeviceMicrophone(devices, "", wiring)
    pieces = the_microphone.chunks()
    hearing = asyncio.ensure_future(anext(pieces))
    await asyncio.to_thread(devices.opening.wait, 5)

    hearing.cancel()
    await asyncio.gather(hearing, return_exceptions=True)
    may_open.set()
    await the_microphone.close()

    assert [opened.stream.closed for opened in devices.opened] == [True]


async def test_a_capture_that_ends_is_told_at_once_and_opened_again() -> None:
    async with listening(FakePortAudio([a_device("USB", 16_000)])) as s:
        first = await s.until_open(1)
        speak(first)
        await s.until(lambda: bool(s.pieces))
        first.stream.finished()
        await s.until(lambda: first.stream.closed)
        assert s.troubles[-1] is not None
        assert '"USB" went away' in s.troubles[-1]
        await s.clock.advance(2.0)
        speak(await s.until_open(2))
        await s.until(lambda: len(s.pieces) == 2)
        assert s.pieces[1].after_gap


@pytest.mark.voice_bug("device", "PortAudio -9985 Device unavailable")
@pytest.mark.voice_bug("device", "Autostart runs before PipeWire is ready")
async def test_a_busy_device_is_tried_at_most_every_two_seconds_until_it_opens() -> None:
    tries = 0

    def refuse(_device: int, _rate: int) -> int | None:
        nonlocal tries
        tries += 1
        return -9985 if tries <= 5 else None

    async with listening(FakePortAudio([a_device("USB", 16_000)], refuse=refuse)) as s:
        for expected in range(1, 6):
            await s.until(lambda expected=expected: tries == expected)  # type: ignore[misc]
            await s.until(lambda: s.troubles[-1:] != [None] and bool(s.troubles))
            await s.clock.advance(1.9)
            assert tries == expected
            await s.clock.advance(0.1)
        speak(await s.until_open(1))
        await s.until(lambda: s.troubles[-1] is None)


@pytest.mark.voice_bug("device", "Sudden 'Invalid sample rate'")
@pytest.mark.voice_bug("device", "check_input_settings passes, then open aborts")
async def test_a_device_whose_format_was_changed_is_tried_at_every_rate_with_pauses_until_it_opens() -> None:
    refused, tried = False, 0

    def refuse(_device: int, _rate: int) -> int | None:
        nonlocal tried
        tried += 1
        return -9997 if refused else None

    async with listening(FakePortAudio([a_device("USB", 16_000)], refuse=refuse)) as s:
        first = await s.until_open(1)
        speak(first)
        await s.until(lambda: bool(s.pieces))
        refused = True
        first.stream.finished()
        for attempt in range(1, 4):
            await s.until(lambda: first.stream.closed)
            await s.clock.advance(1.9)
            assert tried == 1 + 4 * (attempt - 1)
            await s.clock.advance(0.1)
            await s.until(lambda attempt=attempt: tried == 1 + 4 * attempt)  # type: ignore[misc]
            await s.until(lambda: '"USB" cannot be opened' in str(s.troubles[-1]))
        refused = False
        await s.clock.advance(2.0)
        speak(await s.until_open(2))
        await s.until(lambda: s.troubles[-1] is None)


@pytest.mark.voice_bug("device", "Bluetooth reconnect leaves dead mic")
async def test_a_device_that_returns_at_another_place_of_the_list_is_the_same_device() -> None:
    headset = a_device("Headset", 16_000)
    library = FakePortAudio([a_device("Other", 16_000), headset])
    async with listening(library, "Headset") as s:
        first = await s.until_open(1)
        library.later = [headset, a_device("Other", 16_000)]
        first.stream.finished()
        await s.until(lambda: first.stream.closed)
        await s.clock.advance(5.0)
        second = await s.until_open(2)
        assert (first.device.index, second.device.index) == (1, 0)
        assert second.device.name == "Headset"
        assert s.remarks == []


@pytest.mark.voice_bug("device", "Opening BT mic switches headphones")
async def test_it_is_explained_once_why_a_headset_or_a_wish_is_not_used() -> None:
    headset, built_in = a_device("WH-1000 Hands-Free", 16_000), a_device("Built-in", 16_000)
    async with listening(FakePortAudio([headset, built_in])) as s:
        for times in (1, 2):
            opened = await s.until_open(times)
            opened.stream.finished()
            await s.until(lambda opened=opened: opened.stream.closed)  # type: ignore[misc]
            await s.clock.advance(2.0)
        s.microphone.use("USB")
        await s.until_open(4)
        await s.until(lambda: len(s.remarks) == 2)
    assert [remark.partition(":")[0].partition(".")[0] for remark in s.remarks] == [
        'Listening through "Built-in"',
        'The microphone "USB" is not there or in use by another program',
    ]


@pytest.mark.voice_bug("memory_cpu", "Memory grows during silence")
async def test_ten_minutes_that_nobody_takes_are_ten_seconds_of_memory() -> None:
    queue = sound_queue.BlockQueue(asyncio.get_running_loop())
    for _ in range(7500):
        queue.put(BLOCK)
    assert (len(queue.blocks), queue.dropped) == (125, 7375)


@pytest.mark.voice_bug("memory_cpu", "Memory grows during silence")
async def test_a_consumer_that_falls_behind_loses_the_oldest_and_is_told_of_the_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sound_queue, "QUEUE_BLOCKS", 10)
    async with listening(FakePortAudio([a_device("USB", 16_000)])) as s:
        opened = await s.until_open(1)
        speak(opened)
        await s.until(lambda: len(s.pieces) == 1)
        speak(opened, 100)
        await s.until(lambda: len(s.pieces) == 11)
        assert [piece.after_gap for piece in s.pieces[1:]] == [True] + [False] * 9


@pytest.mark.voice_bug("echo_followup", "Mic still listening after the call is closed")
async def test_muting_closes_the_device_and_unmuting_opens_it_at_once() -> None:
    async with listening(FakePortAudio([a_device("USB", 16_000)])) as s:
        first = await s.until_open(1)
        s.microphone.set_muted(muted=True)
        await s.until(lambda: first.stream.closed)
        assert not s.microphone.live
        s.microphone.set_muted(muted=False)
        await s.until_open(2)


async def test_a_rest_closes_the_device_before_it_returns_and_muted_stays_muted_after_it() -> None:
    async with listening(FakePortAudio([a_device("USB", 16_000)])) as s:
        first = await s.until_open(1)
        await s.microphone.rest()
        assert (first.stream.closed, s.microphone.live) == (True, False)
        s.microphone.wake()
        second = await s.until_open(2)
        s.microphone.set_muted(muted=True)
        await s.microphone.rest()
        assert second.stream.closed
        s.microphone.wake()
        await s.clock.advance(5.0)
        assert len(s.devices.opened) == 2


@pytest.mark.voice_bug("device", "Autostart runs before PipeWire is ready")
async def test_a_microphone_that_is_not_there_yet_is_waited_for_and_later_missed() -> None:
    library = FakePortAudio([])
    async with listening(library) as s:
        await s.until(lambda: bool(s.troubles))
        assert s.troubles == [
            "Waiting for audio: no microphone was found. "
            "I listen as soon as there is a microphone; please type meanwhile."
        ]
        for wait_s in (*[2.0] * 29, 5.0):
            looks = library.looks
            await s.clock.advance(wait_s)
            await s.until(lambda looks=looks: library.looks > looks)  # type: ignore[misc]
        await s.until(lambda: len(s.troubles) == 2)
        assert str(s.troubles[-1]).startswith("The microphone cannot be heard: no microphone was found.")
        library.devices = [a_device("USB", 16_000)]
        await s.clock.advance(2.0)
        assert s.devices.opened == []  # after a minute the tries are rarer
        await s.clock.advance(3.0)
        speak(await s.until_open(1))
        await s.until(lambda: s.troubles[-1] is None)


@pytest.mark.voice_bug("device", "Saved mic overwritten by the fallback")
async def test_the_saved_microphone_is_used_again_when_it_is_plugged_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards = "built-in"
    monkeypatch.setattr(module, "_cards", lambda: cards)
    library = FakePortAudio([a_device("built-in", 16_000)])
    async with listening(library, "USB") as s:
        assert (await s.until_open(1)).device.name == "built-in"
        library.later = [a_device("built-in", 16_000), a_device("USB", 16_000)]
        cards = "built-in, USB"
        await s.until(lambda: s.devices.opened[0].stream.closed)
        await s.clock.advance(2.0)
        assert (await s.until_open(2)).device.name == "USB"


async def test_zeros_bring_the_hint_about_permission_and_sound_takes_it_back() -> None:
    async with listening(FakePortAudio([a_device("USB", 48_000)])) as s:
        opened = await s.until_open(1)
        speak(opened, 40, bytes(7680))
        await s.until(lambda: bool(s.troubles) and s.troubles[-1] is not None)
        assert "permission" in str(s.troubles[-1])
        assert s.microphone.live
        speak(opened, 1, array("h", [50] * 3840).tobytes())
        await s.until(lambda: s.troubles[-1] is None)
