"""The setup service on this machine: what it looks at, and who does what it is asked for."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.adapters.desktop_entry import DesktopEntry, own_command
from jarvis_desktop.adapters.setup_state import SetupState
from jarvis_desktop.app.live_settings import LiveSettings, dotted
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.setup_desk import FetchCommand, SetupDesk, SetupHands, SetupParts
from jarvis_desktop.app.setup_looks import DeviceNames, Looks, OllamaFound
from jarvis_desktop.app.setup_trials import Trials, TriedVoice
from jarvis_desktop.core.items.setup import (
    Backend,
    ChatChoice,
    FileChoice,
    MachineFacts,
    ModelMeasured,
    OllamaPresence,
)
from jarvis_desktop.core.ports import Clock, Emit


@dataclass(frozen=True, slots=True)
class SetupNeighbours:
    """What of the running core the service works with."""

    settings: LiveSettings
    voice: TriedVoice
    models_came: Callable[[], None]


def open_setup(start: Start, clock: Clock, emit: Emit, near: SetupNeighbours) -> SetupDesk:
    """The service of this start. Nothing is looked at before ``run``."""
    entry = DesktopEntry(own_command())
    state = SetupState(start.home)

    async def first_time() -> bool:
        return not await asyncio.to_thread(lambda: state.finished)

    looks = Looks(
        machine=_no_machine,
        ollama=_no_ollama,
        chat=_no_chat,
        files=_no_files,
        # A sound server that hangs must not hold a thread of the pool.
        devices=lambda: in_daemon(device_names, "device-names"),
        autostart=lambda: asyncio.to_thread(lambda: entry.autostart),
        first_time=first_time,
        settings=lambda: dotted(near.settings.now),
        hotkey_trouble=lambda: "",
    )
    hands = SetupHands(
        fetch=_no_fetch,
        measure=_no_measure,
        start_ollama=_no_start,
        set_autostart=lambda on: asyncio.to_thread(entry.set_autostart, on),
        finish=lambda: asyncio.to_thread(state.finish),
        models_came=near.models_came,
    )
    trials = Trials(near.voice, clock, start.texts, emit)
    return SetupDesk(SetupParts(looks, hands, near.settings, trials, clock, start.texts, emit))


def device_names() -> DeviceNames:
    """Microphones and loudspeakers as PortAudio lists them; blocks.

    Raises:
        AudioUnavailableError: PortAudio is not installed.
    """
    # PortAudio looks for devices when it is imported.
    from jarvis_desktop.adapters.sound_devices import SoundDevices

    devices = SoundDevices()
    return DeviceNames(
        tuple(dict.fromkeys(device.name for device in devices.inputs())),
        tuple(dict.fromkeys(device.name for device in devices.outputs())),
    )


async def _no_machine() -> MachineFacts:
    return MachineFacts(0, 0)


async def _no_ollama() -> OllamaFound:
    return OllamaFound(OllamaPresence.ABSENT, "")


async def _no_chat(machine: MachineFacts) -> tuple[ChatChoice, ...]:
    del machine
    return ()


async def _no_files() -> tuple[FileChoice, ...]:
    return ()


async def _no_fetch(command: FetchCommand) -> None:
    del command


async def _no_measure(backend: Backend, name: str) -> ModelMeasured:
    return ModelMeasured(backend, name, 0.0, 0.0)


async def _no_start() -> None:
    return None
