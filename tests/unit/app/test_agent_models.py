"""Each agent answers with its own model where its file names one, and with the app's where it does not."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from jarvis_desktop.adapters.ollama_status import ModelStatus
from jarvis_desktop.app.agent_models import AgentModelParts, AgentModels, wished
from jarvis_desktop.app.chat_models import STARTER, ChosenModel, ChosenParts, ModelMakers
from jarvis_desktop.core.items.agents import AgentCard, ModelWish
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.core.ports import CallStyle, ChatModel
from jarvis_desktop.core.settings import ModelSettings
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.prompt import PromptBuilder
from jarvis_desktop.core.turn.turn_notes import TurnNotes, TurnOutcome
from tests.fakes.chat_model import ScriptedModel, ScriptStep, says
from tests.fakes.team import JARVIS, KAREN
from tests.fakes.texts import PlainTexts
from tests.fakes.tools import LookTool
from tests.unit.policy.asking import REQUEST
from tests.unit.turn.stage import Stage

SETTINGS = ModelSettings.model_validate({"name": "gemma4:e2b", "temperature": 0.2})
MISSING = ModelUnavailableError(ModelTrouble.NO_MODEL, 'Ollama has no model "qwen3:8b".')


class Asked(ScriptedModel):
    """A scripted model behind Ollama, that is there."""

    def __init__(self, name: str, *answers: Sequence[ScriptStep]) -> None:
        super().__init__(*answers)
        self.name, self.closed = name, False

    async def status(self) -> ModelStatus:
        return ModelStatus("0.12.0", model_found=True)

    async def close(self) -> None:
        self.closed = True


class Room:
    """Two agents and the models that were made for them."""

    def __init__(self, *hers: Sequence[ScriptStep]) -> None:
        self.own = ScriptedModel(says("His own."), says("His own again."))
        self.hers = list(hers)
        self.made: list[tuple[ModelSettings, Asked]] = []
        self.stage = Stage([LookTool()])
        parts = AgentModelParts(
            self.own,
            lambda: CallStyle.NATIVE,
            {"checked:1b": CallStyle.NATIVE}.get,
            self.another,
            self.engine,
            PlainTexts(),
        )
        self.models = AgentModels(SETTINGS, parts)

    def another(self, settings: ModelSettings) -> ChosenModel:
        def ollama(wanted: ModelSettings) -> Asked:
            self.made.append((wanted, Asked(wanted.name, *self.hers)))
            return self.made[-1][1]

        makers = ModelMakers(ollama, lambda name, _: Asked(name), starter=STARTER)
        return ChosenModel(settings, ChosenParts(makers, self.stage.clock, PlainTexts(), self.stage.emit))

    def engine(self, model: ChatModel) -> TurnEngine:
        return TurnEngine(
            model, self.stage.runner, PromptBuilder(), self.stage.clock, PlainTexts(), self.stage.emit
        )

    async def turn(self, card: AgentCard) -> TurnOutcome:
        request = replace(REQUEST, agent_id=card.agent_id, card=card)
        return await self.models.run(request, (), self.models.style(card), TurnNotes())


def with_model(**wish: object) -> AgentCard:
    return replace(KAREN, model=replace(ModelWish(), **wish))  # type: ignore[arg-type]  # fields by name


async def test_an_agent_whose_file_names_a_model_is_answered_by_that_one() -> None:
    room = Room(says("Hers."))
    outcome = await room.turn(with_model(name="qwen3:8b", temperature=0.7))
    [(settings, _)] = room.made
    assert (outcome.end, outcome.text, room.own.requests) == (TurnEnd.ANSWERED, "Hers.", [])
    assert (settings.name, settings.backend, settings.temperature) == ("qwen3:8b", "ollama", 0.7)
    assert settings.host == SETTINGS.host


@pytest.mark.parametrize("name", ["", "gemma4:e2b"])
async def test_without_a_model_of_its_own_an_agent_shares_the_apps(name: str) -> None:
    room = Room()
    outcome = await room.turn(with_model(name=name, temperature=0.9, think=True))
    assert (outcome.text, room.made) == ("His own.", [])
    [request] = room.own.requests
    assert (request.temperature, request.think) == (0.9, True)


async def test_an_agent_may_wish_for_fewer_tokens_than_the_model_has_and_gets_no_more() -> None:
    room = Room()
    await room.turn(with_model(context_tokens=2048))
    await room.turn(with_model(context_tokens=100_000))
    assert [request.max_tokens for request in room.own.requests] == [512, 2048]


async def test_a_model_that_is_missing_is_told_with_what_to_do_and_nobody_answers_in_its_place() -> None:
    room = Room((MISSING,))
    outcome = await room.turn(with_model(name="qwen3:8b"))
    assert (outcome.end, room.own.requests) == (TurnEnd.FAILED, [])
    assert outcome.text.startswith('Ollama has no model "qwen3:8b".')
    assert "with the line model taken out of ~/.jarvis/team/karen.yaml" in outcome.text


async def test_the_same_model_goes_on_until_the_file_names_another_and_is_closed_then() -> None:
    room = Room(says("One."), says("Two."))
    await room.turn(with_model(name="qwen3:8b"))
    await room.turn(with_model(name="qwen3:8b"))
    assert len(room.made) == 1
    await room.turn(with_model(name="other:1b"))
    await room.models.close()
    assert [settings.name for settings, _ in room.made] == ["qwen3:8b", "other:1b"]
    assert all(model.closed for _, model in room.made)


async def test_another_server_counts_for_agents_with_a_model_of_their_own_too() -> None:
    room = Room(says("One."))
    await room.turn(with_model(name="qwen3:8b"))
    room.models.configure(SETTINGS.model_copy(update={"host": "http://127.0.0.1:9999"}))
    await room.turn(with_model(name="qwen3:8b"))
    assert [settings.host for settings, _ in room.made] == [SETTINGS.host, "http://127.0.0.1:9999"]


def test_a_model_that_was_never_checked_is_held_to_a_schema() -> None:
    room = Room()
    assert room.models.style(JARVIS) is CallStyle.NATIVE
    assert room.models.style(with_model(name="qwen3:8b")) is CallStyle.SCHEMA
    assert room.models.style(with_model(name="checked:1b")) is CallStyle.NATIVE
    assert room.models.style(with_model(name=STARTER)) is CallStyle.SCHEMA
    room.models.configure(SETTINGS.model_copy(update={"calls": "native"}))
    assert room.models.style(with_model(name="qwen3:8b")) is CallStyle.NATIVE


def test_a_file_moves_no_conversation_to_another_machine() -> None:
    settings = wished(with_model(name="big:cloud"), SETTINGS)
    assert (settings.host, settings.allowed_host) == (SETTINGS.host, "")


def test_a_model_inside_jarvis_is_wished_for_by_its_name() -> None:
    assert wished(with_model(name=STARTER), SETTINGS).backend == "embedded"
