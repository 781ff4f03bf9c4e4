"""The care for the chat model: what is missing is said once, warmth comes early, the check runs once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from jarvis_desktop.adapters.ollama_status import ModelStatus
from jarvis_desktop.app.model_care import LOOK_AGAIN_S, LOOK_ON_S, CareParts, ModelCare
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.events import (
    ActivityNoted,
    AdviceGiven,
    Event,
    Part,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    TurnStarted,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import SessionId, TurnId
from jarvis_desktop.core.items.setup import Backend, SettingsChanged
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd
from jarvis_desktop.core.ports import CallStyle, ChatRequest
from jarvis_desktop.core.settings import ModelSettings, Settings
from tests.fakes.chat_model import ScriptedModel, says
from tests.fakes.clock import START, FakeClock, settle
from tests.fakes.texts import PlainTexts

WELL = ModelStatus("0.12.0", model_found=True, capabilities=frozenset({"completion"}), digest="d1")
GONE = ModelStatus(trouble=ModelUnavailableError(ModelTrouble.NO_SERVER, "No Ollama answers."))
NO_MODEL = ModelStatus("0.12.0", trouble=ModelUnavailableError(ModelTrouble.NO_MODEL, "No such model."))
PREFIX = ChatRequest((Message(Role.SYSTEM, "You are Jarvis."),))
STARTED = TurnStarted(TurnId("t"), SessionId("s"), "hello", Origin.TYPED, START)
ENDED = TurnEnded(TurnId("t"), SessionId("s"), TurnEnd.ANSWERED, "Hi.")


class CaredModel(ScriptedModel):
    """A scripted model with a server that is what the test says."""

    now = WELL
    looks = 0
    backend = Backend.OLLAMA

    async def status(self) -> ModelStatus:
        self.looks += 1
        return self.now


class Home:
    """One start: the model, its care, and what people are told."""

    def __init__(self, model: CaredModel, folder: Path, settings: ModelSettings | None = None) -> None:
        self.model, self.clock = model, FakeClock()
        self.events: list[Event] = []
        settings = settings or Settings.model_validate({}).model
        parts = CareParts(
            settings, folder / "checks.yaml", self.clock, PlainTexts(), self._emit, lambda _style: PREFIX
        )
        self.care = ModelCare(model, (), parts)

    async def _emit(self, event: Event) -> None:
        self.events.append(event)

    def told(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    @asynccontextmanager
    async def watched(self) -> AsyncIterator["Home"]:
        watch = asyncio.create_task(self.care.run())
        try:
            yield self
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)


async def until(true: Callable[[], object]) -> None:
    """Let tasks and their work in other threads go on until it holds."""
    async with asyncio.timeout(10):
        while not true():
            await asyncio.to_thread(lambda: None)
            await settle()


async def test_a_missing_server_is_said_once_and_cleared_when_it_is_back(tmp_path: Path) -> None:
    model = CaredModel()
    model.now = GONE
    async with Home(model, tmp_path).watched() as home:
        for wait in LOOK_AGAIN_S:
            await home.clock.advance(wait)
        model.now = WELL
        await home.clock.advance(LOOK_AGAIN_S[-1])
        await until(lambda: home.told(TroubleCleared))
    assert home.told(TroubleNoted) == [TroubleNoted(Part.OLLAMA, "No Ollama answers.")]
    assert home.told(TroubleCleared) == [TroubleCleared(Part.OLLAMA)]


async def test_a_trouble_is_told_again_in_another_language(tmp_path: Path) -> None:
    model = CaredModel()
    model.now = GONE
    async with Home(model, tmp_path).watched() as home:
        await until(lambda: home.told(TroubleNoted))
        model.now = replace(GONE, trouble=ModelUnavailableError(ModelTrouble.NO_SERVER, "Ollama 가 없어요."))
        home.care.on_event(SettingsChanged({"ui.language": "ko"}))
        await until(lambda: len(home.told(TroubleNoted)) > 1)
    assert home.told(TroubleNoted) == [
        TroubleNoted(Part.OLLAMA, "No Ollama answers."),
        TroubleNoted(Part.OLLAMA, "Ollama 가 없어요."),
    ]
    assert home.told(TroubleCleared) == []


async def test_another_trouble_takes_the_place_of_the_first(tmp_path: Path) -> None:
    model = CaredModel()
    model.now = GONE
    async with Home(model, tmp_path).watched() as home:
        await settle()
        model.now = NO_MODEL
        await home.clock.advance(LOOK_AGAIN_S[0])
    assert [event for event in home.events if not isinstance(event, ActivityNoted)] == [
        TroubleNoted(Part.OLLAMA, "No Ollama answers."),
        TroubleCleared(Part.OLLAMA),
        TroubleNoted(Part.MODEL, "No such model."),
    ]


async def test_a_failed_turn_makes_the_care_look_at_once(tmp_path: Path) -> None:
    model = CaredModel()
    async with Home(model, tmp_path).watched() as home:
        await until(lambda: home.told(ActivityNoted))
        home.care.on_event(replace(ENDED, end=TurnEnd.FAILED))
        await until(lambda: model.looks == 2)


async def test_the_model_is_warmed_up_while_the_person_begins_to_speak(tmp_path: Path) -> None:
    model = CaredModel()
    home = Home(model, tmp_path)
    home.care.on_event(VoiceStateChanged(VoiceState.LISTENING, muted=False, listen_for=ListenFor.REQUEST))
    home.care.on_event(VoiceStateChanged(VoiceState.LISTENING, muted=False, listen_for=ListenFor.REQUEST))
    await settle()
    assert (model.warmed_up, model.prefix) == (1, PREFIX)


async def test_a_model_without_tools_is_held_to_a_schema_and_remembered(tmp_path: Path) -> None:
    async with Home(CaredModel(), tmp_path).watched() as home:
        await until(lambda: home.told(ActivityNoted))
    assert home.care.style is CallStyle.SCHEMA
    assert len(home.told(ActivityNoted)) == 1
    assert "d1" in (tmp_path / "checks.yaml").read_text("utf-8")


async def test_what_was_found_out_is_not_asked_again(tmp_path: Path) -> None:
    asked = CaredModel(*(says("no call") for _ in range(6)))
    asked.now = replace(WELL, capabilities=frozenset({"tools"}))
    async with Home(asked, tmp_path).watched() as home:
        await until(lambda: home.told(ActivityNoted))
    again = CaredModel()
    again.now = asked.now
    async with Home(again, tmp_path).watched() as home:
        await until(lambda: home.told(ActivityNoted))
    assert asked.requests
    assert again.requests == []
    assert home.care.known_style(again.name) is home.care.style
    assert home.care.known_style("never-checked") is None


async def test_a_turn_that_begins_takes_the_model_from_the_check(tmp_path: Path) -> None:
    hold = asyncio.Event()
    model = CaredModel((hold,), *(says("no call") for _ in range(6)))
    model.now = replace(WELL, capabilities=frozenset({"tools"}))
    async with Home(model, tmp_path).watched() as home:
        await until(lambda: model.open_streams)
        home.care.on_event(STARTED)
        await until(lambda: not model.open_streams)
        home.care.on_event(ENDED)
        await until(lambda: home.told(ActivityNoted))
    assert len(model.requests) > 1


async def test_the_persons_choice_needs_no_check(tmp_path: Path) -> None:
    model = CaredModel()
    settings = Settings.model_validate({"model": {"calls": "native"}}).model
    async with Home(model, tmp_path, settings).watched() as home:
        await until(lambda: model.looks)
        await home.clock.advance(LOOK_ON_S)
    assert (home.care.style, model.requests) == (CallStyle.NATIVE, [])
    assert not (tmp_path / "checks.yaml").exists()


async def test_a_broken_memory_of_checks_only_costs_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "checks.yaml").write_bytes(b"\xff: [")
    async with Home(CaredModel(), tmp_path).watched() as home:
        await until(lambda: home.told(ActivityNoted))
    assert home.care.style is CallStyle.SCHEMA


async def test_the_model_inside_jarvis_is_read_ahead_at_once_and_never_checked(tmp_path: Path) -> None:
    model = CaredModel()
    model.backend = Backend.EMBEDDED
    settings = Settings.model_validate({"model": {"calls": "native"}}).model
    async with Home(model, tmp_path, settings).watched() as home:
        await until(lambda: home.told(AdviceGiven) and model.prefix)
    assert (home.care.style, model.prefix, model.requests) == (CallStyle.SCHEMA, PREFIX, [])


async def test_that_gemma_would_be_better_is_said_once_on_a_home_and_is_no_trouble(tmp_path: Path) -> None:
    model = CaredModel()
    model.backend = Backend.EMBEDDED
    async with Home(model, tmp_path).watched() as home:
        await until(lambda: home.told(AdviceGiven))
        await until((tmp_path / "checks.yaml").exists)
    advice = next(event for event in home.events if isinstance(event, AdviceGiven))
    assert "ollama pull gemma4:e2b" in advice.text
    assert "https://ollama.com/download" in advice.text
    async with Home(model, tmp_path).watched() as again:
        await until(lambda: model.warmed_up == 2)
        await again.clock.advance(LOOK_ON_S)
    assert (again.events, home.told(TroubleNoted)) == ([], [])


async def test_trouble_with_the_model_inside_jarvis_is_no_trouble_of_ollama(tmp_path: Path) -> None:
    model = CaredModel()
    model.backend, model.now = Backend.EMBEDDED, GONE
    async with Home(model, tmp_path).watched() as home:
        await settle()
    assert home.told(TroubleNoted) == [TroubleNoted(Part.MODEL, "No Ollama answers.")]
