"""Speech that sounds like work for good gets a rule at the end of its turn's prompt, and only there."""

from dataclasses import replace

import pytest

from jarvis_desktop.core.goals.standing import STANDING_RULE, sounds_standing
from jarvis_desktop.core.items.decisions import Answer
from jarvis_desktop.core.items.events import QuestionAsked
from jarvis_desktop.core.items.goals import GoalGiven
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Message, Role, Situation, TurnEnd
from jarvis_desktop.core.turn.tool_registry import goal_tools
from tests.fakes.chat_model import ScriptedModel, calls, says
from tests.fakes.slash import FakeGoals
from tests.fakes.texts import PlainTexts
from tests.fakes.tools import LookTool
from tests.unit.policy.asking import REQUEST
from tests.unit.turn.stage import Stage

STANDING = (
    "조건 및 가장 좋은 원리금 납부액을 추천하는 공고만 알려줘",
    "서울에 새 행복주택 공고 나오면 알려줘",
    "월 부담 100만원 안쪽 공고 생기면 알려줘",
    "앞으로 추천 1순위 바뀌면 알려줘",
    "Tell me when a new notice comes up",
    "from now on keep an eye on the disk",
    "Let me know as soon as the build is green",
)
PLAIN = ("동탄 행복주택 마감일이 언제야?", "가장 추천하는 게 뭐야?", "What time is it?", "Write a poem.")


def with_goal_tool(shelf: FakeGoals | None = None) -> Stage:
    stage = Stage()
    stage.tools = [LookTool(), *goal_tools(shelf or FakeGoals(), PlainTexts(), stage.emit)]
    return stage


async def system_of(stage: Stage, text: str, situation: Situation = Situation.CONVERSATION) -> str:
    model = ScriptedModel(says("Fine."))
    await stage.turn(model, request=replace(REQUEST, text=text, situation=situation))
    return model.requests[0].messages[0].text


@pytest.mark.promise("G-023")
@pytest.mark.parametrize("text", STANDING)
async def test_the_rule_ends_the_prompt_of_a_turn_that_sounds_like_it(text: str) -> None:
    assert (await system_of(with_goal_tool(), text)).endswith(STANDING_RULE[Language.ENGLISH])


@pytest.mark.promise("G-024")
@pytest.mark.parametrize("text", PLAIN)
async def test_other_turns_and_agents_without_the_tool_never_hear_of_it(text: str) -> None:
    assert not sounds_standing(text)
    assert "goal" not in (await system_of(Stage([LookTool()]), STANDING[0])).lower()
    assert STANDING_RULE[Language.ENGLISH] not in await system_of(with_goal_tool(), text)


async def test_a_goals_own_turn_never_hears_of_it() -> None:
    system = await system_of(with_goal_tool(), STANDING[3], Situation.GOAL)
    assert STANDING_RULE[Language.ENGLISH] not in system


@pytest.mark.promise("G-021")
@pytest.mark.promise("G-002")
async def test_the_agent_takes_it_on_and_reads_it_back_with_the_way_to_undo_it() -> None:
    shelf = FakeGoals()
    stage = with_goal_tool(shelf)
    outcome = await stage.turn(ScriptedModel(calls("goal", goal=f" {STANDING[1]} ")))
    (given,) = shelf.goals
    assert (given.sentence, given.agent_id, shelf.begun) == (STANDING[1], REQUEST.agent_id, [given.goal_id])
    assert outcome.end is TurnEnd.ANSWERED
    assert STANDING[1] in outcome.text
    assert f"/goal stop {given.goal_id}" in outcome.text
    assert [event.goal for event in stage.seen(GoalGiven)] == [given]


async def test_with_strangers_text_in_the_conversation_a_person_is_asked_first() -> None:
    shelf = FakeGoals()
    stage = with_goal_tool(shelf)
    stage.answers = [Answer.DENY]
    page = Message(Role.TOOL, "page", call_id=CallId("p"), tool_name="web_fetch")
    past = [Message(Role.USER, "look"), page, Message(Role.ASSISTANT, "ok")]
    await stage.turn(ScriptedModel(calls("goal", goal=STANDING[1])), past)
    assert (len(stage.seen(QuestionAsked)), shelf.goals) == (1, ())


async def test_taken_on_twice_it_stays_one() -> None:
    shelf = FakeGoals()
    stage = with_goal_tool(shelf)
    for _ in range(2):
        outcome = await stage.turn(ScriptedModel(calls("goal", goal=STANDING[1])))
    assert len(shelf.goals) == 1
    assert outcome.text.startswith("I am looking after this already")
