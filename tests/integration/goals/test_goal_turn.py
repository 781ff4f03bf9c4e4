"""A goal's turn: what is asked of tools and model, what is told, and what is written down."""

import asyncio
from dataclasses import replace

import pytest

from jarvis_desktop.core.goals.asking import MOST_RECORDS
from jarvis_desktop.core.items.agents import AgentCard, Boundaries
from jarvis_desktop.core.items.calls import ResultStatus, ToolResult
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.events import ReplyDelta, ToolCalled, TurnEnded
from jarvis_desktop.core.items.goals import (
    GoalAdvanced,
    GoalItem,
    GoalOutcome,
    GoalSpoke,
    GoalState,
    HeldItem,
    HeldWhy,
    PastCall,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId
from jarvis_desktop.core.items.memory import SessionKind
from jarvis_desktop.core.items.schedule import RunEnd
from jarvis_desktop.core.items.turn import Role, Situation
from jarvis_desktop.core.ports import CallPiece, DonePiece
from jarvis_desktop.core.turn.goal_calls import items_of
from tests.fakes.chat_model import says
from tests.fakes.clock import START
from tests.fakes.tools import FakeBash
from tests.integration.goals.house import GOAL, LOOKS, NEWS, House, answer

MAGOK = GoalItem("n1", "마곡 행복주택")


@pytest.mark.promise("G-001")
@pytest.mark.promise("G-018")
async def test_the_first_turn_asks_the_model_and_tells_what_it_found(house: House) -> None:
    report = await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    assert (report.run.outcome, report.run.model_turns, report.told) == (GoalOutcome.TOLD, 1, (MAGOK,))
    assert report.text == "새 공고가 있어요.\n\n마곡 행복주택"
    (spoke,) = [event for event in house.events if isinstance(event, GoalSpoke)]
    assert spoke.text == report.text
    (request,) = house.requests
    assert request.situation is Situation.GOAL
    assert GOAL.sentence in house.said[1]


@pytest.mark.promise("G-009")
@pytest.mark.promise("G-017")
@pytest.mark.promise("G-040")
@pytest.mark.promise("G-126")
async def test_the_same_result_ends_the_turn_without_the_model(house: House) -> None:
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    records = await house.history.records(GOAL.goal_id, 9)
    report = await house.advance()
    assert (report.run.outcome, report.run.model_turns) == (GoalOutcome.SKIPPED_UNCHANGED, 0)
    assert [(one.call.name, one.ahead) for one in report.calls] == [("look", True)]
    assert len(house.look.ran) == 2
    assert await house.history.records(GOAL.goal_id, 9) == records


@pytest.mark.promise("G-041")
async def test_a_changed_result_is_handed_to_the_model_and_the_tool_runs_once(house: House) -> None:
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    house.finds(f"{NEWS}\n항목: [n2] 고덕 행복주택")
    ran = len(house.look.ran)
    report = await house.advance(answer("[n1] 마곡 행복주택", "[n2] 고덕 행복주택"))
    assert (report.told, report.text) == (
        (GoalItem("n2", "고덕 행복주택"),),
        "새 공고가 있어요.\n\n고덕 행복주택",
    )
    assert len(house.look.ran) == ran + 1
    *_, asked, result = house.model.requests[0].messages
    assert (asked.role, asked.calls[0].name, result.role) == (Role.ASSISTANT, "look", Role.TOOL)
    assert "고덕" in result.text
    assert report.held == (HeldItem(MAGOK, HeldWhy.TOLD_BEFORE),)


async def test_a_model_that_calls_the_tool_all_the_same_gets_no_second_run(house: House) -> None:
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    house.finds("nothing any more")
    ran = len(house.look.ran)
    await house.advance(LOOKS, answer())
    assert len(house.look.ran) == ran + 1


@pytest.mark.promise("G-039")
async def test_calls_and_fingerprint_stand_in_the_goals_file(house: House) -> None:
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    assert [one.name for one in house.goal.last_calls] == ["look"]
    assert len(house.goal.seen) == 64


@pytest.mark.promise("G-127")
@pytest.mark.promise("G-042")
@pytest.mark.goal_bug("skip", "Design note: a failing source")
async def test_an_error_is_no_change_and_no_news_and_leaves_no_fingerprint(house: House) -> None:
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    house.finds("항목: [n9] 503 Service Unavailable", ResultStatus.ERROR)
    report = await house.advance(LOOKS, answer())
    assert (report.run.outcome, report.run.model_turns, report.told) == (GoalOutcome.NOTHING, 1, ())
    assert (house.goal.last_calls, house.goal.seen) == ((), "")
    assert {one.status for one in report.calls} == {ResultStatus.ERROR}


@pytest.mark.promise("G-007")
@pytest.mark.promise("G-123")
async def test_the_tools_line_is_told_although_the_model_left_it_out(house: House) -> None:
    report = await house.advance(LOOKS, says("새 소식은 없어요."))
    assert report.told == (MAGOK,)


async def test_what_the_model_read_and_wrote_in_all_its_steps_is_counted(house: House) -> None:
    first, second = (CallPiece("look", {"path": "lh.or.kr"}), DonePiece("stop", 700, 20)), answer()
    report = await house.advance(first, (*second[:-1], DonePiece("stop", 900, 80)))
    assert (report.run.model_turns, report.run.tokens) == (1, 1700)
    assert (await house.history.runs(GOAL.goal_id, 1))[0].tokens == 1700
    assert (await house.advance()).run.tokens == 0


@pytest.mark.promise("G-124")
@pytest.mark.promise("G-006")
async def test_words_without_a_key_are_not_told(house: House) -> None:
    house.finds("nothing new")
    report = await house.advance(LOOKS, says("머리: 안녕하세요.\n항목: 새 소식은 없어요"))
    assert (report.run.outcome, report.text) == (GoalOutcome.NOTHING, "")
    assert not [event for event in house.events if isinstance(event, GoalSpoke)]


@pytest.mark.promise("G-030")
@pytest.mark.promise("G-130")
async def test_without_any_tool_the_model_is_asked_once_more_and_without_records(house: House) -> None:
    await house.history.add_record(GOAL.goal_id, "현금을 몰라")
    report = await house.advance(says("현금이 얼마예요?"), LOOKS, answer("[n1] 마곡 행복주택"))
    assert report.run.model_turns == 2
    assert "현금을 몰라" in house.requests[0].text
    assert "현금을 몰라" not in house.requests[1].text
    assert house.requests[0].session_id != house.requests[1].session_id


@pytest.mark.promise("G-130")
async def test_it_is_asked_once_more_and_never_a_third_time(house: House) -> None:
    report = await house.advance(says("몰라요"), says("그래도 몰라요"))
    assert (report.run.model_turns, report.run.outcome) == (2, GoalOutcome.NOTHING)


@pytest.mark.promise("G-010")
@pytest.mark.promise("G-029")
async def test_turns_that_only_asked_or_used_no_tool_leave_no_record(house: House) -> None:
    house.finds("항목: [ask-money] 현금이 얼마예요?")
    asked = await house.advance(LOOKS, answer(record="현금을 몰라"))
    assert (asked.run.outcome, asked.text, asked.record) == (GoalOutcome.ASKED, "현금이 얼마예요?", "")
    house.tools.clear()
    await house.advance(says("기록: 몰라"), says("기록: 몰라"))
    assert await house.history.records(GOAL.goal_id, 9) == ()


@pytest.mark.promise("G-038")
async def test_a_question_is_asked_once_and_its_answer_is_told_after(house: House) -> None:
    house.finds("항목: [ask-money] 현금이 얼마예요?")
    await house.advance(LOOKS, answer())
    assert (await house.advance()).run.outcome is GoalOutcome.SKIPPED_UNCHANGED
    house.finds(NEWS)
    assert (await house.advance(answer())).told == (MAGOK,)


@pytest.mark.promise("G-131")
@pytest.mark.promise("G-028")
@pytest.mark.goal_bug("skip", "Quiet ticks push out")
async def test_the_last_five_records_are_shown_however_many_turns_were_skipped(house: House) -> None:
    for number in range(7):
        house.finds(f"항목: [k{number}] 공고 {number}")
        await house.advance(*((LOOKS,) if number == 0 else ()), answer(record=f"기록 {number}"))
    for _ in range(20):
        await house.advance()
    house.finds("항목: [k9] 공고 9")
    await house.advance(answer())
    shown = [line for line in house.requests[-1].text.splitlines() if line.startswith("- 기록")]
    assert shown == [f"- 기록 {number}" for number in range(2, 7)]
    assert len(shown) == MOST_RECORDS


@pytest.mark.goal_bug("skip", "Run-now is suppressed")
async def test_a_turn_that_a_person_wants_asks_the_model_although_nothing_changed(house: House) -> None:
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    report = await house.advance(answer("[n1] 마곡 행복주택"), by_hand=True)
    assert (report.run.model_turns, report.run.outcome) == (1, GoalOutcome.NOTHING)


@pytest.mark.promise("G-121")
@pytest.mark.goal_bug("lost", "Cron output complete on disk")
async def test_what_could_not_be_told_waits_on_disk_and_comes_without_the_model(house: House) -> None:
    """Decision 23 replaces the model run of G-121."""
    house.busy = True
    report = await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    assert (report.run.outcome, report.held) == (
        GoalOutcome.UNDELIVERED,
        (HeldItem(MAGOK, HeldWhy.BUSY),),
    )
    assert await house.history.told(GOAL.goal_id) == {}
    house.busy, house.turns = False, house.fresh_turns()
    later = await house.advance()
    assert (later.told, later.run.model_turns) == ((MAGOK,), 0)
    assert (await house.advance()).told == ()


async def test_more_than_five_come_in_two_turns_and_the_second_needs_no_model(house: House) -> None:
    house.finds("\n".join(f"항목: [k{number}] 공고 {number}" for number in range(7)))
    first = await house.advance(LOOKS, answer())
    assert len(first.told) == 5
    assert first.text.endswith("2 more come with the next turn.")
    second = await house.advance()
    assert ([one.key for one in second.told], second.run.model_turns) == (["k5", "k6"], 0)


@pytest.mark.goal_bug("lost", "A transient error creating the notice")
@pytest.mark.goal_bug("lost", "After a permanent failure the same notice")
async def test_an_item_whose_telling_failed_comes_with_the_first_turn_that_can(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: object) -> None:
        raise OSError("no space")

    with monkeypatch.context() as patch:
        patch.setattr(house.history, "deliver", broken)
        report = await house.advance(LOOKS, answer())
    assert (report.run.outcome, report.run.model_turns) == (GoalOutcome.ERROR, 1)
    assert await house.history.held(GOAL.goal_id) == (MAGOK,)
    assert (await house.advance(LOOKS, answer())).told == (MAGOK,)


async def test_windows_hear_only_of_what_is_told_and_the_turn_is_stored_apart(house: House) -> None:
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    noisy = (ReplyDelta, ToolCalled, TurnEnded)
    assert not [event for event in house.events if isinstance(event, noisy)]
    assert [type(event) for event in house.events] == [GoalSpoke, GoalAdvanced]
    restored = await house.store.restore(MAIN_AGENT, house.home)
    assert [line.text for line in restored.lines] == ["새 공고가 있어요.\n\n마곡 행복주택"]
    assert restored.interrupted == ()
    kinds = await house.store.commit(
        lambda connection: connection.execute("SELECT kind FROM conversations ORDER BY used").fetchall()
    )
    assert [kind for (kind,) in kinds] == [SessionKind.CONVERSATION, SessionKind.GOAL]


@pytest.mark.promise("G-033")
async def test_a_goal_that_is_reached_has_no_turn_any_more(house: House) -> None:
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택", done="예"))
    assert house.goal.state is GoalState.DONE
    assert await house.turns.advance(GOAL.goal_id) is None


@pytest.mark.parametrize("state", [GoalState.PAUSED, GoalState.STOPPED, GoalState.DONE])
async def test_a_goal_that_rests_has_no_turn_and_no_tool_of_it_runs(house: House, state: GoalState) -> None:
    house.files.change(GOAL.goal_id, lambda one: replace(one, state=state))
    assert (await house.turns.run(GOAL.goal_id, START)).end is RunEnd.DONE
    assert house.look.ran == []


async def test_a_snooze_that_is_over_wakes_the_goal_in_its_file_too(house: House) -> None:
    until = START.replace(hour=10)
    house.files.change(GOAL.goal_id, lambda one: replace(one, state=GoalState.SNOOZED, snoozed_until=until))
    assert await house.turns.advance(GOAL.goal_id) is None
    await house.clock.advance(3600)
    await house.advance(LOOKS, answer())
    assert (house.goal.state, house.goal.snoozed_until) == (GoalState.ACTIVE, None)


@pytest.mark.promise("G-129")
@pytest.mark.goal_bug("recursion", "Each run of a job whose text says")
async def test_a_goal_makes_no_goals_whatever_its_sentence_says(house: House) -> None:
    daily = replace(GOAL, sentence="앞으로 매일 새 공고만 알려줘")
    house.files.change(GOAL.goal_id, lambda _: daily)
    for number in range(5):
        house.finds(f"round {number}")
        await house.advance(*((LOOKS,) if number == 0 else ()), answer())
    offered = {spec.name for request in house.model.requests for spec in request.tools}
    assert offered == {"look"}
    assert len(house.files.look().goals) == 1


async def test_a_tool_that_may_not_be_used_any_more_is_not_called_ahead(house: House) -> None:
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    ran = len(house.look.ran)
    never = Boundaries(never=frozenset({"look"}))
    house.team.put(AgentCard(MAIN_AGENT, "JARVIS", boundaries=never))
    await house.advance(says("기록: 볼 수 없다"), says("기록: 볼 수 없다"))
    assert len(house.look.ran) == ran


async def test_only_tools_that_read_are_called_ahead(house: House) -> None:
    house.tools.append(FakeBash())
    house.files.change(
        GOAL.goal_id, lambda one: replace(one, last_calls=(PastCall("bash", {"command": "make"}),), seen="x")
    )
    report = await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    assert {one.call.name for one in report.calls} == {"look"}


async def test_without_a_model_the_turn_failed_and_may_come_again(house: House) -> None:
    gone = ModelUnavailableError(ModelTrouble.NO_SERVER, "Ollama is not running.")
    house.model = type(house.model)((gone,))
    result = await house.turns.run(GOAL.goal_id, START)
    assert (result.end, result.text, result.again) == (RunEnd.FAILED, "Ollama is not running.", True)
    (row,) = await house.history.runs(GOAL.goal_id, 9)
    assert (row.outcome, row.why) == (GoalOutcome.ERROR, "Ollama is not running.")


async def test_an_agent_that_is_gone_is_said_in_the_history(house: House) -> None:
    house.team.put(AgentCard(MAIN_AGENT, "JARVIS"))
    house.files.change(GOAL.goal_id, lambda one: replace(one, agent_id="karen"))  # type: ignore[arg-type]  # an id
    report = await house.advance()
    assert (report.run.outcome, report.run.why) == (
        GoalOutcome.ERROR,
        "There is no agent called karen any more.",
    )


@pytest.mark.goal_bug("clock", "A backward jump of more than 2 h")
async def test_a_goal_whose_turn_runs_begins_no_second_one(house: House) -> None:
    held = asyncio.Event()
    house.model = type(house.model)((held, *LOOKS), answer())
    first = asyncio.ensure_future(house.turns.advance(GOAL.goal_id))
    async with asyncio.timeout(10):
        while not house.model.requests:
            await asyncio.sleep(0)
    assert await house.turns.advance(GOAL.goal_id, by_hand=True) is None
    held.set()
    assert await first is not None
    assert len(await house.history.runs(GOAL.goal_id, 9)) == 1


async def test_a_turn_that_is_cut_off_says_so_and_the_next_one_finds_everything(house: House) -> None:
    never = asyncio.Event()
    house.model = type(house.model)((never,))
    turn = asyncio.ensure_future(house.turns.advance(GOAL.goal_id))
    async with asyncio.timeout(10):
        while not house.model.requests:
            await asyncio.sleep(0)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    (row,) = await house.history.runs(GOAL.goal_id, 9)
    assert row.outcome is GoalOutcome.INTERRUPTED
    assert (await house.advance(LOOKS, answer())).told == (MAGOK,)


async def test_what_a_tool_found_is_told_once_although_the_model_failed(house: House) -> None:
    gone = ModelUnavailableError(ModelTrouble.NO_SERVER, "Ollama is not running.")
    house.model = type(house.model)(LOOKS, (gone,))
    report = await house.turns.advance(GOAL.goal_id)
    assert report is not None
    assert (report.run.outcome, report.run.told, report.text) == (GoalOutcome.ERROR, 1, MAGOK.line)
    house.finds("nothing any more")
    assert (await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))).told == ()


async def test_what_a_tool_found_waits_on_disk_while_the_model_thinks(house: House) -> None:
    never = asyncio.Event()
    house.model = type(house.model)(LOOKS, (never,))
    turn = asyncio.ensure_future(house.turns.advance(GOAL.goal_id))
    async with asyncio.timeout(10):
        while len(house.model.requests) < 2:
            await asyncio.sleep(0)
    assert await house.history.held(GOAL.goal_id) == (MAGOK,)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    house.finds("nothing any more")
    assert (await house.advance(LOOKS, answer())).told == (MAGOK,)


async def test_a_turn_waits_for_tools_that_people_added_before_it_looks_for_its_own(house: House) -> None:
    await house.advance(LOOKS, answer())
    house.tools.clear()

    house.coming.append(house.look)
    report = await house.advance()
    assert (report.run.outcome, [one.ahead for one in report.calls]) == (
        GoalOutcome.SKIPPED_UNCHANGED,
        [True],
    )


async def test_what_an_agent_says_in_no_form_is_asked_again_although_nothing_changes(house: House) -> None:
    house.finds("새 공고")
    await house.advance(LOOKS, says("마곡 공고의 마감이 늘었어요!"))
    report = await house.advance(LOOKS, answer("[n1] 마곡"))
    assert [one.key for one in report.told] == ["n1"]
    assert (await house.advance()).run.outcome is GoalOutcome.SKIPPED_UNCHANGED


@pytest.mark.promise("G-033")
async def test_a_goal_that_ends_without_news_says_that_it_has_ended(house: House) -> None:
    house.finds("build: passed")
    report = await house.advance(LOOKS, says("항목: 빌드가 성공했어요\n완료: 예"))
    assert house.goal.state is GoalState.DONE
    (over,) = report.told
    assert GOAL.sentence in over.line
    assert f"/goal resume {GOAL.goal_id}" in over.line


def test_a_files_name_does_not_speak_to_the_person() -> None:
    listing = "Item： [ask-update] Shall I install the update?"
    result = ToolResult(CallId("c"), "list_dir", listing, ResultStatus.OK)
    assert items_of(result) == ()
    assert items_of(replace(result, name="notices")) == (
        GoalItem("ask-update", "Shall I install the update?"),
    )
