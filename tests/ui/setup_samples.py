"""Facts of machines, and a scripted service that answers the setup's commands with events."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import (
    AddToMenu,
    AllowRemoteModel,
    Backend,
    BeginTrial,
    ChangeSetting,
    ChatChoice,
    EndTrial,
    Fetch,
    FetchChanged,
    FileChoice,
    LookAround,
    MachineFacts,
    MeasureModel,
    ModelMeasured,
    OllamaPresence,
    PauseFetch,
    RemoveModel,
    SetAutostart,
    SettingsChanged,
    SetupFacts,
    SetupLooked,
    StartOllama,
    TrialChanged,
)
from jarvis_desktop.core.items.speech import Language

MACHINE = MachineFacts(memory_bytes=16_000_000_000, cores=8, gpu="", free_disk_bytes=80_000_000_000)
SETTINGS: Mapping[str, object] = {
    "ui.language": "en",
    "ui.theme": "light",
    "ui.hotkey": "",
    "voice.languages": ("ko", "en"),
    "voice.wake_threshold": 0.5,
    "voice.input_device": "",
    "voice.output_device": "",
    "model.name": "gemma4:e2b",
    "model.backend": "auto",
    "model.host": "http://127.0.0.1:11434",
}
WAKE = FileChoice(
    name="wake",
    purpose="Hears “Hey Jarvis”.",
    languages=("en",),
    size_bytes=3_685_906,
    licence="CC BY-NC-SA 4.0",
    sources=("a package index", "the official address"),
    present=False,
    needed=True,
)
WHISPER = replace(
    WAKE, name="whisper-base", purpose="Understands speech.", languages=("ko", "en"), size_bytes=147_882_941
)
SMALL = replace(WHISPER, name="whisper-small", size_bytes=486_000_000, needed=False, untested=True)
GEMMA = ChatChoice(
    backend=Backend.OLLAMA,
    name="gemma4:e2b",
    size_bytes=7_200_000_000,
    licence="Gemma",
    present=False,
    fits=True,
    note="Good at everyday requests.",
    recommended=True,
)
LARGE = replace(GEMMA, name="gemma4:e4b", size_bytes=9_600_000_000, fits=False, recommended=False)
INSIDE = ChatChoice(
    backend=Backend.EMBEDDED,
    name="gemma-3-270m",
    size_bytes=253_000_000,
    licence="Gemma",
    present=False,
    fits=True,
)
BARE = SetupFacts(
    machine=MACHINE,
    ollama=OllamaPresence.ABSENT,
    ollama_text="Ollama was not found.",
    chat=(GEMMA, LARGE, INSIDE),
    files=(WAKE, WHISPER, SMALL, replace(WAKE, name=INSIDE.name, needed=False)),
    microphones=(),
    loudspeakers=(),
    settings=SETTINGS,
    first_time=True,
)
"""A machine on which nothing is there."""
FULL = replace(
    BARE,
    ollama=OllamaPresence.RUNNING,
    ollama_text="Ollama is running.",
    chat=(replace(GEMMA, present=True), LARGE, INSIDE),
    files=(replace(WAKE, present=True), replace(WHISPER, present=True), SMALL),
    microphones=("USB PnP", "Built-in"),
    loudspeakers=("Built-in",),
)
"""A machine on which everything that is needed is there."""


def fetching(
    name: str = "whisper-base", stage: FetchStage = FetchStage.RUNNING, *, trouble: str = "", done: int = 50
) -> FetchChanged:
    """A download of 100 MB, ``done`` of them there."""
    return FetchChanged(
        FetchState(FetchKind.FILES, name, stage, done * 10**6, 10**8, 2_500_000, 20, "", trouble)
    )


@dataclass
class Service:
    """What the core would answer; a test may change ``facts`` first."""

    facts: SetupFacts = FULL
    settings: dict[str, object] = field(default_factory=dict)

    def answers(self, command: Command) -> tuple[Event, ...]:
        """Events that follow ``command``."""
        match command:
            case LookAround():
                return (self._looked(),)
            case ChangeSetting(name, value):
                self.settings[name] = value
                return SettingsChanged({name: value}), self._looked()
            case BeginTrial(trial):
                return (TrialChanged(trial, running=True),)
            case EndTrial(trial):
                return (TrialChanged(trial, running=False),)
            case AddToMenu():
                self.facts = replace(self.facts, in_menu=True)
                return (self._looked(),)
            case SetAutostart(on):
                self.facts = replace(self.facts, autostart=on)
                return (self._looked(),)
            case _:
                return self._model_answers(command)

    def _model_answers(self, command: Command) -> tuple[Event, ...]:
        match command:
            case Fetch(kind, name):
                return (FetchChanged(FetchState(kind, name, FetchStage.RUNNING, 1, 100)),)
            case PauseFetch(kind, name):
                return (FetchChanged(FetchState(kind, name, FetchStage.PAUSED, 1, 100)),)
            case MeasureModel(backend, name):
                return (ModelMeasured(backend, name, 11.6, 0.8),)
            case StartOllama() | AllowRemoteModel():
                self.facts = replace(self.facts, ollama=OllamaPresence.RUNNING)
                return (self._looked(),)
            case RemoveModel(name=name):
                files = tuple(replace(f, present=f.present and f.name != name) for f in self.facts.files)
                self.facts = replace(self.facts, files=files)
                return (self._looked(),)
            case _:
                return ()

    def _looked(self) -> SetupLooked:
        return SetupLooked(replace(self.facts, settings={**self.facts.settings, **self.settings}))


class TwoTongues:
    """Texts that can be told apart: in Korean each says so in front."""

    def __init__(self) -> None:
        self.language = Language.ENGLISH

    def __call__(self, msgid: str) -> str:
        return f"ko {msgid}" if self.language is Language.KOREAN else msgid

    def plural(self, one: str, many: str, count: int) -> str:
        return self(one if count == 1 else many)
