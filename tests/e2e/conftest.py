"""A real desk, a real room and a scripted or real Ollama for the whole program."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn, Protocol

import pytest

from jarvis_desktop.adapters.model_files import ModelFiles
from tests.e2e import desk as desks
from tests.e2e import sound as rooms
from tests.e2e.desk import Desk, desktop
from tests.e2e.sound import Room, sound
from tests.fakes.ollama_script import Script, Step
from tests.parts.ollama_script import OllamaProgram
from tests.parts.program import Home, Program, fresh_home
from tests.parts.speech import CACHE

# Native calls, so that no model check asks the script anything.
SETTINGS = {"JARVIS_MODEL__CALLS": "native", "JARVIS_UI__LANGUAGE": "en", "JARVIS_LOG_LEVEL": "debug"}


def absent(reason: str) -> NoReturn:
    """Ends the test: skipped with the reason, failed where CI promises the part."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desktop with a tray."""
    missing = desks.missing_programs()
    if missing:
        absent(f"a desktop of our own needs {', '.join(missing)}; ./test installs them")
    with desktop(tmp_path_factory.mktemp("desk")) as running:
        yield running


@pytest.fixture
def trayless_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desktop without any tray."""
    missing = desks.missing_programs()
    if missing:
        absent(f"a desktop of our own needs {', '.join(missing)}; ./test installs them")
    with desktop(tmp_path_factory.mktemp("desk"), tray=False) as running:
        yield running


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A microphone and a loudspeaker."""
    missing = rooms.missing_programs()
    if missing:
        absent(f"a sound server of our own needs {', '.join(missing)}; ./test installs them")
    with sound(tmp_path_factory.mktemp("room")) as running:
        yield running


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory, speech_models: ModelFiles) -> Path:
    """A folder with the speech models, as a home has it."""
    folder = tmp_path_factory.mktemp("models")
    for name in speech_models.needed:
        part = speech_models.entry(name).folder
        (folder / part).symlink_to(CACHE / part)
    return folder


class Launches(Protocol):
    """Starts the real program with a scripted Ollama."""

    def __call__(
        self,
        *steps: Step,
        on: Desk | None = None,
        arguments: tuple[str, ...] = (),
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> "Stage":
        """The program, started. ``settings`` are environment variables."""


class Stage:
    """One test's home, its Ollama, and the programs that ran in it."""

    def __init__(self, home: Home, desk: Desk, room: Room | None, ollama: OllamaProgram | None) -> None:
        self.home = home
        self.desk = desk
        self.ollama = ollama
        self._room = room
        self.programs: list[Program] = []

    def start(self, *arguments: str) -> Program:
        """The program, started (again) in the same home."""
        self.programs.append(Program(self.home, self.desk, self._room, *arguments))
        return self.programs[-1]

    @property
    def program(self) -> Program:
        """The program that was started last."""
        return self.programs[-1]

    @property
    def scripted(self) -> OllamaProgram:
        """The scripted Ollama."""
        assert self.ollama is not None
        return self.ollama

    @property
    def spoken_to(self) -> Room:
        """The room that the program hears."""
        assert self._room is not None
        return self._room


@pytest.fixture
def stages(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[Stage], Stage]]:
    """Registers a stage: its programs end with the test, and a failure leaves a picture and the log."""
    kept: list[Stage] = []

    def keep(stage: Stage) -> Stage:
        kept.append(stage)
        return stage

    yield keep
    failed = getattr(request.node, "call_failed", False)
    for stage in kept:
        if failed:
            report(stage, tmp_path)
        for program in stage.programs:
            program.clear_away()


def report(stage: Stage, folder: Path) -> None:
    """Says where the picture of the screen and the log of the program are."""
    picture = stage.desk.picture(folder / "screen.png")
    print(f"\nscreen:  {picture}\nlog:     {stage.home.folder / 'logs/jarvis.log'}")
    for record in stage.home.log[-40:]:
        print("  ", record)
    for program in stage.programs:
        print(f"output of {program.pid}: {program.output[-2000:]}")
    print("turns:   ", stage.home.turns, "\nactivity:", stage.home.activity)
    if stage.ollama is not None:
        print("requests:", len(stage.ollama.chats))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Iterator[None]:
    """Lets fixtures know at their end that the test failed."""
    outcome: pytest.TestReport = yield  # type: ignore[assignment]  # pluggy sends the report in
    if call.when == "call" and outcome.failed:
        item.call_failed = True  # type: ignore[attr-defined]  # a note on the item for ``stages``
    return outcome  # type: ignore[return-value]  # pluggy takes it back


@pytest.fixture
def silent(
    stages: Callable[[Stage], Stage],
    tmp_path: Path,
    desk: Desk,
    ollama_program: Callable[[Script], OllamaProgram],
) -> Launches:
    """Starts the program without microphone and loudspeaker."""

    def launch(
        *steps: Step,
        on: Desk | None = None,
        arguments: tuple[str, ...] = (),
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> Stage:
        ollama = ollama_program(Script(steps))
        env = SETTINGS | {"JARVIS_MODEL__HOST": ollama.host} | dict(settings)
        stage = stages(Stage(fresh_home(tmp_path, None, env), on or desk, None, ollama))
        stage.start(*arguments)
        return stage

    return launch


@pytest.fixture
def voice_begins(
    stages: Callable[[Stage], Stage],
    tmp_path: Path,
    desk: Desk,
    room: Room,
    models: Path,
    ollama_program: Callable[[Script], OllamaProgram],
) -> Launches:
    """Starts the program with microphone, loudspeaker and speech models."""

    def launch(
        *steps: Step,
        on: Desk | None = None,
        arguments: tuple[str, ...] = (),
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> Stage:
        ollama = ollama_program(Script(steps))
        env = SETTINGS | {"JARVIS_MODEL__HOST": ollama.host} | dict(settings)
        stage = stages(Stage(fresh_home(tmp_path, models, env), on or desk, room, ollama))
        stage.start(*arguments)
        return stage

    return launch


@pytest.fixture
def voiced(voice_begins: Launches) -> Launches:
    """Starts the program like ``voice_begins``, and waits until it hears."""

    def launch(
        *steps: Step,
        on: Desk | None = None,
        arguments: tuple[str, ...] = (),
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> Stage:
        stage = voice_begins(*steps, on=on, arguments=arguments, settings=settings)
        stage.program.listens()
        return stage

    return launch
