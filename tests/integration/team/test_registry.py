"""The agents in force while the program runs: real files change, and turns and people notice."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from jarvis_desktop.app.agent_registry import AgentRegistry
from jarvis_desktop.core.items.agents import AgentCard, AgentsListed
from jarvis_desktop.core.items.commands import SubmitTurn
from jarvis_desktop.core.items.events import (
    ActivityNoted,
    Event,
    Part,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    TurnQueued,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.setup import SettingsChanged
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from tests.fakes.chat_model import ScriptedModel, says
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts
from tests.unit.app.stage import Stage, playing

TOOLS = frozenset(
    [
        "bash",
        "read_file",
        "list_dir",
        "glob",
        "grep",
        "web_search",
        "web_fetch",
        "recall_episodes",
        "remember_task_pattern",
    ]
)
PATIENCE_S = 60
SCRIBE = AgentId("scribe")
GOOD = "name: Scribe\nanswers_to: [서기]\npersona: {persona}\n"
E = TypeVar("E")


class House:
    """A home on disk, the registry over it, and what people were told."""

    def __init__(self, home: Path) -> None:
        self.home, self.texts = home, PlainTexts()
        self.events: list[Event] = []
        self._news = asyncio.Event()
        self.registry = AgentRegistry(home, lambda: TOOLS, FakeClock(), self.texts, self.emit)

    async def emit(self, event: Event) -> None:
        self.events.append(event)
        self._news.set()

    def write(self, persona: str = "first", text: str = GOOD) -> Path:
        """As editors save: whole, in one step."""
        folder = self.home / "team"
        folder.mkdir(exist_ok=True)
        draft = self.home / "draft"
        draft.write_text(text.format(persona=persona), "utf-8")
        return draft.replace(folder / "scribe.yaml")

    def card(self) -> AgentCard | None:
        return self.registry.find(SCRIBE)

    def seen(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait for news until ``what`` holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not what():
                self._news.clear()
                await self._news.wait()


@pytest.fixture
async def house(tmp_path: Path) -> House:
    house = House(tmp_path)
    await house.registry.look()
    return house


@pytest.fixture
async def watched(house: House) -> AsyncIterator[House]:
    """With the watcher running, as the program runs it."""
    watching = asyncio.create_task(house.registry.run())
    yield house
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


# --- what is told ---------------------------------------------------------------------------------


async def test_at_the_start_people_learn_who_there_is(house: House) -> None:
    [listed] = house.seen(AgentsListed)
    assert [card.name for card in listed.agents] == ["JARVIS", "KAREN"]
    assert house.seen(TroubleNoted) == []


async def test_a_broken_file_is_told_once_and_told_as_over_when_it_is_mended(house: House) -> None:
    house.write()
    await house.registry.look()
    house.write(text="name: Scribe\ntols: [bash]\n")
    await house.registry.look()
    await house.registry.look()
    [trouble] = house.seen(TroubleNoted)
    [line] = house.seen(ActivityNoted)
    assert trouble.part is Part.TEAM
    assert trouble.text == line.text
    assert trouble.text == (
        "team/scribe.yaml, line 2: an agent's file has no line called tols. Did you mean tools? "
        "Until it is mended, the agent stays as it was."
    )
    assert house.card() is not None
    house.write("mended")
    await house.registry.look()
    assert house.seen(TroubleCleared) == [TroubleCleared(Part.TEAM)]


async def test_in_another_language_what_is_wrong_is_told_again(house: House) -> None:
    house.write(text="name: [")
    await house.registry.look()
    house.texts.speak(Language.KOREAN)
    house.registry.on_event(SettingsChanged({"ui.language": "ko"}))
    await house.registry.look()
    assert len(house.seen(TroubleNoted)) == 2


async def test_agents_that_only_others_ask_are_not_listed_for_people(house: House) -> None:
    house.write(text="name: Scribe\ntop_level: false\n")
    await house.registry.look()
    assert house.card() is not None
    assert all(card.agent_id != SCRIBE for listed in house.seen(AgentsListed) for card in listed.agents)


# --- the watcher, which needs no turn ---------------------------------------------------------------


async def test_without_a_turn_an_edit_is_noticed_at_once(watched: House) -> None:
    (watched.home / "team").mkdir()
    watched.write("first")
    await watched.registry.look()  # a folder that was made after the start is found by a look

    def says(persona: str) -> bool:
        card = watched.card()
        return card is not None and card.persona == persona

    # The watch begins behind the look, so the first edits may come before it.
    async with asyncio.timeout(PATIENCE_S):
        number = 0
        while not says(f"edit {number}"):
            number += 1
            watched.write(f"edit {number}")
            try:
                async with asyncio.timeout(0.5):
                    await watched.until(lambda number=number: says(f"edit {number}"))  # type: ignore[misc]
            except TimeoutError:
                continue
    watched.write("last")
    await watched.until(lambda: says("last"))
    (watched.home / "team" / "scribe.yaml").unlink()
    await watched.until(lambda: watched.card() is None)


# --- turns --------------------------------------------------------------------------------------------


async def personas(house: House, change: Callable[[], object]) -> list[str]:
    """Whom two turns of the scribe had on their cards, with ``change`` while the first one ran."""
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("One.")), says("Two.")), team=house.registry)
    async with playing(stage):
        stage.post(SubmitTurn("서기야, 첫 번째", Origin.TYPED))
        await stage.until(TurnStarted)
        change()
        stage.post(SubmitTurn("두 번째", Origin.TYPED))
        await stage.until(TurnQueued)
        hold.set()
        await stage.until(TurnEnded, 2)
    return [
        started.card.persona if started.card else ended.end.value
        for started, ended in zip(stage.seen(TurnStarted), stage.seen(TurnEnded), strict=True)
    ]


async def test_an_edit_while_a_turn_runs_counts_from_the_next_turn(house: House) -> None:
    house.write("first")
    assert await personas(house, lambda: house.write("second")) == ["first", "second"]


async def test_a_file_that_breaks_while_a_turn_runs_keeps_its_last_good_state(house: House) -> None:
    house.write("first")
    assert await personas(house, lambda: house.write(text="name: [")) == ["first", "first"]
    assert len(house.seen(TroubleNoted)) == 1


async def test_a_file_that_is_mended_while_a_turn_runs_counts_from_the_next_turn(house: House) -> None:
    house.write("first")
    await house.registry.look()
    house.write(text="name: [")
    assert await personas(house, lambda: house.write("mended")) == ["first", "mended"]
    assert house.seen(TroubleCleared) == [TroubleCleared(Part.TEAM)]


async def test_an_agent_that_is_deleted_while_its_turn_runs_ends_what_waits_with_the_reason(
    house: House,
) -> None:
    house.write("first")
    gone = await personas(house, lambda: shutil.rmtree(house.home / "team"))
    assert gone == ["first", TurnEnd.FAILED.value]


async def test_an_agent_that_is_added_while_a_turn_runs_can_be_called_in_the_next(house: House) -> None:
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("One.")), says("Two.")), team=house.registry)
    async with playing(stage):
        stage.post(SubmitTurn("hello", Origin.TYPED))
        await stage.until(TurnStarted)
        house.write("new")
        stage.post(SubmitTurn("Scribe, are you there?", Origin.TYPED))
        await stage.until(TurnQueued)
        hold.set()
        await stage.until(TurnEnded, 2)
    assert [turn.card.name for turn in stage.seen(TurnStarted) if turn.card] == ["JARVIS", "Scribe"]
