"""What a start was asked to do."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.settings_problem import SettingsProblem
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import Settings

DATABASE_NAME = "jarvis.db"
MODELS_NAME = "models"
"""Weights live in this folder of the home."""


@dataclass(frozen=True, slots=True)
class Start:
    """Everything that is known before the core begins."""

    home: Path
    settings: Settings
    texts: Texts
    problems: tuple[SettingsProblem, ...] = ()
    voice: bool = True
    """Open microphone and loudspeaker."""


@dataclass(frozen=True, slots=True)
class Surface:
    """What the core is given by whoever shows it."""

    deliver: Callable[[Event], None]
    post: Callable[[Command], None]
    fresh_conversation: bool = False
    """Another program owns the home's running turns; leave its conversation alone."""
    shows_past: bool = False
    """It has a list for the activity of earlier runs."""
