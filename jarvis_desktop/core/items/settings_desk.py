"""What the settings window asks about settings, and what it is told."""

from dataclasses import dataclass
from typing import TypeAlias

FILE = "settings.yaml"
HIDDEN = "••••••••"
"""Stands for a secret that is there: a window never gets the secret itself."""


@dataclass(frozen=True, slots=True)
class SettingNow:
    """One setting as it is at the moment."""

    name: str
    """Dotted: ``voice.speak``."""
    value: object
    """In force. Plain: bool, int, float, str, or a tuple of str; ``HIDDEN`` for a secret."""
    problem: str = ""
    """Why what is written does not count: where, what was found, what is allowed; in the app's language."""
    line: int = 0
    """Of the problem in the settings file; 0 when it is not there."""
    variable: str = ""
    """The environment variable that wins over the file."""
    words: str = ""
    """What it is called and does, in every language of the app."""


# --- events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SettingsLooked:
    """The settings were looked at; the answer to ``LookAtSettings``."""

    settings: tuple[SettingNow, ...]
    """Every declared one, in the order of the declarations."""
    problems: tuple[str, ...]
    """All that is wrong in the file and in variables, a sentence each."""
    folder: str
    """Where the file lies."""
    digest: str
    """Of the file; empty while there is none."""


@dataclass(frozen=True, slots=True)
class SettingTried:
    """Whether a value could be one."""

    number: int
    name: str
    problem: str
    """Why not; empty when it can."""


SettingsDeskEvent: TypeAlias = SettingsLooked | SettingTried

# --- commands --------------------------------------------------------------------------------


class SettingsOrder:
    """What every command to the settings' desk is."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LookAtSettings(SettingsOrder):
    """Look at the settings and tell by ``SettingsLooked``."""


@dataclass(frozen=True, slots=True)
class TrySetting(SettingsOrder):
    """Tell by ``SettingTried`` whether a value could be written."""

    number: int
    """Comes back with the answer, so that a late answer is known as such."""
    name: str
    value: object


SettingsCommand: TypeAlias = LookAtSettings | TrySetting
