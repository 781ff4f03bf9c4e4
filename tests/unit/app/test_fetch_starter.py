"""Who needs a chat model inside Jarvis."""

import pytest

from jarvis_desktop.app.chat_models import SMALL_STARTER, STARTER
from jarvis_desktop.app.fetch_starter import wanted_starter
from jarvis_desktop.core.items.setup import OllamaPresence
from jarvis_desktop.core.settings import ModelSettings

PLENTY = 16_000_000_000


@pytest.mark.parametrize("presence", OllamaPresence)
def test_by_itself_only_a_machine_without_ollama(presence: OllamaPresence) -> None:
    wanted = wanted_starter(ModelSettings.model_validate({}), presence, PLENTY)
    assert wanted == (STARTER if presence is OllamaPresence.ABSENT else "")


@pytest.mark.parametrize(
    ("settings", "memory", "wanted"),
    [
        ({"backend": "ollama"}, PLENTY, ""),
        ({"backend": "ollama", "name": STARTER}, PLENTY, ""),
        ({"backend": "embedded"}, PLENTY, STARTER),
        ({"backend": "embedded"}, 4_000_000_000, SMALL_STARTER),
        ({"name": SMALL_STARTER}, PLENTY, SMALL_STARTER),
    ],
)
def test_the_settings_go_first(settings: dict[str, str], memory: int, wanted: str) -> None:
    chosen = ModelSettings.model_validate(settings)
    presence = OllamaPresence.ABSENT if settings.get("backend") == "ollama" else OllamaPresence.RUNNING
    assert wanted_starter(chosen, presence, memory) == wanted
