"""A sounddevice module for tests: devices, rates and refusals are the test's."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


class PortAudioError(Exception):
    """As in sounddevice: (text, code)."""


class CallbackAbort(Exception):  # noqa: N818 - sounddevice's name
    """As in sounddevice: raised by a callback that wants no more blocks."""


@dataclass(eq=False)
class FakeStream:
    """A running capture."""

    callback: Callable[..., None]
    finished: Callable[[], None]
    closed: bool = False
    joined: bool = False
    aborted: bool = False

    def start(self) -> None:
        return

    def stop(self) -> None:
        self.joined = True

    def abort(self) -> None:
        self.aborted = True

    def close(self) -> None:
        self.closed = True

    def deliver(self, block: bytes) -> None:
        """One block arrives, as PortAudio would bring it: an end that the callback asks for is told."""
        try:
            self.callback(block, len(block) // 2, None, None)
        except CallbackAbort:
            self.finished()


@dataclass
class FakePortAudio:
    """The part of sounddevice that we use."""

    devices: list[dict[str, Any]]
    later: list[dict[str, Any]] | None = None
    """What a new look finds."""
    refuse: Callable[[int, int], int | None] = lambda _device, _rate: None
    """The error code for opening a device at a rate; None opens it."""
    opened: list[tuple[int, int, int]] = field(default_factory=list)
    """(device, rate, channels) of every attempt."""
    looks: int = 0
    PortAudioError = PortAudioError
    CallbackAbort = CallbackAbort

    @property
    def default(self) -> Any:
        return self

    @property
    def device(self) -> tuple[int, int]:
        return (0, 0)

    def query_devices(self) -> list[dict[str, Any]]:
        return self.devices

    def _terminate(self) -> None:
        self.devices = self.devices if self.later is None else self.later

    def _initialize(self) -> None:
        self.looks += 1

    def RawInputStream(self, **options: Any) -> FakeStream:  # noqa: N802 - sounddevice's name
        device, rate, channels = options["device"], int(options["samplerate"]), options["channels"]
        self.opened.append((device, rate, channels))
        code = self.refuse(device, rate)
        if code is not None:
            raise PortAudioError("refused", code)
        return FakeStream(options["callback"], options["finished_callback"])


def a_device(name: str, rate_hz: int = 48_000, inputs: int = 1) -> dict[str, Any]:
    return {
        "name": name,
        "default_samplerate": float(rate_hz),
        "max_input_channels": inputs,
        "max_output_channels": 0,
    }
