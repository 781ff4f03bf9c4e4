"""What a start was asked to do."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from jarvis_desktop.adapters.settings_problem import SettingsProblem
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import Settings

DATABASE_NAME = "jarvis.db"
MODELS_NAME = "models"
"""Weights live in this folder of the home."""


class SwitchedTexts(Texts, Protocol):
    """Texts whose language can be changed for all who hold them; ``Catalog`` fills it."""

    def speak(self, language: Language) -> None:
        """Every text from now on is in ``language``."""


@dataclass(frozen=True, slots=True)
class Start:
    """Everything that is known before the core begins."""

    home: Path
    settings: Settings
    texts: SwitchedTexts
    problems: tuple[SettingsProblem, ...] = ()
    voice: bool = True
    """Microphone and loudspeaker may be opened; whether they are, the setting ``voice.enabled`` says."""


@dataclass(frozen=True, slots=True)
class Surface:
    """What the core is given by whoever shows it."""

    deliver: Callable[[Event], None]
    post: Callable[[Command], None]
    waits_for_disk: bool = True
    """A database that cannot be opened is waited for; a single request ends with the reason instead."""
    fresh_conversation: bool = False
    """Another program owns the home's running turns; leave its conversation alone."""
    shows_past: bool = False
    """It has a list for the activity of earlier runs."""
    behind: Callable[[], Coroutine[None, None, None]] | None = None
    """What it has to run beside the conversation, on the core's loop, without end."""
    goal: str = ""
    """Only one turn of the goal of that id is wanted."""
    shows_notices: bool = False
    """It shows notices beside the conversation, and says what became of each."""
    sets_up: bool = False
    """It has a setup window, for which the machine is looked at after the start."""
