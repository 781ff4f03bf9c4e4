"""Setting up: what the setup window shows and what it can ask for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from jarvis_desktop.core.items.fetching import FetchKind, FetchState

# --- what is there ---------------------------------------------------------------------------


class OllamaPresence(StrEnum):
    """How Ollama is found on this machine."""

    RUNNING = "running"
    STOPPED = "stopped"
    """Installed, but nobody answers; we can start it."""
    ABSENT = "absent"
    REMOTE = "remote"
    """The address names another machine, and the person agreed to that."""
    REMOTE_UNASKED = "remote_unasked"
    """The address names another machine; nothing is sent there before a person agrees (decision 39)."""


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """What this machine can carry."""

    memory_bytes: int
    cores: int
    """Logical processors that we may use."""
    gpu: str = ""
    """Name of a graphics processor that models could run on; empty when none was found."""
    free_disk_bytes: int = 0
    """Where the models lie."""


class Backend(StrEnum):
    """What runs a chat model."""

    OLLAMA = "ollama"
    EMBEDDED = "embedded"
    """Inside Jarvis, without any server of somebody else."""


@dataclass(frozen=True, slots=True)
class ChatChoice:
    """A chat model that can be chosen."""

    backend: Backend
    name: str
    """As the setting ``model.name`` holds it; for the embedded one the name in the manifest."""
    size_bytes: int
    """To be fetched; 0 when not known."""
    licence: str
    present: bool
    fits: bool
    """This machine has memory enough."""
    note: str = ""
    """One sentence for people, in the app's language."""
    recommended: bool = False
    tokens_per_s: float | None = None
    """Measured on this machine; None: not measured."""


@dataclass(frozen=True, slots=True)
class FileChoice:
    """A model of the manifest that can be fetched."""

    name: str
    purpose: str
    """In the app's language."""
    languages: tuple[str, ...]
    size_bytes: int
    licence: str
    sources: tuple[str, ...]
    """Where it would come from, in the order of trying; in the app's language."""
    present: bool
    needed: bool
    """Jarvis cannot listen without it."""
    untested: bool = False
    """Nobody has run this file with this release yet."""


@dataclass(frozen=True, slots=True)
class SetupFacts:
    """Everything the setup window shows, looked at together."""

    machine: MachineFacts
    ollama: OllamaPresence
    ollama_text: str
    """What was found of Ollama and what to do about it, one or two sentences in the app's language."""
    chat: tuple[ChatChoice, ...]
    files: tuple[FileChoice, ...]
    microphones: tuple[str, ...]
    loudspeakers: tuple[str, ...]
    settings: Mapping[str, object] = field(default_factory=dict)
    """Values now in force by dotted name: ``ui.language``, ``model.name``, ``voice.input_device`` …"""
    autostart: bool = False
    in_menu: bool = False
    """The desktop's list of programs has Jarvis."""
    command: str = "jarvis-desktop"
    """What people type in a terminal to start this very installation."""
    hotkey_trouble: str = ""
    """Why the global hotkey cannot be had; empty when it works or none is set."""
    first_time: bool = False
    """Setup was never finished on this home."""
    consent: str = ""
    """What ``AllowRemoteModel`` has to name: where conversations would go; empty when they stay here."""
    troubles: tuple[str, ...] = ()
    """What could not be looked at, a sentence each, in the app's language; its fact is empty."""


# --- events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetupLooked:
    """The machine was looked at; the answer to ``LookAround``."""

    facts: SetupFacts


@dataclass(frozen=True, slots=True)
class FetchChanged:
    """A download moved; a few times a second at most."""

    state: FetchState


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """Settings that now count, by dotted name; whoever uses one of them takes it over."""

    changed: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SettingRefused:
    """A setting could not be changed; the file is as it was."""

    name: str
    reason: str


class Trial(StrEnum):
    """What is being tried out in the setup window."""

    MICROPHONE = "microphone"
    """``LevelHeard`` comes all the time; nothing is recognised."""
    WAKE_WORD = "wake_word"
    """``WakeHeard`` comes and begins no request."""
    LOUDSPEAKER = "loudspeaker"


@dataclass(frozen=True, slots=True)
class TrialChanged:
    """A trial began, ended or could not begin."""

    trial: Trial
    running: bool
    trouble: str = ""
    """Why it ended too early: what happened and what to do."""


@dataclass(frozen=True, slots=True)
class ModelMeasured:
    """How fast a chat model is here."""

    backend: Backend
    name: str
    tokens_per_s: float
    first_token_s: float
    trouble: str = ""
    """Why it could not be measured; the numbers are 0 then."""


SetupEvent: TypeAlias = (
    SetupLooked | FetchChanged | SettingsChanged | SettingRefused | TrialChanged | ModelMeasured
)

# --- commands --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LookAround:
    """Look at the machine and tell by ``SetupLooked``."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """Fetch a model, or go on with it."""

    kind: FetchKind
    name: str


@dataclass(frozen=True, slots=True)
class PauseFetch:
    """Stop a download and keep what has come."""

    kind: FetchKind
    name: str


@dataclass(frozen=True, slots=True)
class DropFetch:
    """Stop a download and delete what has come."""

    kind: FetchKind
    name: str


@dataclass(frozen=True, slots=True)
class RemoveModel:
    """Delete a model's files; a person asked for it."""

    kind: FetchKind
    name: str


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """Write one setting into settings.yaml; it counts at once."""

    name: str
    """Dotted: ``voice.input_device``."""
    value: object


@dataclass(frozen=True, slots=True)
class BeginTrial:
    """Try something out."""

    trial: Trial


@dataclass(frozen=True, slots=True)
class EndTrial:
    """Enough."""

    trial: Trial


@dataclass(frozen=True, slots=True)
class MeasureModel:
    """Run a short request and tell how fast it went."""

    backend: Backend
    name: str


@dataclass(frozen=True, slots=True)
class StartOllama:
    """Start the installed Ollama; it ends with us."""


@dataclass(frozen=True, slots=True)
class AllowRemoteModel:
    """A person agreed that the conversation goes to this other machine (decision 39)."""

    host: str


@dataclass(frozen=True, slots=True)
class SetAutostart:
    """Start with the desktop session, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class AddToMenu:
    """Put Jarvis into the desktop's list of programs."""


@dataclass(frozen=True, slots=True)
class FinishSetup:
    """Do not show the setup by itself again."""


SetupCommand: TypeAlias = (
    LookAround
    | Fetch
    | PauseFetch
    | DropFetch
    | RemoveModel
    | ChangeSetting
    | BeginTrial
    | EndTrial
    | MeasureModel
    | StartOllama
    | AllowRemoteModel
    | SetAutostart
    | AddToMenu
    | FinishSetup
)
