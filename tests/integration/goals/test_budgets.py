"""Budgets: no turn, goal or day takes more than it may; whoever reached one rests and asks once."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from jarvis_desktop.adapters.sqlite_goal_costs import SqliteGoalCosts
from jarvis_desktop.adapters.sqlite_goals import SqliteGoals
from jarvis_desktop.core.goal_settings import GoalSettings
from jarvis_desktop.core.goals import life
from jarvis_desktop.core.goals.budget import day_of
from jarvis_desktop.core.goals.naming import goal_id
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.goals import (
    Goal,
    GoalCue,
    GoalItem,
    GoalOutcome,
    GoalRun,
    GoalSpoke,
    GoalState,
    Spent,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.schedule import RunEnd
from jarvis_desktop.core.ports import CallPiece, DonePiece
from jarvis_desktop.core.turn.goal_budgets import MOST_FAILURES
from tests.fakes.chat_model import ScriptedModel, ScriptStep, says
from tests.fakes.clock import START, FakeClock
from tests.integration.goals.house import GOAL, LOOKS, House, answer

OTHER = replace(GOAL, goal_id=goal_id(MAIN_AGENT, "build"), sentence="Tell me when the build is red")
TOMORROW = datetime(2026, 12, 2, tzinfo=UTC)


def limits(**values: int) -> GoalSettings:
    return GoalSettings.model_validate(values)


def costly(*items: str, tokens: int) -> tuple[ScriptStep, ...]:
    return (*answer(*items)[:-1], DonePiece("stop", tokens, 0))


async def spend(house: House, turns: int, tokens: int, goal: Goal = GOAL) -> None:
    """So much was used today, a while ago."""
    at = house.clock.now() - timedelta(hours=1)
    for _ in range(turns):
        await house.history.add_run(
            GoalRun(goal.goal_id, at, GoalOutcome.NOTHING, model_turns=1, tokens=tokens)
        )


def spoken(house: House) -> list[str]:
    return [event.text for event in house.events if isinstance(event, GoalSpoke)]


@pytest.mark.goal_bug("cost", "About $20 burnt in")
async def test_a_goal_that_has_used_its_tokens_of_today_rests_and_asks_once(house: House) -> None:
    house.limits = limits(day_tokens=1000)
    await house.advance(LOOKS, costly("[n1] 마곡 행복주택", tokens=1000))
    house.finds("something else")
    report = await house.advance()
    assert report.run.outcome is GoalOutcome.SKIPPED_BUDGET
    assert report.run.why == "It has used its 1,000 tokens of today."
    assert report.text == (
        f"“{GOAL.sentence}” has reached its budget for today. It has used its 1,000 tokens of today. "
        f"It rests until tomorrow. Go on now? `/goal resume {GOAL.goal_id}`"
    )
    assert (house.goal.state, house.goal.snoozed_until) == (GoalState.SNOOZED, TOMORROW)
    assert len(house.look.ran) == 1, "no tool ran either"
    assert await house.turns.advance(GOAL.goal_id) is None
    assert len(spoken(house)) == 2


@pytest.mark.goal_bug("cost", "Auto-pause reacts only to")
async def test_thirty_turns_that_go_well_and_cost_much_are_stopped_by_the_days_budget(house: House) -> None:
    house.limits = limits(day_tokens=90_000, day_turns=0)
    ran = 0
    for number in range(30):
        house.finds(f"round {number}")
        house.model = ScriptedModel(*(((LOOKS),) if number == 0 else ()), costly(tokens=10_000))
        report = await house.turns.advance(GOAL.goal_id)
        ran += report is not None and report.run.outcome is GoalOutcome.NOTHING
    assert ran == 9
    (*_, last) = reversed(await house.history.runs(GOAL.goal_id, 99))
    assert last.outcome is GoalOutcome.SKIPPED_BUDGET


async def test_a_model_that_tells_no_tokens_is_held_to_a_number_of_turns(house: House) -> None:
    house.limits = limits(day_turns=2)
    await spend(house, 2, 0)
    assert (await house.advance()).run.why == "It has used its 2 turns of today."


async def test_turns_without_a_model_cost_nothing(house: House) -> None:
    house.limits = limits(day_turns=1)
    await house.history.add_run(GoalRun(GOAL.goal_id, START, GoalOutcome.SKIPPED_UNCHANGED))
    assert (await house.advance(LOOKS, answer())).run.outcome is GoalOutcome.TOLD


async def test_what_was_used_is_counted_from_the_database_so_a_restart_forgives_nothing(house: House) -> None:
    house.limits = limits(day_tokens=500)
    await spend(house, 1, 500)
    house.turns = house.fresh_turns()
    assert (await house.advance()).run.outcome is GoalOutcome.SKIPPED_BUDGET


async def test_with_the_new_day_it_goes_on_and_at_the_next_limit_it_asks_again(house: House) -> None:
    house.limits = limits(day_tokens=500)
    await spend(house, 1, 500)
    await house.advance()
    await house.clock.advance(24 * 3600)
    assert (await house.advance(LOOKS, costly(tokens=500))).run.outcome is GoalOutcome.TOLD
    assert house.goal.state is GoalState.ACTIVE
    house.finds("else")
    assert (await house.advance()).text.startswith(f"“{GOAL.sentence}” has reached its budget")


async def test_a_person_who_lets_it_go_on_gives_it_the_budget_once_more(house: House) -> None:
    house.limits = limits(day_tokens=500)
    await spend(house, 1, 500)
    await house.advance()
    await house.clock.advance(60)
    await house.costs.renew(GOAL.goal_id)
    house.files.change(GOAL.goal_id, lambda one: replace(one, state=GoalState.ACTIVE, snoozed_until=None))
    await house.clock.advance(60)
    assert (await house.advance(LOOKS, costly(tokens=500))).run.outcome is GoalOutcome.TOLD
    house.finds("else")
    again = await house.advance()
    assert (again.run.outcome, len(again.told)) == (GoalOutcome.SKIPPED_BUDGET, 1)


async def test_a_turn_that_a_person_wants_now_is_forbidden_by_no_day(house: House) -> None:
    house.limits = limits(day_tokens=500, all_day_tokens=500)
    await spend(house, 1, 500)
    assert (await house.advance(LOOKS, answer(), by_hand=True)).run.outcome is GoalOutcome.TOLD


async def test_the_budget_of_all_goals_is_asked_about_once_and_all_of_them_rest(house: House) -> None:
    house.files.give(OTHER)
    house.limits = limits(all_day_tokens=1000)
    await spend(house, 1, 600)
    await spend(house, 1, 400, OTHER)
    first = await house.advance()
    assert first.text.startswith("Your goals have reached their budget for today.")
    second = await house.advance(goal=OTHER)
    assert (second.run.outcome, second.text, second.told) == (GoalOutcome.SKIPPED_BUDGET, "", ())
    assert [one.state for one in house.files.look().goals] == [GoalState.SNOOZED] * 2
    assert len(spoken(house)) == 1


async def test_two_goals_that_come_to_the_limit_together_ask_once(house: House) -> None:
    house.files.give(OTHER)
    house.limits = limits(all_day_turns=1)
    await spend(house, 1, 0)
    both = await asyncio.gather(*(house.turns.advance(one.goal_id) for one in (GOAL, OTHER)))
    assert [one.run.outcome for one in both if one] == [GoalOutcome.SKIPPED_BUDGET] * 2
    assert len(spoken(house)) == 1


async def test_the_question_waits_while_the_person_is_answered(house: House) -> None:
    house.limits, house.busy = limits(day_turns=1), True
    await spend(house, 1, 0)
    report = await house.advance()
    assert (report.run.outcome, report.told) == (GoalOutcome.SKIPPED_BUDGET, ())
    assert [one.key for one in await house.history.held(GOAL.goal_id)] == ["ask-jarvis-budget"]


# --- one turn ---------------------------------------------------------------------------------


async def test_a_turn_that_asks_for_tools_without_end_is_stopped_and_what_they_made_is_told(
    house: House,
) -> None:
    house.limits = limits(turn_steps=2)
    look = [(CallPiece("look", {"path": str(number)}), DonePiece("stop")) for number in range(2)]
    report = await house.advance(*look)
    assert report.run.outcome is GoalOutcome.SKIPPED_BUDGET
    assert [one.key for one in report.told] == ["n1", "ask-jarvis-budget"]
    assert "I stopped after 2 rounds of tool calls" in report.run.why
    assert house.goal.state is GoalState.SNOOZED
    assert (house.goal.last_calls, house.goal.seen) == ((), "")


async def test_a_turn_is_stopped_at_its_tokens_and_never_takes_more_than_are_left_of_the_day(
    house: House,
) -> None:
    house.limits = limits(turn_tokens=5000, day_tokens=1000)
    await spend(house, 1, 300)
    first = (CallPiece("look", {"path": "1"}), DonePiece("stop", 700, 0))
    report = await house.advance(first)
    assert report.run.outcome is GoalOutcome.SKIPPED_BUDGET
    assert "its 700 tokens" in report.run.why


async def test_the_second_question_without_records_is_left_out_where_no_tokens_are_left(house: House) -> None:
    house.limits = limits(turn_tokens=500)
    report = await house.advance((*says("몰라요")[:-1], DonePiece("stop", 500, 0)))
    assert (report.run.model_turns, report.run.tokens) == (1, 500)


async def test_a_turn_that_takes_too_long_is_stopped_and_counts_what_it_took(house: House) -> None:
    house.limits = limits(turn_minutes=5)
    never = asyncio.Event()
    house.model = ScriptedModel((CallPiece("look", {"path": "1"}), DonePiece("stop", 40, 2)), (never,))
    turn = asyncio.ensure_future(house.turns.advance(GOAL.goal_id))
    async with asyncio.timeout(10):
        while len(house.model.requests) < 2:
            await asyncio.sleep(0)
    await house.clock.advance(301)
    report = await turn
    assert report is not None
    assert (report.run.outcome, report.run.tokens) == (GoalOutcome.SKIPPED_BUDGET, 42)
    assert report.run.why == "I stopped because one turn may take 5 minutes."
    assert house.model.open_streams == 0


async def test_a_turn_that_is_cut_off_has_cost_what_it_took(house: House) -> None:
    never = asyncio.Event()
    house.model = ScriptedModel((CallPiece("look", {"path": "1"}), DonePiece("stop", 40, 2)), (never,))
    turn = asyncio.ensure_future(house.turns.advance(GOAL.goal_id))
    async with asyncio.timeout(10):
        while len(house.model.requests) < 2:
            await asyncio.sleep(0)
    turn.cancel()
    await asyncio.gather(turn, return_exceptions=True)
    (row,) = await house.history.runs(GOAL.goal_id, 9)
    assert (row.outcome, row.tokens) == (GoalOutcome.INTERRUPTED, 42)


@pytest.mark.parametrize(
    ("cue", "until"),
    [
        (GoalCue.PAUSE, None),
        (GoalCue.STOP, None),
        (GoalCue.FINISH, None),
        (GoalCue.SNOOZE, START + timedelta(days=30)),
    ],
)
async def test_what_a_person_let_rest_stays_so_when_its_turn_takes_too_much(
    house: House, cue: GoalCue, until: datetime | None
) -> None:
    house.limits, house.model = limits(turn_steps=1), ScriptedModel(LOOKS, LOOKS, LOOKS)
    house.finds("nothing")
    cued = house.files.change(GOAL.goal_id, lambda one: life.after(one, cue, until))
    assert cued is not None
    report = await house.turns.advance(GOAL.goal_id, by_hand=True)
    assert report is not None
    assert report.run.outcome is GoalOutcome.SKIPPED_BUDGET
    assert (house.goal.state, house.goal.snoozed_until) == (cued.state, until)


# --- failures ---------------------------------------------------------------------------------


async def test_a_goal_that_fails_five_times_in_a_row_is_paused_and_asks_once(house: House) -> None:
    broken = ModelUnavailableError(ModelTrouble.SERVER_ERROR, "The model broke.")
    states = []
    for _ in range(5):
        await house.advance((broken,))
        states.append(house.goal.state)
    assert states == [*[GoalState.ACTIVE] * 4, GoalState.PAUSED]
    assert spoken(house) == [
        f"“{GOAL.sentence}” fails again and again, so it is paused. The model broke. "
        f"Go on? `/goal resume {GOAL.goal_id}`"
    ]
    await house.clock.advance(60)
    await house.costs.renew(GOAL.goal_id)
    house.files.change(GOAL.goal_id, lambda one: replace(one, state=GoalState.ACTIVE))
    await house.clock.advance(60)
    await house.advance((broken,))
    states.append(house.goal.state)
    assert states[-1] is GoalState.ACTIVE, "what failed before does not count any more"


async def test_a_turn_that_goes_well_begins_the_count_anew(house: House) -> None:
    broken = ModelUnavailableError(ModelTrouble.SERVER_ERROR, "The model broke.")
    for number in range(9):
        house.finds(str(number))
        await house.advance(*((LOOKS, answer()) if number == 4 else ((broken,),)))
    assert house.goal.state is GoalState.ACTIVE


async def test_a_model_that_is_not_there_pauses_no_goal_however_long(house: House) -> None:
    gone = ModelUnavailableError(ModelTrouble.NO_SERVER, "Ollama is not running.")
    for _ in range(20):
        report = await house.advance((gone,))
        assert (report.run.outcome, report.run.model_turns) == (GoalOutcome.ERROR, 0)
    assert house.goal.state is GoalState.ACTIVE
    assert spoken(house) == []


async def test_a_goal_whose_agent_is_gone_is_paused_and_says_so(house: House) -> None:
    house.files.change(GOAL.goal_id, lambda one: replace(one, agent_id=AgentId("karen")))
    report = await house.advance()
    assert report.run.outcome is GoalOutcome.ERROR
    assert "There is no agent called karen any more." in report.text
    assert house.goal.state is GoalState.PAUSED


# --- what is counted --------------------------------------------------------------------------


async def test_costs_are_those_of_one_goal_or_of_all_since_a_moment(house: House) -> None:
    await spend(house, 2, 100)
    await spend(house, 1, 7, OTHER)
    old = GoalRun(GOAL.goal_id, START - timedelta(days=1), GoalOutcome.TOLD, model_turns=1, tokens=9999)
    await house.history.add_run(old)
    since = START - timedelta(hours=9)
    assert await house.costs.spent(since, GOAL.goal_id) == Spent(2, 200)
    assert await house.costs.spent(since) == Spent(3, 207)


async def test_a_day_of_turns_each_minute_is_counted_whole(history: SqliteGoals, house: House) -> None:
    for minute in range(1440):
        at = START + timedelta(minutes=minute)
        await history.add_run(GoalRun(GOAL.goal_id, at, GoalOutcome.NOTHING, model_turns=1, tokens=1))
    await house.clock.advance(86_400)
    costs = SqliteGoalCosts(house.store, house.clock)
    assert await costs.spent(START, GOAL.goal_id) == Spent(1440, 1440)


async def test_rows_and_renewals_of_a_clock_that_was_wrong_do_not_count(house: House) -> None:
    today, later = house.clock.now(), house.clock.now() + timedelta(days=365)
    for at in (later, later, today):
        await house.history.add_run(GoalRun(GOAL.goal_id, at, GoalOutcome.NOTHING, model_turns=1, tokens=7))
    assert await house.costs.spent(START) == Spent(1, 7)
    await house.clock.advance(timedelta(days=365).total_seconds())
    await house.costs.renew(GOAL.goal_id)
    assert await house.costs.renewed_at(GOAL.goal_id) == later
    right = SqliteGoalCosts(house.store, FakeClock())
    assert await right.renewed_at(GOAL.goal_id) is None


# --- a disk that takes nothing ----------------------------------------------------------------


async def test_turns_count_although_the_goals_file_cannot_be_written(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(house.files, "change", full)
    house.limits = limits(day_turns=3)
    outcomes = []
    for page in range(6):
        house.finds(f"page {page}")
        house.model = ScriptedModel(LOOKS, answer())
        ran = await house.turns.run(GOAL.goal_id, house.clock.now())
        outcomes.append((ran.end, ran.again, len(house.model.requests)))
    assert outcomes == [*[(RunEnd.FAILED, False, 2)] * 3, *[(RunEnd.FAILED, True, 0)] * 3]
    assert (await house.costs.spent(START)).turns == 3
    assert len(spoken(house)) == 1  # the budget is asked about once


async def test_one_that_fails_and_cannot_be_paused_asks_once_a_day(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(house.files, "change", full)
    for _ in range(MOST_FAILURES + 2):
        await house.advance(LOOKS, answer())
    assert len([one for one in spoken(house) if "again and again" in one]) == 1


async def test_half_a_letter_in_a_key_breaks_no_turn(house: House) -> None:
    house.finds("Item: [n1] good news\nItem: [a\ud83d@\ud83d] half an emoji")
    report = await house.advance(LOOKS, answer())
    assert [(one.key, one.version) for one in report.told] == [("n1", ""), ("a?", "?")]


async def test_an_item_counts_as_asked_while_it_waits_and_when_it_was_told(house: House) -> None:
    item = GoalItem("ask-jarvis-budget", "Go on?", "v1")
    assert not await house.costs.asked(item)
    await house.history.hold(GOAL.goal_id, [item])
    assert await house.costs.asked(item)
    assert not await house.costs.asked(replace(item, version="v2"))


@pytest.mark.parametrize(
    ("now", "hours"),
    [("2026-12-01T12:00", 24), ("2026-03-29T12:00", 23), ("2026-10-25T12:00", 25)],
)
def test_a_day_is_that_of_the_machines_zone_also_when_the_clocks_change(now: str, hours: int) -> None:
    zone = ZoneInfo("Europe/Berlin")
    began, ends = day_of(datetime.fromisoformat(now).replace(tzinfo=UTC), zone)
    assert (began.hour, ends.hour) == (0, 0)
    assert ends.astimezone(UTC) - began.astimezone(UTC) == timedelta(hours=hours)
