"""Which model answers: Ollama where it is, the one inside Jarvis where it is not; never two in one turn."""

from collections.abc import Sequence

import pytest

from jarvis_desktop.adapters.ollama_status import ModelStatus
from jarvis_desktop.app.chat_models import (
    SMALL_STARTER,
    STARTER,
    AskedModel,
    ChosenModel,
    ChosenParts,
    ModelMakers,
    starter_for,
)
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.events import ActivityNoted, Event, TurnEnded, TurnStarted
from jarvis_desktop.core.items.ids import SessionId, TurnId
from jarvis_desktop.core.items.setup import Backend
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd
from jarvis_desktop.core.ports import ChatRequest, TextPiece
from jarvis_desktop.core.settings import ModelSettings
from tests.fakes.chat_model import ScriptedModel, ScriptStep, says
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts

NO_OLLAMA = ModelUnavailableError(ModelTrouble.NO_SERVER, "No Ollama answers.")
NO_WEIGHTS = ModelUnavailableError(ModelTrouble.NO_MODEL, "No weights.")
ABSENT = ModelStatus(trouble=NO_OLLAMA)
WELL = ModelStatus("0.12.0", model_found=True)
ASK = ChatRequest((Message(Role.USER, "Hello"),))
STARTED = TurnStarted(TurnId("t"), SessionId("s"), "hello", Origin.TYPED, START)
ENDED = TurnEnded(TurnId("t"), SessionId("s"), TurnEnd.ANSWERED, "Hi.")


class Asked(ScriptedModel):
    """A scripted model that is as the test says."""

    def __init__(self, name: str, now: ModelStatus, *answers: Sequence[ScriptStep]) -> None:
        super().__init__(*answers)
        self.name, self.now, self.closed = name, now, False

    async def status(self) -> ModelStatus:
        return self.now

    async def close(self) -> None:
        self.closed = True


class Room:
    """A choice between two scripted models, and what people are told."""

    def __init__(self, ollama: Asked, embedded: Asked, **settings: str) -> None:
        self.ollama, self.embedded = ollama, embedded
        self.events: list[Event] = []
        self.made: list[str] = []
        makers = ModelMakers(self._make_ollama, self._make_embedded, starter=STARTER)
        parts = ChosenParts(makers, FakeClock(), PlainTexts(), self._emit)
        self.chosen = ChosenModel(ModelSettings.model_validate(settings), parts)

    def _make_ollama(self, settings: ModelSettings) -> AskedModel:
        self.made.append(settings.name)
        return self.ollama

    def _make_embedded(self, name: str, settings: ModelSettings) -> AskedModel:
        self.made.append(name)
        return self.embedded

    async def _emit(self, event: Event) -> None:
        self.events.append(event)

    async def turn(self, requests: int = 1) -> list[str]:
        """Who answered each request of one turn."""
        self.chosen.on_event(STARTED)
        try:
            return [await self.answer() for _ in range(requests)]
        finally:
            self.chosen.on_event(ENDED)

    async def answer(self) -> str:
        pieces = [piece async for piece in self.chosen.stream(ASK)]
        return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))

    def lines(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, ActivityNoted)]


def ollama(now: ModelStatus, times: int = 4) -> Asked:
    return Asked("gemma4:e2b", now, *[says("Gemma.")] * times)


def embedded(now: ModelStatus = WELL, times: int = 4) -> Asked:
    return Asked(STARTER, now, *[says("Qwen.")] * times)


async def test_with_ollama_it_answers() -> None:
    room = Room(ollama(WELL), embedded())
    assert (await room.turn(), room.chosen.name, room.chosen.backend) == (
        ["Gemma."],
        "gemma4:e2b",
        Backend.OLLAMA,
    )
    assert room.events == []


async def test_without_ollama_the_model_inside_jarvis_answers() -> None:
    room = Room(ollama(ABSENT), embedded())
    assert (await room.turn(), room.chosen.name, room.chosen.backend) == (
        ["Qwen."],
        STARTER,
        Backend.EMBEDDED,
    )
    assert (await room.chosen.status()) == WELL


async def test_ollama_that_appears_amid_a_turn_answers_from_the_next_one_on_and_it_is_said() -> None:
    room = Room(ollama(ABSENT), embedded())
    room.chosen.on_event(STARTED)
    first = await room.answer()
    room.ollama.now = WELL
    second, seen = await room.answer(), await room.chosen.status()
    room.chosen.on_event(ENDED)

    assert (first, second, seen, await room.turn()) == ("Qwen.", "Qwen.", WELL, ["Gemma."])
    assert room.lines() == [
        "Ollama is there now, so gemma4:e2b answers in place of the small model inside Jarvis."
    ]


async def test_ollama_that_has_gone_costs_no_turn() -> None:
    gone = Asked("gemma4:e2b", WELL, says("Gemma."), [NO_OLLAMA])
    room = Room(gone, embedded())
    before = await room.turn()
    gone.now = ABSENT

    assert (before, await room.turn()) == (["Gemma."], ["Qwen."])
    assert room.lines() == [
        f"Ollama does not answer. Until it does, the small model inside Jarvis answers: {STARTER}."
    ]


async def test_ollama_that_goes_between_two_requests_of_a_turn_leaves_it_to_nobody_else() -> None:
    gone = Asked("gemma4:e2b", WELL, says("I look."), [NO_OLLAMA], [NO_OLLAMA])
    room = Room(gone, embedded())
    room.chosen.on_event(STARTED)
    first = await room.answer()
    gone.now = ABSENT
    with pytest.raises(ModelUnavailableError, match=r"^No Ollama answers\.$"):
        await room.answer()
    room.chosen.on_event(ENDED)

    assert (first, await room.turn(requests=2)) == ("I look.", ["Qwen.", "Qwen."])


async def test_an_answer_that_breaks_off_in_the_middle_is_not_begun_anew_by_another_model() -> None:
    lost = Asked("gemma4:e2b", WELL, [TextPiece("Gem"), NO_OLLAMA])
    room = Room(lost, embedded())
    with pytest.raises(ModelUnavailableError, match=r"^No Ollama answers\.$"):
        await room.turn()
    assert room.embedded.requests == []


@pytest.mark.parametrize("kind", [ModelTrouble.NO_MODEL, ModelTrouble.TOO_OLD, ModelTrouble.REMOTE_UNASKED])
async def test_an_ollama_that_only_lacks_something_is_not_passed_over(kind: ModelTrouble) -> None:
    room = Room(ollama(ModelStatus(trouble=ModelUnavailableError(kind, "Pull it."))), embedded())
    status = await room.chosen.status()
    assert (str(status.trouble), room.chosen.backend) == ("Pull it.", Backend.OLLAMA)


async def test_a_slip_of_the_pen_in_the_address_is_said_and_not_worked_around() -> None:
    room = Room(ollama(ABSENT), embedded(), host="http://:::")
    status = await room.chosen.status()
    assert (status.trouble, room.chosen.backend) == (NO_OLLAMA, Backend.OLLAMA)


async def test_without_any_model_both_ways_out_are_said() -> None:
    room = Room(Asked("gemma4:e2b", ABSENT, [NO_OLLAMA]), embedded(ModelStatus(trouble=NO_WEIGHTS)))
    said = str((await room.chosen.status()).trouble)
    assert said.startswith("No Ollama answers. Or use the small model inside Jarvis")
    assert said.endswith(f"jarvis-desktop models fetch {STARTER}")
    with pytest.raises(ModelUnavailableError) as caught:
        await room.turn()
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("settings", "backend"),
    [
        ({"backend": "ollama"}, Backend.OLLAMA),
        ({"backend": "embedded"}, Backend.EMBEDDED),
        ({"backend": "auto", "name": SMALL_STARTER}, Backend.EMBEDDED),
    ],
)
async def test_what_the_settings_decide_is_not_chosen_again(
    settings: dict[str, str], backend: Backend
) -> None:
    room = Room(ollama(ABSENT), embedded(ModelStatus(trouble=NO_WEIGHTS)), **settings)
    assert room.chosen.backend is backend
    await room.chosen.status()
    assert room.chosen.backend is backend


async def test_changed_settings_count_from_the_next_turn_on() -> None:
    room = Room(ollama(WELL), embedded())
    await room.chosen.status()
    room.chosen.on_event(STARTED)
    assert await room.answer() == "Gemma."
    room.chosen.configure(ModelSettings.model_validate({"backend": "embedded", "name": SMALL_STARTER}))
    assert await room.answer() == "Gemma."
    room.chosen.on_event(ENDED)

    assert (await room.turn(), room.made[-1]) == (["Qwen."], SMALL_STARTER)
    assert room.ollama.closed
    assert room.lines() == [f"From now on {STARTER} answers."]


async def test_settings_that_change_nothing_about_the_model_are_not_told() -> None:
    room = Room(ollama(WELL), embedded())
    await room.chosen.status()
    room.chosen.configure(ModelSettings.model_validate({"temperature": 1.0}))
    await room.turn()
    assert room.events == []


async def test_the_model_that_answers_is_the_one_that_is_warmed_up_and_measured() -> None:
    room = Room(ollama(ABSENT), embedded())
    await room.chosen.warm_up(ASK)
    assert (room.ollama.warmed_up, room.embedded.prefix) == (0, ASK)
    assert room.chosen.serving(Backend.EMBEDDED, STARTER) is room.embedded
    assert room.chosen.serving(Backend.EMBEDDED, SMALL_STARTER) is None
    await room.chosen.close()
    assert (room.ollama.closed, room.embedded.closed) == (True, True)


@pytest.mark.parametrize(
    ("memory", "name"), [(0, STARTER), (4_000_000_000, SMALL_STARTER), (8_000_000_000, STARTER)]
)
def test_a_small_machine_gets_the_smaller_starter(memory: int, name: str) -> None:
    assert starter_for(memory) == name
