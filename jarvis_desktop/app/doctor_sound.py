"""The doctor listens: PortAudio, microphone, loudspeaker and speech models."""

from collections.abc import Sequence
from functools import partial

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.sound_devices import Device, SoundDevices, SoundOpenError
from jarvis_desktop.app.doctor_finding import Check, Finding, Patient
from jarvis_desktop.app.fetch_models import MODELS_FOLDER
from jarvis_desktop.core.ports import Texts


async def check_sound(patient: Patient) -> Sequence[Finding]:
    """The sound library and what it sees."""
    texts = patient.texts
    devices = SoundDevices()
    try:
        library = await in_daemon(devices.library, "doctor-sound")
    except SoundOpenError:
        todo = texts(
            "Jarvis cannot hear or play without PortAudio. Install it: sudo apt-get install libportaudio2"
        )
        return (Finding("portaudio", texts("Sound library (PortAudio)"), found=False, todo=todo),)
    wanted = patient.settings.voice
    no_microphone = texts("No microphone is there. Plug one in, or type your requests.")
    no_loudspeaker = texts("No loudspeaker is there. Plug one in, or read the answers.")
    version = str(library.get_portaudio_version()[1]).partition(",")[0].removeprefix("PortAudio ")
    inputs, outputs = devices.inputs(), devices.outputs()
    return (
        Finding("portaudio", texts("Sound library (PortAudio)"), found=True, version=version),
        _device("microphone", texts("Microphone"), (inputs, wanted.input_device, no_microphone), texts),
        _device("loudspeaker", texts("Loudspeaker"), (outputs, wanted.output_device, no_loudspeaker), texts),
    )


def _device(name: str, title: str, sought: tuple[tuple[Device, ...], str, str], texts: Texts) -> Finding:
    """The device that would be used. sought: what is there, the name in the settings, what to do without."""
    devices, wanted, todo = sought
    if not devices:
        return Finding(name, title, found=False, todo=todo)
    chosen = next((device for device in devices if wanted and wanted in device.name), None)
    if wanted and chosen is None:
        absent = texts('"{name}" of settings.yaml is not plugged in; the default one is used.')
        return Finding(name, title, found=True, version=devices[0].name, todo=absent.format(name=wanted))
    return Finding(name, title, found=True, version=(chosen or devices[0]).name)


async def check_models(patient: Patient) -> Sequence[Finding]:
    """The model files, each by its digest."""
    texts = patient.texts
    files = ModelFiles(patient.home / MODELS_FOLDER)
    todo = texts("{count} files are missing or broken; ./run fetches them. Until then Jarvis does not hear.")
    findings = []
    for name in files.names:
        missing = await in_daemon(partial(files.missing, name), "doctor-models")
        findings.append(
            Finding(
                f"model-{name}",
                texts("Speech model {name}").format(name=name),
                found=not missing,
                version=files.entry(name).folder,
                todo=todo.format(count=len(missing)) if missing else "",
            )
        )
    return findings


SOUND_CHECKS: tuple[Check, ...] = (check_sound, check_models)
