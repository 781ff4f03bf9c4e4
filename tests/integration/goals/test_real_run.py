"""A goal with a real model: told once, silent while nothing changes, told the change.

Nothing here depends on the wit of the model: it may call the one tool or answer, and what the tool wants told
is told whether or not the model repeats it.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.core.goals.naming import goal_id
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.goals import Goal, GoalItem, GoalOutcome, GoalReport, GoalSpoke
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import CallStyle
from jarvis_desktop.core.settings import ModelSettings
from jarvis_desktop.core.tool import Tool, ToolArguments, ToolOutput
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts
from tests.integration.goals.house import House
from tests.parts.ollama import RealOllama
from tests.parts.ollama_recorder import OllamaRecorder

pytestmark = [pytest.mark.real_ollama, pytest.mark.timeout(400)]

SENTENCE = "Tell me only when a housing notice is new or has changed"
GOAL = Goal(goal_id(MAIN_AGENT, SENTENCE), MAIN_AGENT, SENTENCE, "Asia/Seoul", START)
OPEN, CHANGED = "Item: [n1@1] Magok: open until Friday", "Item: [n1@2] Magok: open until Sunday"
OTHER = "Item: [n2] Godeok: opens in May"


class Nothing(ToolArguments):
    """Nothing to say."""


class Notices(Tool[Nothing]):
    """What is on the board now."""

    name: ClassVar[str] = "housing_notices"
    description: ClassVar[str] = "All housing notices there are now. Call this to look at housing notices."
    arguments: ClassVar[type[ToolArguments]] = Nothing
    read_only: ClassVar[bool] = True

    def __init__(self) -> None:
        self.board = ""
        self.ran = 0

    async def run(self, arguments: Nothing, allow: Allow, request: TurnRequest) -> ToolOutput:
        assert isinstance(allow, Allow)
        self.ran += 1
        return ToolOutput(self.board)


class RealHouse(House):
    """Its model is on a server and held to a schema."""

    def style(self, card: AgentCard) -> CallStyle:
        return CallStyle.SCHEMA


@dataclass
class Board:
    """A house that watches a board, and what its turns cost."""

    house: RealHouse
    notices: Notices
    recorder: OllamaRecorder
    ran: int = 0
    """Times that the tool ran in the last turn."""
    asked: int = 0
    """Requests to the model in the last turn, as its server saw them."""

    async def turn(self, *lines: str) -> GoalReport:
        """One turn while these lines are on the board."""
        self.notices.board = "\n".join(lines)
        ran, asked = self.notices.ran, self.recorder.model_requests
        report = await self.house.turns.advance(GOAL.goal_id)
        assert report is not None
        self.ran, self.asked = self.notices.ran - ran, self.recorder.model_requests - asked
        return report

    @property
    def said(self) -> list[str]:
        """The lines that were told in the conversation, without the agent's own head."""
        told = [event.text for event in self.house.events if isinstance(event, GoalSpoke)]
        return [line.removeprefix("- ") for text in told for line in text.splitlines() if ": open" in line]


@pytest.fixture
async def board(
    tmp_path: Path, store: SqliteStore, clock: FakeClock, real_ollama: RealOllama
) -> AsyncIterator[Board]:
    await store.begin_conversation(MAIN_AGENT, tmp_path)
    async with OllamaRecorder(real_ollama.host).serving() as recorder:
        settings = {
            "host": recorder.host,
            "name": real_ollama.model("qwen05-schema"),
            "context_tokens": 4096,
            "temperature": 0,
        }
        model = OllamaModel(ModelSettings.model_validate(settings), PlainTexts())
        house, notices = RealHouse(tmp_path, store, clock), Notices()
        house.tools, house.model = [notices], model  # type: ignore[assignment]  # a real one
        house.files.give(GOAL)
        yield Board(house, notices, recorder)
        await model.close()


@pytest.mark.promise("G-001")
@pytest.mark.promise("G-007")
@pytest.mark.promise("G-009")
@pytest.mark.promise("G-017")
async def test_told_once_silent_while_nothing_changes_and_told_the_change(board: Board) -> None:
    first = await board.turn(OPEN, OTHER)
    assert first.run.outcome is GoalOutcome.TOLD
    assert {one.key for one in first.told} >= {"n1", "n2"}
    assert board.asked >= 1

    silent = await board.turn(OPEN, OTHER)
    assert (silent.run.outcome, silent.run.model_turns, silent.told) == (GoalOutcome.SKIPPED_UNCHANGED, 0, ())
    assert (board.asked, board.ran) == (0, 1)

    changed = await board.turn(CHANGED, OTHER)
    assert changed.run.outcome is GoalOutcome.TOLD
    assert GoalItem("n1", "Magok: open until Sunday", "2") in changed.told
    assert "n2" not in {one.key for one in changed.told}
    assert board.ran == 1, "what was called ahead is handed to the model, and not called again"
    assert [call.ahead for call in changed.calls][:1] == [True]
    assert board.asked >= 1
    assert b"Magok: open until Sunday" in board.recorder.sent
    assert [board.said.count(line) for line in ("Magok: open until Friday", "Magok: open until Sunday")] == [
        1,
        1,
    ]
