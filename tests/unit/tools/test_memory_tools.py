"""The two tools of memory, over a memory that only notes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import MAIN_AGENT, TurnId
from jarvis_desktop.core.items.memory import Episode, PatternName, Recall, TaskPattern
from jarvis_desktop.core.items.memory_desk import PatternTaught
from jarvis_desktop.core.items.turn import TurnEnd, TurnRequest
from jarvis_desktop.core.tools.recall_episodes import NOTHING, RecallEpisodes
from jarvis_desktop.core.tools.remember_task_pattern import BOTH_LANGUAGES, RememberTaskPattern
from tests.fakes.texts import PlainTexts
from tests.unit.memory.test_recall import episode
from tests.unit.tools.calling import call

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
WEATHER = {
    "name": "Weather report",
    "content": "Celsius, in one line.",
    "keywords": ["날씨", "weather"],
}


@dataclass
class NotedMemory:
    """Fills ``Memory``."""

    episodes: tuple[Episode, ...] = ()
    asked: list[Recall] = field(default_factory=list)
    taught: list[TaskPattern] = field(default_factory=list)
    fault: StorageError | None = None

    async def remember(self, request: TurnRequest) -> None:
        raise NotImplementedError

    async def recall(self, wanted: Recall) -> tuple[Episode, ...]:
        if self.fault:
            raise self.fault
        self.asked.append(wanted)
        return self.episodes

    async def teach(self, pattern: TaskPattern) -> TaskPattern:
        if self.fault:
            raise self.fault
        self.taught.append(pattern)
        return replace(pattern, number=7)

    async def fitting(self, request: TurnRequest) -> tuple[TaskPattern, ...]:
        raise NotImplementedError

    async def used(self, turn_id: TurnId, patterns: Sequence[PatternName]) -> None:
        raise NotImplementedError


@pytest.mark.promise("T-048")
async def test_a_recall_asks_for_what_the_model_wants_and_for_the_asking_agent_alone() -> None:
    memory = NotedMemory((episode(3),))
    tool = RecallEpisodes(memory)
    wanted = {
        "text": "날씨",
        "since": "2d",
        "until": "2026-11-30",
        "tool": "bash",
        "outcome": "failed",
        "limit": 3,
    }
    output = await call(tool, wanted)
    assert output.text.startswith("#3 ")
    (asked,) = memory.asked
    assert asked == Recall(
        "날씨",
        NOW - timedelta(days=2),
        datetime(2026, 11, 30, 23, 59, 59, 999999, tzinfo=UTC),
        "bash",
        TurnEnd.FAILED,
        MAIN_AGENT,
        3,
    )
    with pytest.raises(ValidationError):
        tool.parse({"agent": "karen"})


async def test_a_recall_that_finds_nothing_or_cannot_be_read_says_what_to_do() -> None:
    memory = NotedMemory()
    assert (await call(RecallEpisodes(memory), {})).text == NOTHING
    unread = await call(RecallEpisodes(memory), {"since": "yesterday"})
    assert (unread.status, "YYYY-MM-DD" in unread.text) == (ResultStatus.ERROR, True)
    memory.fault = StorageError("the disk is full.")
    assert (await call(RecallEpisodes(memory), {})).status is ResultStatus.ERROR


@pytest.mark.promise("T-048")
async def test_what_was_taught_is_kept_for_the_agent_read_back_and_told() -> None:
    memory, told = NotedMemory(), list[Event]()

    async def emit(event: Event) -> None:
        told.append(event)

    tool = RememberTaskPattern(memory, PlainTexts(), emit)
    output = await call(tool, WEATHER | {"name": " Weather \n report", "when": ""})
    (pattern,) = memory.taught
    assert pattern == TaskPattern(
        MAIN_AGENT,
        "Weather report",
        "",
        ("날씨", "weather"),
        "Celsius, in one line.",
        NOW,
        TurnId("t"),
    )
    assert told == [PatternTaught(replace(pattern, number=7))]
    assert output.final
    for part in ("Weather report", "Celsius, in one line.", "날씨, weather", "take it back"):
        assert part in output.text


@pytest.mark.parametrize("keywords", [["weather", "rain"], ["날씨", "비"], ["날씨", " "]])
async def test_keywords_in_one_language_keep_nothing_and_are_asked_for_in_both(keywords: list[str]) -> None:
    memory = NotedMemory()
    output = await call(RememberTaskPattern(memory, PlainTexts(), _nobody), WEATHER | {"keywords": keywords})
    assert (output.text, output.status) == (BOTH_LANGUAGES, ResultStatus.ERROR)
    assert memory.taught == []


async def test_what_cannot_be_stored_is_not_said_to_be_kept() -> None:
    memory = NotedMemory(fault=StorageError("the disk is full."))
    output = await call(RememberTaskPattern(memory, PlainTexts(), _nobody), WEATHER)
    assert (output.status, output.final) == (ResultStatus.ERROR, False)


def test_a_pattern_is_at_most_1500_characters_long() -> None:
    with pytest.raises(ValidationError):
        RememberTaskPattern(NotedMemory(), PlainTexts(), _nobody).parse(WEATHER | {"content": "x" * 1501})


async def _nobody(event: Event) -> None:
    raise AssertionError(event)
