"""The doctor listens: PortAudio, microphone, loudspeaker and speech models."""

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.adapters.home_dir import home_dir
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.model_manifest import ModelKind
from jarvis_desktop.adapters.sound_devices import Device, SoundDevices, SoundOpenError
from jarvis_desktop.app.doctor_finding import Check, Finding, Mend, Patient, fix_command
from jarvis_desktop.app.doctor_model import model_files
from jarvis_desktop.app.doctor_packages import SystemPart
from jarvis_desktop.app.fetch_models import fetch_all
from jarvis_desktop.core.ports import Texts


async def check_sound(patient: Patient) -> Sequence[Finding]:
    """The sound library and what it sees."""
    texts = patient.texts
    devices = SoundDevices()
    try:
        library = await in_daemon(devices.library, "doctor-sound")
    except SoundOpenError:
        title = texts("Sound library (PortAudio)")
        todo = texts("Jarvis cannot hear or play without PortAudio; install it with the package manager.")
        command = patient.packages.install(SystemPart.PORTAUDIO)
        return (Finding("portaudio", title, found=False, todo=todo, command=command),)
    wanted = patient.settings.voice
    no_microphone = texts("No microphone is there. Plug one in, or type your requests.")
    no_loudspeaker = texts("No loudspeaker is there. Plug one in, or read the answers.")
    version = str(library.get_portaudio_version()[1]).partition(",")[0].removeprefix("PortAudio ")
    inputs, outputs = devices.inputs(), devices.outputs()
    return (
        Finding("portaudio", texts("Sound library (PortAudio)"), found=True, version=version),
        _server(texts),
        _device("microphone", texts("Microphone"), (inputs, wanted.input_device, no_microphone), patient),
        _device(
            "loudspeaker", texts("Loudspeaker"), (outputs, wanted.output_device, no_loudspeaker), patient
        ),
    )


def _server(texts: Texts) -> Finding:
    """The sound server that programs of this session are sent to; nothing is asked of it."""
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent"))
    elsewhere = os.environ.get("PULSE_SERVER", "")
    kinds = [
        name
        for name, there in (
            ("PipeWire", (runtime / "pipewire-0").exists()),
            ("PulseAudio", bool(elsewhere) or (runtime / "pulse/native").exists()),
            ("ALSA", Path("/dev/snd").exists()),
            ("Core Audio", sys.platform == "darwin"),
            ("WASAPI", sys.platform == "win32"),
        )
        if there
    ]
    return Finding("sound-server", texts("Sound server"), found=bool(kinds), version=" + ".join(kinds))


def _device(name: str, title: str, sought: tuple[tuple[Device, ...], str, str], patient: Patient) -> Finding:
    """The device that would be used. sought: what is there, the name in the settings, what to do without."""
    (devices, wanted, todo), texts = sought, patient.texts
    if not devices:
        # Whoever has turned the voice off does not miss it.
        return Finding(name, title, found=False, todo=todo, optional=not patient.settings.voice.enabled)
    chosen = next((device for device in devices if wanted and wanted in device.name), None)
    if wanted and chosen is None:
        absent = texts('"{name}" of settings.yaml is not plugged in; the default one is used.')
        todo = absent.format(name=wanted)
        return Finding(name, title, found=True, version=devices[0].name, todo=todo, optional=True)
    return Finding(name, title, found=True, version=(chosen or devices[0]).name)


async def check_models(patient: Patient) -> Sequence[Finding]:
    """The model files for ears and mouth, each by its digest."""
    files = await model_files(patient)
    names = [name for name in files.names if files.entry(name).kind is not ModelKind.CHAT]
    missing = [await in_daemon(partial(files.missing, name), "doctor-models") for name in names]
    return [_model(name, files, len(gone), patient) for name, gone in zip(names, missing, strict=True)]


def _model(name: str, files: ModelFiles, missing: int, patient: Patient) -> Finding:
    texts = patient.texts
    title, folder = texts("Speech model {name}").format(name=name), files.entry(name).folder
    if not missing:
        return Finding(f"model-{name}", title, found=True, version=folder)
    if not files.entry(name).needed:
        # Somebody may want it; nobody misses it.
        return Finding(f"model-{name}", title, found=False, version=folder)
    todo = texts(
        "{count} files are missing or broken; doctor --fix fetches them. Until then Jarvis does not hear."
    )

    async def fetch() -> None:
        # What it says goes to the terminal, file by file; the status is seen by looking again.
        home_dir(texts)
        await fetch_all(files, texts)

    mend = Mend(texts("Fetching the speech models that are missing"), fetch)
    return Finding(
        f"model-{name}",
        title,
        found=False,
        version=folder,
        todo=todo.format(count=missing),
        command=fix_command(),
        mend=mend,
    )


SOUND_CHECKS: tuple[Check, ...] = (check_sound, check_models)
