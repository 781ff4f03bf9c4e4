"""``/goal``: giving, listing and changing goals; of several that fit, none is changed."""

from dataclasses import replace

import pytest

from jarvis_desktop.core.goals.naming import goal_id
from jarvis_desktop.core.items.goals import Goal, GoalOutcome, GoalProblem, GoalRun, GoalState
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.slash.goal_cmd import GoalCommand, outcome_words
from jarvis_desktop.core.slash.goal_cmd import giving as typed_for
from tests.fakes.clock import START, FakeClock
from tests.fakes.slash import HERE, FakeGoals, Fakes
from tests.fakes.texts import PlainTexts
from tests.unit.slash.test_commands import Desk

RENT, SALE = "새 임대 공고만 알려줘", "새 분양 공고만 알려줘"


def goal(sentence: str, state: GoalState = GoalState.ACTIVE, agent: AgentId = HERE.agent_id) -> Goal:
    return Goal(goal_id(agent, sentence), agent, sentence, "Asia/Seoul", START, state=state)


def giving(*goals: Goal) -> Fakes:
    return Fakes(goals=FakeGoals(goals or (goal(RENT), goal(SALE))), clock=FakeClock())


@pytest.mark.promise("G-013")
@pytest.mark.promise("G-026")
async def test_a_sentence_is_given_to_the_agent_of_this_conversation_and_begins_at_once() -> None:
    fakes = Fakes(goals=FakeGoals())
    said = await Desk(fakes).type(f"/goal {RENT}")
    (given,) = fakes.goals.goals
    assert (given.agent_id, given.sentence, fakes.goals.begun) == (HERE.agent_id, RENT, [given.goal_id])
    assert said.text == (
        f"From now on I look after this: “{RENT}”. The first look is now, then every hour from 9 to 21 "
        f"\\(Asia/Seoul\\). `/goal stop {given.goal_id}` ends it."
    )


async def test_a_single_request_says_that_the_first_look_waits_for_jarvis() -> None:
    fakes = Fakes(goals=FakeGoals())
    said = await GoalCommand().run(RENT, fakes.world(stays=False))
    assert (
        f"“{RENT}”. Jarvis is not running now. The first look is as soon as it runs, then every" in said.text
    )
    assert fakes.goals.begun == []


@pytest.mark.parametrize(
    "sentence", ["run the build and tell me when it breaks", "log 에 에러가 찍히면 알려줘", RENT]
)
async def test_what_would_be_typed_for_a_sentence_gives_that_very_sentence(sentence: str) -> None:
    fakes = Fakes(goals=FakeGoals())
    await Desk(fakes).type(typed_for(sentence))
    assert [one.sentence for one in fakes.goals.goals] == [sentence]


async def test_given_again_it_says_that_it_is_looked_after_already() -> None:
    fakes = giving(goal(RENT))
    said = await Desk(fakes).type(f"/goal {RENT}")
    assert said.text.startswith("I look after this already")
    assert len(fakes.goals.goals) == 1


@pytest.mark.promise("G-014")
async def test_without_words_it_lists_what_is_looked_after_and_what_is_wrong() -> None:
    fakes = giving(goal(RENT), goal(SALE, GoalState.STOPPED), goal("뉴스만 알려줘", agent=AgentId("karen")))
    fakes.goals.problems = (GoalProblem("goals/x.json", 3, "this is no JSON"),)
    said = await Desk(fakes).type("/goal")
    assert [line for line in (RENT, SALE, "뉴스만 알려줘", "goals/x.json") if line in said.text] == [
        RENT,
        "뉴스만 알려줘",
        "goals/x.json",
    ]
    assert "KAREN" in said.text


async def test_an_empty_list_explains_with_three_examples() -> None:
    said = await Desk(Fakes()).type("/goal")
    assert said.text.count("- `/goal ") == 3


@pytest.mark.promise("G-015")
async def test_stop_by_a_part_ends_the_one_that_has_it_and_says_how_to_take_it_back() -> None:
    fakes = giving()
    said = await Desk(fakes).type("/goal stop 임대")
    assert [one.state for one in fakes.goals.goals] == [GoalState.STOPPED, GoalState.ACTIVE]
    assert "/goal resume" in said.text
    await Desk(fakes).type("/goal resume 임대")
    assert fakes.goals.goals[0].state is GoalState.ACTIVE


@pytest.mark.promise("G-015")
@pytest.mark.parametrize("word", ["stop", "pause", "snooze", "run", "edit", "중지"])
async def test_several_that_fit_are_listed_and_none_is_changed(word: str) -> None:
    fakes = giving()
    before = fakes.goals.goals
    said = await Desk(fakes).type(f"/goal {word} 공고")
    assert (fakes.goals.goals, fakes.goals.begun) == (before, [])
    assert RENT in said.text
    assert SALE in said.text
    assert not said.well


async def test_a_part_that_no_goal_has_is_said_with_the_list() -> None:
    said = await Desk(giving()).type("/goal stop 날씨")
    assert said.text.startswith("No goal has `날씨` in it.")
    assert RENT in said.text


@pytest.mark.parametrize(
    ("typed", "hours"), [("임대", 24), ("임대 3h", 3), ("임대 2시간", 2), ("임대 9999 hours", 2160)]
)
async def test_a_snooze_is_for_a_day_or_as_long_as_one_says(typed: str, hours: int) -> None:
    fakes = giving()
    await Desk(fakes).type(f"/goal snooze {typed}")
    until = fakes.goals.goals[0].snoozed_until
    assert until is not None
    assert (until - START).total_seconds() == hours * 3600


async def test_pause_run_edit_and_log_do_what_they_say() -> None:
    fakes = giving(goal(RENT))
    desk = Desk(fakes)
    await desk.type("/goal pause 임대")
    assert fakes.goals.goals[0].state is GoalState.PAUSED
    await desk.type("/goal run 임대")
    assert fakes.goals.begun == [goal(RENT).goal_id]
    await desk.type("/goal edit 임대 -> 서울 임대 공고만 알려줘")
    assert fakes.goals.goals[0].sentence == "서울 임대 공고만 알려줘"
    assert (await desk.type("/goal edit 임대")).text.startswith("Say the new words")
    assert (await desk.type("/goal log 임대")).text == "It had no turn yet."
    fakes.goals.rows = (GoalRun(goal(RENT).goal_id, START, GoalOutcome.ERROR, why="Ollama is *off*."),)
    assert "It failed. Ollama is \\*off\\*." in (await desk.type("/goal log 임대")).text


async def test_nothing_begins_where_no_program_runs() -> None:
    fakes = giving(goal(RENT))
    desk = Desk(fakes, stays=False)
    assert not (await desk.type("/goal run 임대")).well
    await desk.type(f"/goal {SALE}")
    assert (fakes.goals.begun, len(fakes.goals.goals)) == ([], 2)


@pytest.mark.parametrize("outcome", GoalOutcome)
def test_every_row_of_the_history_is_a_plain_sentence(outcome: GoalOutcome) -> None:
    row = GoalRun(goal(RENT).goal_id, START, outcome, told=2)
    assert outcome_words(row, PlainTexts()).endswith(".")
    assert outcome_words(replace(row, told=1), PlainTexts())


def test_a_turn_that_was_cut_off_says_why_and_what_to_do() -> None:
    row = GoalRun(goal(RENT).goal_id, START, GoalOutcome.INTERRUPTED)
    assert outcome_words(row, PlainTexts()) == (
        "It was cut off: Jarvis was closed, or you ended or paused it. It looks again when it is due, "
        f"and at once with `/goal run {row.goal_id}`."
    )


def hearing() -> Fakes:
    """One goal, which has told of two keys."""
    fakes = giving(goal(RENT))
    fakes.goals.seen = {goal(RENT).goal_id: ["n2", "n1"]}
    return fakes


async def test_one_key_of_a_goal_is_told_no_more_until_it_is_taken_back() -> None:
    fakes, mine = hearing(), goal(RENT).goal_id
    said = await Desk(fakes).type("/goal mute 임대 n1")
    assert said.text == (f"`n1` of “{RENT}” is told no more. `/goal unmute {mine} n1` takes that back.")
    fakes.goals.unheard[mine]["n1"] = "마곡 행복주택"
    log = await Desk(fakes).type("/goal log 임대")
    assert log.text.endswith("Told no more, as you wished:\n\n- `n1` 마곡 행복주택")
    assert (await Desk(fakes).type(f"/goal unmute {mine} n1")).text == f"`n1` of “{RENT}” is told again."
    assert fakes.goals.unheard == {mine: {}}


async def test_the_line_that_is_named_works_for_a_key_with_blanks() -> None:
    fakes, mine = hearing(), goal(RENT).goal_id
    fakes.goals.seen = {mine: ["New notice 7"]}
    desk = Desk(fakes)
    line = f"/goal mute {mine} New notice 7"
    assert f"`{line}`" in (await desk.type("/goal mute 임대")).text
    assert "`New notice 7`" in (await desk.type(line)).text
    assert "is told again" in (await desk.type(f"/goal unmute {mine} New notice 7")).text


@pytest.mark.parametrize("typed", ["임대", "임대 n9"])
async def test_without_a_key_that_there_is_the_newest_are_named(typed: str) -> None:
    fakes, mine = hearing(), goal(RENT).goal_id
    said = await Desk(fakes).type(f"/goal mute {typed}")
    assert f"- `/goal mute {mine} n2`\n- `/goal mute {mine} n1`" in said.text
    assert not fakes.goals.unheard.get(mine)
    assert "Nothing in it is muted." in (await Desk(fakes).type(f"/goal unmute {typed}")).text
