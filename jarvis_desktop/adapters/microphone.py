"""The microphone: one capture that stays open, and comes back by itself after every kind of trouble."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, closing
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.adapters.microphone_watch import CardWatch, SilenceWatch
from jarvis_desktop.adapters.microphone_words import other_device, why_not_open
from jarvis_desktop.adapters.resampler import Resampler
from jarvis_desktop.adapters.sound_devices import BLOCK_S, OpenInput, SoundDevices, SoundOpenError
from jarvis_desktop.adapters.sound_queue import BlockQueue
from jarvis_desktop.core.items.events import Part
from jarvis_desktop.core.items.speech import SAMPLE_RATE_HZ, Sound
from jarvis_desktop.core.ports import Captured, Clock, Texts

log = logging.getLogger(__name__)

PIECE_BYTES = int(SAMPLE_RATE_HZ * BLOCK_S) * 2
STALL_S = 2.0
"""No callback for this long: under PipeWire streams were seen that opened and never delivered."""
RETRY_S = 2.0
PATIENT_TRIES = 30
"""Then the tries become rarer: looking for devices costs a little each time."""
PATIENT_RETRY_S = 5.0
STARTING_S = 60.0
"""At login programs start before the sound system; so long that is waiting, and no trouble yet."""
ANSWER_S = 2.5
"""The sound system has this long to open or close; then it is told, and waited for on."""
CARDS = Path("/proc/asound/cards")


@dataclass(frozen=True, slots=True)
class MicrophoneWiring:
    """What the microphone is connected to."""

    clock: Clock
    texts: Texts
    on_trouble: Callable[[Part, str | None], None]
    """Called on the loop; None when all is well again."""
    on_remark: Callable[[str], None] = lambda _text: None
    """Called on the loop, with a sentence that is no trouble."""


class DeviceMicrophone:
    """Fills ``Microphone``. Never closed while not muted: opening on demand costs the first word."""

    def __init__(self, devices: SoundDevices, name: str, wiring: MicrophoneWiring) -> None:
        self._devices = devices
        self._name = self._opening = name
        """The device that is wished for, and the one that the open capture was made for."""
        self._clock = wiring.clock
        self._texts = wiring.texts
        self._on_trouble = wiring.on_trouble
        self._on_remark = wiring.on_remark
        self._remarked = ""
        self._muted = False
        self._resting = False
        self._closed = False
        self._live = False
        self._free = asyncio.Event()
        """No device is open or being opened."""
        self._free.set()
        self._misses = 0
        """Tries in a row that failed."""
        self._silence_told_in = self._texts.language
        self._heard = False
        """Some sound has come since the start."""
        self._began_s = wiring.clock.monotonic_s()
        self._changed = asyncio.Event()
        self._hanging: asyncio.Future[object] | None = None
        self._tried_at_s = float("-inf")
        self._cards = CardWatch("")
        self._ended = asyncio.Event()
        self._ended.set()

    @property
    def live(self) -> bool:
        """Sound is arriving."""
        return self._live

    @property
    def _shut(self) -> bool:
        """No device may be open."""
        return self._muted or self._resting

    def set_muted(self, *, muted: bool) -> None:
        """Close the device for real, or open it again."""
        self._muted = muted
        self._tried_at_s = float("-inf")
        self._changed.set()
        if muted:
            self._live = False
            self._on_trouble(Part.MICROPHONE, None)

    def use(self, name: str) -> None:
        """Hear through the device called ``name`` from now on; empty is the system's default."""
        if name != self._name:
            self._name = name
            self._tried_at_s = float("-inf")
            self._changed.set()

    async def rest(self) -> None:
        """Close the device until ``wake``, whatever is muted; returns when it is closed."""
        self._resting = True
        self._live = False
        self._changed.set()
        await self._free.wait()

    def wake(self) -> None:
        """Open the device again, unless it is muted."""
        self._resting = False
        self._tried_at_s = float("-inf")
        self._changed.set()

    async def close(self) -> None:
        """Close the device, also one that is just being opened; ``chunks`` ends."""
        self._closed = True
        self._changed.set()
        await self._ended.wait()
        await self._answers()

    async def chunks(self) -> AsyncIterator[Captured]:
        """80 ms pieces, across every loss of the device, until ``close``."""
        self._ended.clear()
        try:
            while not self._closed:
                self._changed.clear()
                if self._shut:
                    self._free.set()
                    await self._changed.wait()
                    continue
                self._free.clear()
                queue = BlockQueue(asyncio.get_running_loop())
                opened = await self._open(queue)
                if opened is None:
                    continue
                try:
                    async with aclosing(self._pieces(opened, queue)) as pieces:
                        async for piece in pieces:
                            yield piece
                finally:
                    self._live = False
                    await self._close_device(opened)
        finally:
            self._free.set()
            self._ended.set()

    async def _open(self, queue: BlockQueue) -> OpenInput | None:
        """The running capture; None when it could not be had, which was told."""
        retry_s = RETRY_S if self._misses < PATIENT_TRIES else PATIENT_RETRY_S
        await self._wait(self._tried_at_s + retry_s - self._clock.monotonic_s())
        if self._closed or self._shut or not await self._answers():
            return None
        self._tried_at_s = self._clock.monotonic_s()
        self._opening = name = self._name
        # Before the look: what is plugged in during it must not go unnoticed.
        self._cards = CardWatch(_cards())

        def open_device() -> OpenInput:
            self._devices.library()
            self._devices.rescan()
            return self._devices.open_input(name, queue.put, queue.end)

        attempt = in_daemon(open_device, "microphone-open")
        try:
            opened = await asyncio.wait_for(asyncio.shield(attempt), ANSWER_S)
        except SoundOpenError as error:
            self._tell_lost(why_not_open(error, self._texts))
            return None
        except asyncio.CancelledError:
            # A capture that nobody holds is freed with its callback, which PortAudio goes on calling.
            self._hanging = asyncio.ensure_future(self._close_late(attempt))
            raise
        except TimeoutError:
            self._hanging = asyncio.ensure_future(self._close_late(attempt))
            self._tell_lost(self._texts("the sound system does not answer"))
            return None
        self._remark(other_device(opened, name, self._texts))
        return opened

    def _remark(self, text: str) -> None:
        if text and text != self._remarked:
            self._on_remark(text)
        self._remarked = text

    async def _close_late(self, attempt: asyncio.Future[OpenInput]) -> object:
        """An opening that came after its time is closed again."""
        try:
            opened = await attempt
        except SoundOpenError:
            return None
        return await in_daemon(lambda: self._devices.close_input(opened), "microphone-close")

    async def _close_device(self, opened: OpenInput) -> None:
        self._hanging = in_daemon(lambda: self._devices.close_input(opened), "microphone-close")
        await self._answers()

    async def _answers(self) -> bool:
        """Whether the last call into the sound system has come back."""
        if self._hanging is None:
            return True
        done, _ = await asyncio.wait({self._hanging}, timeout=ANSWER_S)
        if done:
            self._hanging = None
        else:
            self._tell_lost(self._texts("the sound system does not answer"))
        return bool(done)

    async def _pieces(self, opened: OpenInput, queue: BlockQueue) -> AsyncGenerator[Captured, None]:
        """Pieces until the device ends, stalls, should be another one, or is muted."""
        with closing(Resampler(opened.rate_hz, opened.channels)) as resampler:
            watch = SilenceWatch()
            rest = bytearray()
            heard_at_s = self._clock.monotonic_s()
            dropped = 0
            gap = True
            while not self._over(opened, queue, heard_at_s):
                await queue.wait()
                while queue.blocks:
                    heard_at_s = self._clock.monotonic_s()
                    block = queue.blocks.popleft()
                    self._note_sound(watch, block)  # before resampling, which dithers zeros into noise
                    rest += resampler.feed(block)
                    while len(rest) >= PIECE_BYTES:
                        pcm = bytes(rest[:PIECE_BYTES])
                        del rest[:PIECE_BYTES]
                        gap, dropped = gap or queue.dropped > dropped, queue.dropped
                        yield Captured(Sound(pcm), heard_at_s - len(queue.blocks) * BLOCK_S, after_gap=gap)
                        gap = False

    def _over(self, opened: OpenInput, queue: BlockQueue, heard_at_s: float) -> bool:
        """Whether this capture is to be given up, and says so when it is lost."""
        if self._closed or self._shut or self._name != self._opening:
            return True
        if queue.ended:
            self._tell_lost(self._texts('"{name}" went away').format(name=opened.device.name))
            return True
        if self._clock.monotonic_s() - heard_at_s > STALL_S:
            self._tell_lost(self._texts('"{name}" delivers no sound').format(name=opened.device.name))
            return True
        return self._cards.gives_way(opened.device.name, wished=opened.wished, cards=_cards())

    def _note_sound(self, watch: SilenceWatch, pcm: bytes) -> None:
        changed = watch.hear(pcm, BLOCK_S)
        if watch.hint and (changed or self._silence_told_in is not self._texts.language):
            self._silence_told_in = self._texts.language
            text = self._texts(
                "The microphone delivers nothing but silence. "
                "Check its mute switch and the system's microphone permission."
            )
            self._on_trouble(Part.MICROPHONE, text)
        elif changed or not self._live:
            self._on_trouble(Part.MICROPHONE, None)
        self._live = self._heard = True
        self._misses = 0

    def _tell_lost(self, what: str) -> None:
        self._live = False
        self._misses += 1
        log.warning("microphone lost")
        if not self._heard and self._clock.monotonic_s() - self._began_s < STARTING_S:
            text = self._texts(
                "Waiting for audio: {what}. I listen as soon as there is a microphone; please type meanwhile."
            )
        else:
            text = self._texts(
                "The microphone cannot be heard: {what}. "
                "I listen again as soon as it is back; please type meanwhile."
            )
        self._on_trouble(Part.MICROPHONE, text.format(what=what))

    async def _wait(self, seconds: float) -> None:
        """Wait, unless something changes first."""
        if seconds <= 0:
            return
        sleeping = asyncio.ensure_future(self._clock.sleep(seconds))
        changing = asyncio.ensure_future(self._changed.wait())
        try:
            await asyncio.wait({sleeping, changing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            changing.cancel()


def _cards() -> str:
    """The sound cards that the kernel knows; changes when one is plugged in or out."""
    try:
        return CARDS.read_text("utf-8", "replace")
    except OSError:
        return ""
