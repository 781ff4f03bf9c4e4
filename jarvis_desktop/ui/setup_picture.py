"""What a front end knows of the setup: facts, downloads, trials and measurements, folded from events."""

from collections import deque
from dataclasses import dataclass, field

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event, LevelHeard, Part, TroubleCleared, TroubleNoted, WakeHeard
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import (
    AllowRemoteModel,
    Backend,
    BeginTrial,
    ChatChoice,
    DropFetch,
    Fetch,
    FetchChanged,
    FileChoice,
    MeasureModel,
    ModelMeasured,
    OllamaPresence,
    RemoveModel,
    SettingRefused,
    SettingsChanged,
    SetupFacts,
    SetupLooked,
    StartOllama,
    Trial,
    TrialChanged,
)

MOVING = (FetchStage.WAITING, FetchStage.RUNNING, FetchStage.STALLED, FetchStage.CHECKING)
"""A download in one of these goes on without anybody doing something."""
KEPT_SCORES = 8
_AUDIBLE = 0.06
"""A level above this is more than the noise of a quiet room (0 is silence, 1 is clipping)."""

FetchId = tuple[FetchKind, str]


@dataclass(slots=True)
class SetupPicture:
    """The present state of the setup. ``take`` every event and ``asked`` every command, in order."""

    facts: SetupFacts | None = None
    """None before the machine was looked at."""
    settings: dict[str, object] = field(default_factory=dict)
    """Values in force by dotted name."""
    fetches: dict[FetchId, FetchState] = field(default_factory=dict)
    measured: dict[tuple[Backend, str], ModelMeasured] = field(default_factory=dict)
    measuring: set[tuple[Backend, str]] = field(default_factory=set)
    trials: dict[Trial, TrialChanged] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    """Why a setting stayed as it is, by dotted name; gone when it changes after all."""
    scores: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT_SCORES))
    """Of the wake words heard while trying, newest last."""
    heard_wake: int = 0
    level: float = 0.0
    heard_sound: bool = False
    """The microphone delivered more than silence since its trial began."""
    troubles: dict[Part, str] = field(default_factory=dict)
    """What is wrong with parts now."""
    wished: FetchId | None = None
    """This download was begun to have a model that answers: there, it becomes the chosen one."""
    working: bool = False
    """Ollama is being started, or another machine being asked; the next look tells how that went."""

    # --- folding ------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """The picture after ``event``."""
        match event:
            case SetupLooked(facts):
                self.facts, self.working = facts, False
                self.settings = dict(facts.settings)
            case FetchChanged(state) if state.stage is FetchStage.GONE:
                self.fetches.pop((state.kind, state.name), None)
            case FetchChanged(state):
                self.fetches[state.kind, state.name] = state
            case SettingsChanged(changed):
                self.settings |= changed
                for name in changed:
                    self.refused.pop(name, None)
            case SettingRefused(name, reason):
                self.refused[name] = reason
            case ModelMeasured():
                self.measuring.discard((event.backend, event.name))
                self.measured[event.backend, event.name] = event
            case _:
                self._take_trial(event)

    def _take_trial(self, event: Event) -> None:
        match event:
            case TrialChanged():
                self.trials[event.trial] = event
            case TroubleNoted(part, text):
                self.troubles[part] = text
            case TroubleCleared(part):
                self.troubles.pop(part, None)
            case LevelHeard(level):
                self.level = level
                self.heard_sound = self.heard_sound or level > _AUDIBLE
            case WakeHeard(score) if self.running(Trial.WAKE_WORD):
                self.scores.append(score)
                self.heard_wake += 1
            case _:
                pass

    def asked(self, command: Command) -> None:
        """The picture after a person's ``command`` left: what is on its way, and what is started afresh."""
        match command:
            case MeasureModel(backend, name):
                self.measured.pop((backend, name), None)
                self.measuring.add((backend, name))
            case BeginTrial(trial):
                self.trials.pop(trial, None)
                if trial is Trial.MICROPHONE:
                    self.level, self.heard_sound = 0.0, False
            case Fetch(kind, name):
                self._wish((kind, name))
            case DropFetch(kind, name) | RemoveModel(kind, name):
                self.fetches.pop((kind, name), None)
                self.wished = None if self.wished == (kind, name) else self.wished
            case StartOllama() | AllowRemoteModel():
                self.working = True
            case _:
                pass

    def _wish(self, which: FetchId) -> None:
        chosen = self.chosen()
        answers = chosen is not None and self.there(chosen)
        if not answers and any(fetch_id(choice) == which for choice in self.chat):
            self.wished = which

    def take_wish(self) -> ChatChoice | None:
        """The wished model when it has come and is still needed; it is no wish any more then."""
        come = next((c for c in self.chat if fetch_id(c) == self.wished and self.there(c)), None)
        if come is None:
            return None
        self.wished = None
        chosen = self.chosen()
        # One that only helps out where Ollama is missing is not chosen yet.
        needed = chosen is None or chosen == come or not self.there(chosen)
        return come if needed and self.setting("model.name") != come.name else None

    # --- questions ----------------------------------------------------------------------------

    @property
    def chat(self) -> tuple[ChatChoice, ...]:
        """Chat models that can be chosen, as the core lists them."""
        return self.facts.chat if self.facts is not None else ()

    def chat_by_use(self) -> tuple[ChatChoice, ...]:
        """The same, those first that can be used at once: chosen, there, recommended, others."""
        chosen = self.chosen()

        def rank(choice: ChatChoice) -> tuple[bool, bool, bool]:
            there = self.there(choice)
            return not (there and choice == chosen), not there, not (choice == chosen or choice.recommended)

        return tuple(sorted(self.chat, key=rank))

    def running(self, trial: Trial) -> bool:
        """``trial`` goes on now."""
        return trial in self.trials and self.trials[trial].running

    def trouble_of(self, trial: Trial) -> str:
        """Why ``trial`` ended too early; empty when it did not."""
        return self.trials[trial].trouble if trial in self.trials else ""

    def setting(self, name: str) -> str:
        """A setting as text; empty when it is not known."""
        return str(self.settings.get(name, ""))

    @property
    def moving(self) -> tuple[FetchState, ...]:
        """Downloads that go on."""
        return tuple(state for state in self.fetches.values() if state.stage in MOVING)

    @property
    def failed(self) -> tuple[FetchState, ...]:
        """Downloads that need a person."""
        return tuple(state for state in self.fetches.values() if state.stage is FetchStage.FAILED)

    def speech_files(self) -> tuple[FileChoice, ...]:
        """The manifest's models for ears and mouth: everything but the chat models inside Jarvis."""
        if self.facts is None:
            return ()
        chat = {choice.name for choice in self.facts.chat if choice.backend is Backend.EMBEDDED}
        return tuple(choice for choice in self.facts.files if choice.name not in chat)

    def wanted_files(self) -> tuple[FileChoice, ...]:
        """Needed models that are neither there nor on their way."""
        return tuple(
            choice
            for choice in self.speech_files()
            if choice.needed and not self.there(choice) and not self.moves(fetch_id(choice))
        )

    def there(self, choice: ChatChoice | FileChoice) -> bool:
        """It can be used: it was found, or has just arrived."""
        state = self.fetches.get(fetch_id(choice))
        return choice.present or (state is not None and state.stage is FetchStage.DONE)

    def moves(self, which: FetchId) -> bool:
        """That download goes on."""
        return which in self.fetches and self.fetches[which].stage in MOVING

    def chosen(self) -> ChatChoice | None:
        """The chat model that answers now, or would if it were there; None when none of the list does."""
        if self.facts is None:
            return None
        backend, name = self.setting("model.backend"), self.setting("model.name")
        inside = [choice for choice in self.facts.chat if choice.backend is Backend.EMBEDDED]
        served = [c for c in self.facts.chat if c.backend is Backend.OLLAMA and same_model(c.name, name)]
        there = next((choice for choice in inside if self.there(choice)), None)
        named = next((choice for choice in inside if choice.name == name), None)
        if backend == Backend.EMBEDDED or (backend == "auto" and named is not None):
            return named or there or _first(inside)
        if backend == Backend.OLLAMA or self.ollama_answers or there is None:
            return _first(served)
        return there

    @property
    def ollama_answers(self) -> bool:
        """An Ollama server can be used now."""
        known = (OllamaPresence.RUNNING, OllamaPresence.REMOTE)
        return self.facts is not None and self.facts.ollama in known


def fetch_id(choice: ChatChoice | FileChoice) -> FetchId:
    """Under which name a model is fetched."""
    served = isinstance(choice, ChatChoice) and choice.backend is Backend.OLLAMA
    return FetchKind.OLLAMA if served else FetchKind.FILES, choice.name


def same_model(one: str, other: str) -> bool:
    """Two names of one model: Ollama leaves ``:latest`` out, or says it."""
    return one.removesuffix(":latest") == other.removesuffix(":latest")


def _first(choices: list[ChatChoice]) -> ChatChoice | None:
    return choices[0] if choices else None
