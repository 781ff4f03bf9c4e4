"""Who takes over which settings while the program runs."""

from collections.abc import Callable
from typing import Protocol

from jarvis_desktop.adapters.catalog import app_language
from jarvis_desktop.app.live_settings import Taker
from jarvis_desktop.app.options import SwitchedTexts
from jarvis_desktop.core.settings import ModelSettings, Settings, VoiceSettings


class TakesVoice(Protocol):
    """Uses the settings of the section ``voice``."""

    def configure(self, settings: VoiceSettings) -> None:
        """These count from now on; returns at once."""


class TakesModel(Protocol):
    """Uses the settings of the section ``model``."""

    def configure(self, settings: ModelSettings) -> None:
        """These count from the next request on; returns at once."""


def takes_language(texts: SwitchedTexts) -> Taker:
    """Everything said afterwards is in the new language."""

    def take(settings: Settings, changed: frozenset[str]) -> None:
        if "ui.language" in changed:
            texts.speak(app_language(settings.ui.language))

    return take


def takes_voice(voice: TakesVoice) -> Taker:
    """Devices, switches and timing of the voice."""

    def take(settings: Settings, changed: frozenset[str]) -> None:
        if _of("voice.", changed):
            voice.configure(settings.voice)

    return take


def takes_model(*users: TakesModel) -> Taker:
    """The chat model and who looks after it, in this order."""

    def take(settings: Settings, changed: frozenset[str]) -> None:
        if _of("model.", changed):
            for user in users:
                user.configure(settings.model)

    return take


def takes_memory(old_go: Callable[[], None]) -> Taker:
    """Turns that are too old by now."""

    def take(settings: Settings, changed: frozenset[str]) -> None:
        del settings
        if "memory.retention_days" in changed:
            old_go()

    return take


def _of(section: str, changed: frozenset[str]) -> bool:
    return any(name.startswith(section) for name in changed)
