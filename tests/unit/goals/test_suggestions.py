"""An offer to keep a request as a goal follows the turn in which the model only answered it."""

from dataclasses import replace

import pytest

from jarvis_desktop.app.goal_suggestions import GoalSuggestions
from jarvis_desktop.core.goals.naming import goal_id
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.calls import ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.events import Event, ToolFinished, TurnEnded, TurnStarted
from jarvis_desktop.core.items.goals import GOAL_TOOL, Goal, GoalId, GoalState, GoalSuggested
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, SessionId, TurnId
from jarvis_desktop.core.items.schedule import SCHEDULE_TOOL
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from tests.fakes.clock import START, settle

TURN, SESSION = TurnId("t"), SessionId("s")
SENTENCE = "서울에 새 공고 나오면 알려줘"
CARD = AgentCard(MAIN_AGENT, "JARVIS")
ASKED = TurnStarted(TURN, SESSION, f" {SENTENCE}\n", Origin.SPOKEN, START, card=CARD)
ENDED = TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "There are none.")
GOAL = Goal(goal_id(MAIN_AGENT, SENTENCE), MAIN_AGENT, SENTENCE, "Asia/Seoul", START)


def called(tool: str, status: ResultStatus = ResultStatus.OK) -> ToolFinished:
    call = ToolCall(CallId("c"), tool, {})
    return ToolFinished(TURN, call, ToolResult(call.call_id, tool, "x", status), 0.1)


async def offered(*events: Event, goals: tuple[Goal, ...] = (), has_tool: bool = True) -> list[Event]:
    """What is told after these events."""
    told: list[Event] = []

    async def emit(event: Event) -> None:
        told.append(event)

    async def find(wanted: GoalId) -> Goal | None:
        return next((one for one in goals if one.goal_id == wanted), None)

    suggestions = GoalSuggestions(lambda _: has_tool, find, emit)
    for event in events:
        suggestions.on_event(event)
    await settle()
    await suggestions.close()
    return told


OFFER = GoalSuggested(TURN, SESSION, MAIN_AGENT, SENTENCE)


@pytest.mark.parametrize("end", [TurnEnd.ANSWERED, TurnEnd.OVERFLOW])
async def test_it_follows_an_answer_that_made_no_goal_of_it(end: TurnEnd) -> None:
    assert await offered(ASKED, called("web_search"), replace(ENDED, end=end)) == [OFFER]


async def test_a_goal_that_failed_is_offered_again() -> None:
    assert await offered(ASKED, called(GOAL_TOOL, ResultStatus.ERROR), ENDED) == [OFFER]


@pytest.mark.parametrize("tool", [GOAL_TOOL, SCHEDULE_TOOL])
@pytest.mark.parametrize("status", [ResultStatus.OK, ResultStatus.DENIED, ResultStatus.TIMED_OUT])
async def test_nothing_is_offered_where_it_was_taken_on_or_refused(tool: str, status: ResultStatus) -> None:
    assert await offered(ASKED, called(tool, status), ENDED) == []


@pytest.mark.parametrize("end", [TurnEnd.DENIED, TurnEnd.TIMED_OUT, TurnEnd.INTERRUPTED, TurnEnd.FAILED])
async def test_nothing_is_offered_after_a_refusal_a_stop_or_a_failure(end: TurnEnd) -> None:
    assert await offered(ASKED, replace(ENDED, end=end)) == []


@pytest.mark.parametrize(
    "asked",
    [
        replace(ASKED, text="동탄 행복주택 마감일만 알려줘"),
        replace(ASKED, expansion="Look for notices and tell me when there are new ones"),
        replace(ASKED, origin=Origin.SCHEDULE),
        replace(ASKED, origin=Origin.GOAL),
        replace(ASKED, card=None),
        replace(ASKED, text="가" * 500 + SENTENCE),
    ],
    ids=["asked once", "a skill's text", "a schedule's", "a goal's", "no agent", "too long"],
)
async def test_nothing_is_offered_about_other_turns(asked: TurnStarted) -> None:
    assert await offered(asked, ENDED) == []


@pytest.mark.promise("G-024")
async def test_nothing_is_offered_for_agents_without_the_tool() -> None:
    assert await offered(ASKED, ENDED, has_tool=False) == []


async def test_nothing_is_offered_that_is_looked_after_already() -> None:
    assert await offered(ASKED, ENDED, goals=(GOAL,)) == []
    assert await offered(ASKED, ENDED, goals=(replace(GOAL, state=GoalState.STOPPED),)) == [OFFER]
