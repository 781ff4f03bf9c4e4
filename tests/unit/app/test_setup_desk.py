"""The setup service: facts, wishes, and what comes of them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.setup_desk import FIRST_LOOK_S, FetchCommand, SetupDesk, SetupHands, SetupParts
from jarvis_desktop.app.setup_looks import LOOK_S, DeviceNames, Looks, OllamaFound, look_around
from jarvis_desktop.app.setup_trials import Trials
from jarvis_desktop.app.voice_parts import NoVoice
from jarvis_desktop.core.items.errors import AudioUnavailableError, MissingPartError, ModelFileError
from jarvis_desktop.core.items.events import Event, Part, TroubleNoted
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import (
    AddToMenu,
    AllowRemoteModel,
    Backend,
    BeginTrial,
    ChangeSetting,
    DropFetch,
    EndTrial,
    Fetch,
    FetchChanged,
    FinishSetup,
    LookAround,
    MachineFacts,
    MeasureModel,
    ModelMeasured,
    OllamaPresence,
    PauseFetch,
    RemoveModel,
    SetAutostart,
    SettingRefused,
    SettingsChanged,
    SetupCommand,
    SetupFacts,
    SetupLooked,
    StartOllama,
    Trial,
    TrialChanged,
)
from jarvis_desktop.core.settings import Settings
from tests.fakes.clock import FakeClock, settle
from tests.fakes.texts import PlainTexts

FAR = "http://gpu:11434"
FETCHES = (
    Fetch(FetchKind.FILES, "wake"),
    PauseFetch(FetchKind.OLLAMA, "gemma4:e2b"),
    DropFetch(FetchKind.FILES, "wake"),
    RemoveModel(FetchKind.OLLAMA, "gemma4:e2b"),
)
FOUND = SetupFacts(
    machine=MachineFacts(8_000_000_000, 4),
    ollama=OllamaPresence.STOPPED,
    ollama_text="Ollama is installed but not running.",
    chat=(),
    files=(),
    microphones=("USB",),
    loudspeakers=("HDMI",),
    settings={"ui.language": "system"},
    autostart=True,
    in_menu=True,
    command="./run",
    hotkey_trouble="Taken by another program.",
    consent=FAR,
    first_time=True,
)


def giving(value: Any) -> Callable[..., Awaitable[Any]]:
    """A look that finds ``value``."""

    async def look(*_: object) -> Any:
        return value

    return look


LOOKS = Looks(
    machine=giving(FOUND.machine),
    ollama=giving(OllamaFound(FOUND.ollama, FOUND.ollama_text)),
    chat=giving(()),
    files=giving(()),
    devices=giving(DeviceNames(("USB",), ("HDMI",))),
    autostart=giving(True),
    in_menu=giving(True),
    first_time=giving(True),
    settings=lambda: {"ui.language": "system"},
    hotkey_trouble=lambda: "Taken by another program.",
    command=lambda: "./run",
    consent=lambda: FAR,
)


class Stage:
    """The service with hands that note what they are asked for."""

    def __init__(self, home: Path) -> None:
        self.clock, self.texts = FakeClock(), PlainTexts()
        self.events: list[Event] = []
        self.done: list[object] = []
        self.failing: Exception | None = None
        start = Start(home, Settings.model_validate({}), self.texts)
        self.live = LiveSettings(start, self.emit)
        hands = SetupHands(
            fetch=self._fetch,
            measure=self._measure,
            start_ollama=lambda: self._do("start ollama"),
            consent_needed=lambda: FAR,
            set_autostart=lambda on: self._do(f"autostart {on}"),
            add_to_menu=lambda: self._do("add to menu"),
            finish=lambda: self._do("finish"),
            models_came=lambda: self.done.append("models came"),
        )
        trials = Trials(NoVoice(self.texts, self.emit), self.clock, self.texts, self.emit)
        self.parts = SetupParts(LOOKS, hands, self.live, trials, self.clock, self.texts, self.emit)
        self.desk = SetupDesk(self.parts)

    async def emit(self, event: Event) -> None:
        self.events.append(event)
        self.desk.on_event(event)

    async def _do(self, what: object) -> None:
        if self.failing is not None:
            raise self.failing
        self.done.append(what)

    async def _fetch(self, command: FetchCommand) -> None:
        await self._do(command)

    async def _measure(self, backend: Backend, name: str) -> ModelMeasured:
        return ModelMeasured(backend, name, 20.0, 0.5)

    async def obey(self, *commands: SetupCommand) -> list[Event]:
        """What was told after these commands."""
        self.events.clear()
        for command in commands:
            self.desk.obey(command)
        async with asyncio.timeout(10):
            while self.desk._tasks:  # files are written on threads
                await asyncio.wait(self.desk._tasks)
                await settle()
        await settle()
        return list(self.events)


@asynccontextmanager
async def running(stage: Stage, *, look_at_start: bool = False) -> AsyncIterator[Stage]:
    work = asyncio.create_task(stage.desk.run(look_at_start=look_at_start))
    try:
        yield stage
    finally:
        await stage.desk.close()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


async def test_looking_around_tells_everything_together(tmp_path: Path) -> None:
    async with running(Stage(tmp_path)) as stage:
        assert await stage.obey(LookAround()) == [SetupLooked(FOUND)]


async def test_facts_that_cannot_be_had_are_empty_and_said_and_the_others_are_there() -> None:
    async def no_sound() -> DeviceNames:
        raise AudioUnavailableError("PortAudio is not installed.")

    async def no_disk() -> bool:
        raise PermissionError(13, "Permission denied")

    async def broken(machine: MachineFacts) -> tuple[()]:
        raise RuntimeError(machine)

    looks = replace(LOOKS, devices=no_sound, autostart=no_disk, chat=broken)
    facts = await look_around(looks, PlainTexts())
    assert replace(facts, troubles=()) == replace(FOUND, microphones=(), loudspeakers=(), autostart=False)
    assert sorted(facts.troubles) == [
        "Chat models could not be looked at: RuntimeError. Look again later.",
        "Microphone and loudspeaker could not be looked at: PortAudio is not installed. Look again later.",
        "Starting with the computer could not be looked at: Permission denied. Look again later.",
    ]


async def test_a_look_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jarvis_desktop.app.setup_looks.LOOK_S", 0.05)

    async def hang() -> OllamaFound:
        await asyncio.Event().wait()
        raise AssertionError

    facts = await look_around(replace(LOOKS, ollama=hang), PlainTexts())
    assert (facts.ollama, facts.ollama_text) == (OllamaPresence.ABSENT, "")
    assert facts.troubles == (
        "Ollama could not be looked at: there was no answer within 0 seconds. Look again later.",
    )
    assert LOOK_S < 10


async def test_somebody_new_is_looked_around_for_at_once_and_others_after_the_ears(tmp_path: Path) -> None:
    async with running(Stage(tmp_path), look_at_start=True) as stage:
        await settle()
        assert stage.events == [SetupLooked(FOUND)]
    later = Stage(tmp_path)
    looks = replace(LOOKS, first_time=giving(False))
    later.desk = SetupDesk(replace(later.parts, looks=looks))
    async with running(later, look_at_start=True):
        await settle()
        assert later.events == []
        await later.clock.advance(FIRST_LOOK_S)
        assert later.events == [SetupLooked(replace(FOUND, first_time=False))]


@pytest.mark.parametrize("command", FETCHES)
async def test_downloads_go_to_whoever_fetches(tmp_path: Path, command: FetchCommand) -> None:
    async with running(Stage(tmp_path)) as stage:
        await stage.obey(command)
        assert stage.done == [command]


@pytest.mark.parametrize("stage_of_it", [FetchStage.DONE, FetchStage.GONE])
async def test_a_model_that_came_or_went_is_used_at_once(tmp_path: Path, stage_of_it: FetchStage) -> None:
    async with running(Stage(tmp_path)) as stage:
        await stage.emit(FetchChanged(FetchState(FetchKind.FILES, "wake", stage_of_it)))
        await settle()
        assert stage.done == ["models came"]
        assert stage.events[1:] == [SetupLooked(FOUND)]
        await stage.emit(FetchChanged(FetchState(FetchKind.FILES, "wake", FetchStage.RUNNING)))
        assert stage.done == ["models came"]


async def test_a_setting_is_written_and_facts_that_hang_on_it_are_looked_at(tmp_path: Path) -> None:
    async with running(Stage(tmp_path)) as stage:
        assert await stage.obey(ChangeSetting("voice.speak", False)) == [
            SettingsChanged({"voice.speak": False})
        ]
        assert await stage.obey(ChangeSetting("model.name", "qwen3:4b")) == [
            SettingsChanged({"model.name": "qwen3:4b"}),
            SetupLooked(FOUND),
        ]
        (refused,) = await stage.obey(ChangeSetting("ui.hotkey", "Ctrl+Nonsense"))
        assert isinstance(refused, SettingRefused)


async def test_a_measurement_is_told_and_the_choices_are_looked_at_again(tmp_path: Path) -> None:
    async with running(Stage(tmp_path)) as stage:
        assert await stage.obey(MeasureModel(Backend.OLLAMA, "gemma4:e2b")) == [
            ModelMeasured(Backend.OLLAMA, "gemma4:e2b", 20.0, 0.5),
            SetupLooked(FOUND),
        ]


async def test_ollama_is_started_or_it_is_said_why_not(tmp_path: Path) -> None:
    async with running(Stage(tmp_path)) as stage:
        assert await stage.obey(StartOllama()) == [SetupLooked(FOUND)]
        assert stage.done == ["start ollama", "models came"]
        stage.failing = MissingPartError("Ollama ended at once.")
        assert await stage.obey(StartOllama()) == [
            TroubleNoted(Part.OLLAMA, "Ollama ended at once."),
            SetupLooked(FOUND),
        ]


async def test_a_machine_elsewhere_is_allowed_only_as_it_was_shown(tmp_path: Path) -> None:
    async with running(Stage(tmp_path)) as stage:
        assert await stage.obey(AllowRemoteModel("http://other:11434")) == [
            SettingRefused(
                "model.allowed_host", "The address is another one by now. Look at it again, then decide."
            ),
            SetupLooked(FOUND),
        ]
        assert stage.live.now.model.allowed_host == ""
        assert SettingsChanged({"model.allowed_host": FAR}) in await stage.obey(AllowRemoteModel(FAR))
        assert stage.live.now.model.allowed_host == FAR


async def test_autostart_is_set_or_refused_with_the_reason(tmp_path: Path) -> None:
    async with running(Stage(tmp_path)) as stage:
        assert await stage.obey(SetAutostart(on=True)) == [SetupLooked(FOUND)]
        assert stage.done == ["autostart True"]
        stage.failing = PermissionError(13, "Permission denied")
        assert await stage.obey(SetAutostart(on=False)) == [
            SettingRefused("autostart", "Permission denied"),
            SetupLooked(FOUND),
        ]


async def test_the_list_of_programs_gets_jarvis_or_it_is_said_why_not(tmp_path: Path) -> None:
    async with running(Stage(tmp_path)) as stage:
        assert await stage.obey(AddToMenu()) == [SetupLooked(FOUND)]
        assert stage.done == ["add to menu"]
        stage.failing = PermissionError(13, "Permission denied")
        assert await stage.obey(AddToMenu()) == [
            SettingRefused("menu", "Permission denied"),
            SetupLooked(FOUND),
        ]


async def test_a_finished_setup_is_kept_or_it_is_said_that_it_comes_again(tmp_path: Path) -> None:
    async with running(Stage(tmp_path)) as stage:
        await stage.obey(FinishSetup())
        assert stage.done == ["finish"]
        stage.failing = OSError(28, "No space left on device")
        trouble = (await stage.obey(FinishSetup()))[0]
        assert isinstance(trouble, TroubleNoted)
        assert trouble.text.endswith("No space left on device. It is shown again at the next start.")


async def test_trials_are_begun_and_ended(tmp_path: Path) -> None:
    async with running(Stage(tmp_path)) as stage:
        (told,) = await stage.obey(BeginTrial(Trial.MICROPHONE))
        assert told == TrialChanged(
            Trial.MICROPHONE,
            running=False,
            trouble="Voice is switched off. Switch it on in the setup window to talk.",
        )
        assert await stage.obey(BeginTrial(Trial.WAKE_WORD), EndTrial(Trial.WAKE_WORD)) == [
            TrialChanged(Trial.WAKE_WORD, running=False)
        ]


async def test_a_wish_that_breaks_breaks_nothing_else(tmp_path: Path) -> None:
    async with running(Stage(tmp_path)) as stage:
        stage.failing = ModelFileError("unexpected here")
        await stage.obey(Fetch(FetchKind.FILES, "wake"))
        stage.failing = None
        assert await stage.obey(LookAround()) == [SetupLooked(FOUND)]
