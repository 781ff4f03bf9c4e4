"""What no conversation can take: told outside, settled by that, and shown in the conversation later."""

from dataclasses import replace

import pytest

from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.goal_notices import GoalNews
from jarvis_desktop.core.items.goals import (
    Goal,
    GoalId,
    GoalItem,
    GoalOutcome,
    GoalSpoke,
    GoalState,
    HeldItem,
    HeldWhy,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.turn import Role
from jarvis_desktop.core.ports.goals import Delivery
from tests.fakes.chat_model import says
from tests.fakes.clock import START, settle
from tests.integration.goals.house import GOAL, LOOKS, NEWS, House, answer

MAGOK, GODEOK = GoalItem("n1", "마곡 행복주택"), GoalItem("n2", "고덕 행복주택")
OTHER = Goal(GoalId("g2"), MAIN_AGENT, "빌드가 고쳐지면 알려줘", "Asia/Seoul", START)


def spoken(house: House) -> list[GoalSpoke]:
    return [event for event in house.events if isinstance(event, GoalSpoke)]


def news(*items: GoalItem, spoke: GoalSpoke | None = None) -> GoalNews:
    session_id = None if spoke is None else spoke.session_id
    return GoalNews(GOAL.goal_id, MAIN_AGENT, GOAL.sentence, items, session_id)


async def settled_outside(house: House) -> None:
    """The person is being answered, and a notification is shown."""
    house.busy = house.outside.takes = True
    report = await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    assert (report.run.outcome, report.told, report.text) == (GoalOutcome.TOLD, (MAGOK,), "")


@pytest.mark.promise("G-048", "G-050", "G-121")
async def test_a_notification_settles_what_the_conversation_cannot_take(house: House) -> None:
    await settled_outside(house)
    assert house.outside.told == [(news(MAGOK),)]
    assert await house.history.told(GOAL.goal_id) == {"n1": ""}
    assert spoken(house) == []
    house.finds(f"{NEWS}\n항목: [n2] 고덕 행복주택")
    await house.advance(answer("[n1] 마곡 행복주택", "[n2] 고덕 행복주택"))
    assert house.outside.told[1:] == [(news(GODEOK),)]


@pytest.mark.promise("G-045", "G-121")
@pytest.mark.goal_bug("duplicate", "The result is delivered")
async def test_it_is_shown_in_the_conversation_later_without_a_model_or_a_second_notification(
    house: House,
) -> None:
    await settled_outside(house)
    house.busy = False
    later = await house.advance()
    assert (later.told, later.run.outcome, later.run.model_turns) == (
        *((), GoalOutcome.SKIPPED_UNCHANGED),
        0,
    )
    (spoke,) = spoken(house)
    assert (spoke.text, spoke.news, spoke.items) == ("마곡 행복주택", (), 1)
    assert len(house.outside.told) == 1
    await house.advance()
    assert len(spoken(house)) == 1


@pytest.mark.promise("G-041", "G-050", "G-121")
async def test_what_neither_could_take_is_not_settled_and_comes_later_without_a_model(house: House) -> None:
    house.busy = True
    report = await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    assert (report.run.outcome, report.held) == (
        *(GoalOutcome.UNDELIVERED,),
        (HeldItem(MAGOK, HeldWhy.BUSY),),
    )
    assert await house.history.told(GOAL.goal_id) == {}
    again = await house.advance()
    assert (again.run.outcome, again.run.model_turns) == (GoalOutcome.UNDELIVERED, 0)
    house.busy = False
    later = await house.advance()
    assert (later.told, later.run.model_turns) == ((MAGOK,), 0)
    (spoke,) = spoken(house)
    # It reached nobody before, so it is news outside, too: of that conversation.
    assert house.outside.told[-1] == (news(MAGOK, spoke=spoke),)


@pytest.mark.promise("G-046", "G-049")
@pytest.mark.goal_bug("duplicate", "A cron job with")
async def test_one_item_is_one_message_and_outside_it_is_told_where_it_stands(house: House) -> None:
    report = await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    (spoke,) = spoken(house)
    assert house.outside.told == [(news(MAGOK, spoke=spoke),)]
    assert report.told == (MAGOK,), "told, although no notification could be shown"


@pytest.mark.goal_bug("duplicate", "A report is posted")
async def test_a_notification_that_breaks_after_it_was_shown_is_no_failure_of_the_turn(house: House) -> None:
    await settled_outside(house)
    house.outside.takes = False  # what it says afterwards changes nothing
    house.busy = False
    assert (await house.advance()).run.outcome is GoalOutcome.SKIPPED_UNCHANGED
    assert [one.items for one in spoken(house)] == [1]


@pytest.mark.promise("G-036", "G-038")
async def test_a_changed_version_of_what_a_notification_told_is_news_once_more(house: House) -> None:
    await settled_outside(house)
    house.finds("항목: [n1@2] 마곡, 마감 연장")
    changed = replace(MAGOK, version="2", line="마곡, 마감 연장")
    await house.advance(says("머리: 바뀌었어요.\n기록: 봤다\n완료: 아니요"))
    assert house.outside.told[-1] == (news(changed),)
    house.busy = False
    await house.advance()
    assert [one.text for one in spoken(house)] == ["마곡, 마감 연장"]


async def test_quiet_hours_hold_all_of_it_silently(house: House) -> None:
    house.is_quiet = house.outside.takes = True
    report = await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    assert (report.run.outcome, report.held) == (
        *(GoalOutcome.UNDELIVERED,),
        (HeldItem(MAGOK, HeldWhy.QUIET),),
    )
    assert (spoken(house), house.outside.told) == ([], [])


async def test_when_they_end_it_is_one_message_for_each_goal_and_one_notification_for_all(
    house: House,
) -> None:
    house.is_quiet = house.outside.takes = True
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택", "[n2] 고덕 행복주택"))
    await house.history.hold(OTHER.goal_id, [GoalItem("b", "It is green.")])
    house.is_quiet = False
    await house.telling.tell_held((GOAL, OTHER), house.home)
    await settle()
    first, second = spoken(house)
    assert (first.text, second.text) == ("- 마곡 행복주택\n- 고덕 행복주택", "It is green.")
    ((one, other),) = house.outside.told
    assert (one, other.goal_id) == (news(MAGOK, GODEOK, spoke=first), OTHER.goal_id)


async def test_who_asks_for_a_turn_in_quiet_hours_is_told_and_nobody_outside_is(house: House) -> None:
    house.is_quiet = house.outside.takes = True
    report = await house.advance(LOOKS, answer("[n1] 마곡 행복주택"), by_hand=True)
    assert (report.told, house.outside.told) == ((MAGOK,), [])


async def test_a_muted_key_is_never_told_and_never_notified_until_it_is_unmuted(house: House) -> None:
    await house.history.saw(GOAL.goal_id, ["n1"])
    assert await house.history.mute(GOAL.goal_id, "n1", on=True)
    house.busy = house.outside.takes = True
    report = await house.advance(LOOKS, answer("[n1] 마곡 행복주택", "[n2] 고덕 행복주택"))
    assert (report.told, report.held) == ((GODEOK,), (HeldItem(MAGOK, HeldWhy.MUTED),))
    assert house.outside.told == [(news(GODEOK),)]
    assert await house.history.muted(GOAL.goal_id) == {"n1": "마곡 행복주택"}
    house.busy = False
    await house.advance()
    assert [one.text for one in spoken(house)] == ["고덕 행복주택"]
    assert await house.history.mute(GOAL.goal_id, "n1", on=False)
    unmuted = await house.advance()
    assert (unmuted.told, unmuted.run.model_turns) == ((MAGOK,), 0)


async def test_a_key_that_was_never_there_cannot_be_muted(house: House) -> None:
    assert not await house.history.mute(GOAL.goal_id, "n9", on=True)
    assert await house.history.muted(GOAL.goal_id) == {}


async def test_a_goal_that_is_reached_while_it_waits_is_over_when_it_was_told(house: House) -> None:
    house.busy = True
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택", done="예"))
    states = [house.goal.state]
    house.busy = False
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택", done="예"))
    assert [*states, house.goal.state] == [GoalState.ACTIVE, GoalState.DONE]


@pytest.mark.promise("G-036", "G-045")
async def test_an_answer_to_what_was_asked_is_a_turn_that_reads_the_question(house: House) -> None:
    house.finds("항목: [ask-cash] 현금이 얼마예요?")
    house.busy = house.outside.takes = True
    await house.advance(LOOKS, answer())
    house.busy = False
    await house.telling.tell_held((GOAL,), house.home, asked=True)
    await settle()
    (spoke,) = spoken(house)
    assert [one.line for one in spoke.asks] == ["현금이 얼마예요?"]
    read = await house.store.past(spoke.session_id)
    assert [(one.role, one.text) for one in read] == [
        (Role.USER, GOAL.sentence),
        (Role.ASSISTANT, "현금이 얼마예요?"),
    ]


async def test_it_is_read_out_where_that_is_wished_for_and_only_what_is_new(house: House) -> None:
    house.aloud = True
    await settled_outside(house)
    house.busy = False
    house.finds(f"{NEWS}\n항목: [n2] 고덕 행복주택")
    await house.advance(answer("[n2] 고덕 행복주택"))
    (spoke,) = spoken(house)
    assert spoke.text == "새 공고가 있어요.\n\n- 마곡 행복주택\n- 고덕 행복주택"
    assert spoke.aloud == "새 공고가 있어요.\n\n고덕 행복주택"


@pytest.mark.goal_bug("duplicate", "One execution and one")
async def test_a_telling_that_went_through_and_then_failed_is_not_repeated(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver = house.history.deliver

    async def late(delivery: Delivery) -> GoalSpoke | None:
        await deliver(delivery)
        raise StorageError("timed out")

    monkeypatch.setattr(house.history, "deliver", late)
    report = await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    assert (report.run.outcome, report.run.why) == (GoalOutcome.ERROR, "timed out")
    monkeypatch.undo()
    await house.advance(LOOKS, answer("[n1] 마곡 행복주택"))
    restored = await house.store.restore(MAIN_AGENT, house.home)
    assert [line.text for line in restored.lines] == ["새 공고가 있어요.\n\n마곡 행복주택"]
