"""Sentences about microphones: why one cannot be opened, and why it is another than expected."""

from jarvis_desktop.adapters.sound_devices import OpenInput, SoundOpenError, SoundTrouble
from jarvis_desktop.core.ports import Texts


def why_not_open(error: SoundOpenError, texts: Texts) -> str:
    """Part of a sentence."""
    match error.trouble:
        case SoundTrouble.NO_LIBRARY:
            return texts("the sound library PortAudio is not installed (Debian: libportaudio2)")
        case SoundTrouble.NO_DEVICE:
            return texts("no microphone was found")
        case SoundTrouble.BUSY:
            return texts('"{name}" is in use by another program').format(name=error.device)
        case SoundTrouble.REFUSED:
            return texts('"{name}" cannot be opened').format(name=error.device)


def other_device(opened: OpenInput, wish: str, texts: Texts) -> str:
    """Why another device records than a person would expect; empty when none does."""
    if not opened.wished:
        text = texts(
            'The microphone "{wish}" is not there or in use by another program. Listening through "{name}" '
            "until it is plugged in again; the setting stays."
        )
        return text.format(wish=wish, name=opened.device.name)
    if opened.avoided:
        text = texts(
            'Listening through "{name}": recording from the Bluetooth headset "{headset}" would turn its '
            "music to telephone quality. Choose it as the microphone in the settings to use it all the same."
        )
        return text.format(name=opened.device.name, headset=opened.avoided)
    return ""
