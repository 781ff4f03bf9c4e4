"""The setup service on this machine: what it looks at, and who does what it is asked for."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.adapters.desktop_entry import DesktopEntry, own_command
from jarvis_desktop.adapters.machine_facts import machine_facts
from jarvis_desktop.adapters.ollama_consent import consent_needed
from jarvis_desktop.adapters.setup_state import SetupState
from jarvis_desktop.adapters.typed_command import typed_command
from jarvis_desktop.app.desktop_parts import DesktopParts
from jarvis_desktop.app.fetch_desk import FetchDesk
from jarvis_desktop.app.live_settings import LiveSettings, dotted
from jarvis_desktop.app.model_care import ModelCare
from jarvis_desktop.app.options import MODELS_NAME, Start
from jarvis_desktop.app.setup_desk import FetchCommand, SetupDesk, SetupHands, SetupParts
from jarvis_desktop.app.setup_looks import DeviceNames, Looks, OllamaFound
from jarvis_desktop.app.setup_trials import Trials, TriedVoice
from jarvis_desktop.app.thinking_parts import Thinking
from jarvis_desktop.app.voice_parts import VoiceParts
from jarvis_desktop.core.ports import Clock, Emit
from jarvis_desktop.core.settings import ModelSettings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SetupNeighbours:
    """What of the running core the service works with."""

    settings: LiveSettings
    voice: TriedVoice
    thinking: Thinking
    fetch: Callable[[FetchCommand], Awaitable[None]]
    hotkey_trouble: Callable[[], str]
    models_came: Callable[[], None]


async def begin_setup(start: Start, *, used_before: bool) -> None:
    """From now on the setup counts as not finished until somebody finishes it."""
    try:
        await asyncio.to_thread(SetupState(start.home).begin, used_before=used_before)
    except OSError as error:
        log.warning("no state of the setup", extra={"error": type(error).__name__})


def setup_neighbours(
    settings: LiveSettings,
    parts: tuple[VoiceParts, ModelCare],
    thinking: Thinking,
    fetching: FetchDesk,
    desktop: DesktopParts,
) -> SetupNeighbours:
    """What of this start the service works with."""
    voice, care = parts

    def models_came() -> None:
        voice.look_for_models()
        care.look_again()

    return SetupNeighbours(
        settings=settings,
        voice=voice,
        thinking=thinking,
        fetch=fetching.obey,
        hotkey_trouble=lambda: desktop.hotkey_trouble,
        models_came=models_came,
    )


def open_setup(start: Start, clock: Clock, emit: Emit, near: SetupNeighbours) -> SetupDesk:
    """The service of this start. Nothing is looked at before ``run``."""
    return SetupDesk(open_setup_parts(start, clock, emit, near))


def open_setup_parts(start: Start, clock: Clock, emit: Emit, near: SetupNeighbours) -> SetupParts:
    """What the service works with."""
    entry = DesktopEntry(own_command())
    state = SetupState(start.home)
    trials = Trials(near.voice, clock, start.texts, emit)
    looks, hands = _looks(start, near, entry, state), _hands(near, entry, state)
    return SetupParts(looks, hands, near.settings, trials, clock, start.texts, emit)


def _looks(start: Start, near: SetupNeighbours, entry: DesktopEntry, state: SetupState) -> Looks:
    thinking = near.thinking

    async def ollama() -> OllamaFound:
        return OllamaFound(*await thinking.ollama.presence())

    async def first_time() -> bool:
        return not await asyncio.to_thread(lambda: state.finished)

    return Looks(
        machine=lambda: asyncio.to_thread(machine_facts, start.home / MODELS_NAME),
        ollama=ollama,
        chat=lambda machine: thinking.choices.look(near.settings.now.model, machine),
        files=lambda: asyncio.to_thread(thinking.files.choices, start.texts),
        # A sound server that hangs must not hold a thread of the pool.
        devices=lambda: in_daemon(device_names, "device-names"),
        autostart=lambda: asyncio.to_thread(lambda: entry.autostart),
        in_menu=lambda: asyncio.to_thread(lambda: entry.menu_installed),
        first_time=first_time,
        settings=lambda: dotted(near.settings.now),
        hotkey_trouble=near.hotkey_trouble,
        command=typed_command,
        consent=lambda: consent(near.settings.now.model),
    )


def _hands(near: SetupNeighbours, entry: DesktopEntry, state: SetupState) -> SetupHands:
    return SetupHands(
        fetch=near.fetch,
        measure=lambda backend, name: near.thinking.choices.measure(near.settings.now.model, backend, name),
        start_ollama=near.thinking.ollama.start,
        consent_needed=lambda: consent(near.settings.now.model),
        set_autostart=lambda on: asyncio.to_thread(_set_autostart, entry, on),
        add_to_menu=lambda: asyncio.to_thread(entry.install_menu),
        finish=lambda: asyncio.to_thread(state.finish),
        models_came=near.models_came,
    )


def _set_autostart(entry: DesktopEntry, on: bool) -> None:  # noqa: FBT001 - as the command SetAutostart has it
    entry.set_autostart(on)
    if on:
        entry.install_menu()  # Wayland desktops take our windows' name and icon from it


def consent(settings: ModelSettings) -> str:
    """What a person has to agree to before a conversation leaves this machine; empty when it stays."""
    try:
        return consent_needed(settings)
    except ValueError:  # the address is none, and nothing can be sent there
        return ""


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
