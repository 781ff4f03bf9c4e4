"""Parts that can be missing or in trouble."""

from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """A part of the machine or the app that can be missing or in trouble."""

    MICROPHONE = "microphone"
    LOUDSPEAKER = "loudspeaker"
    WAKE_WORD = "wake_word"
    VAD = "vad"
    TRANSCRIBER = "transcriber"
    VOICE = "voice"
    OLLAMA = "ollama"
    MODEL = "model"
    SETTINGS = "settings"
    RULES = "rules"
    """The approval rule files."""
    TEAM = "team"
    """The agents' files."""
    SKILLS = "skills"
    """The files that skills are made of."""
    EXTENSIONS = "extensions"
    """Tools of the person's own that wait or do not work."""
    PLUGINS = "plugins"
    """The same of plugins."""
    SERVERS = "servers"
    """MCP servers that wait or are not connected."""
    SCHEDULES = "schedules"
    """The files of what is due by the clock."""
    DATABASE = "database"
    TRAY = "tray"
    HOTKEY = "hotkey"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class TroubleNoted:
    """Something is missing or broken: what happened, where, and what to do, in the app's language."""

    part: Part
    text: str


@dataclass(frozen=True, slots=True)
class TroubleCleared:
    """That part works again."""

    part: Part
