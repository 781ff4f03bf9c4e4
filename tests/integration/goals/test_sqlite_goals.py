"""What grows with goals: told once and never again, whatever happens in between."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_chats import SqliteChats
from jarvis_desktop.adapters.sqlite_goals import SqliteGoals
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.goals import Goal, GoalId, GoalItem, GoalOutcome, GoalRun
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports.goals import Delivery
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts

GOAL = Goal(GoalId("g1"), MAIN_AGENT, "새 공고만 알려줘", "Asia/Seoul", START)
MAGOK, GODEOK = GoalItem("n1", "마곡 행복주택"), GoalItem("n2", "고덕 행복주택")


def text(items: Sequence[GoalItem]) -> str:
    return "\n".join(one.line for one in items)


def delivery(tmp_path: Path, *items: GoalItem) -> Delivery:
    return Delivery(GOAL, items, text, tmp_path)


@pytest.mark.promise("G-012")
@pytest.mark.promise("G-020")
@pytest.mark.promise("G-050")
@pytest.mark.promise("G-119")
async def test_what_is_delivered_stands_in_the_conversation_and_counts_as_told_at_once(
    tmp_path: Path, history: SqliteGoals, store: SqliteStore
) -> None:
    talk = await store.begin_conversation(MAIN_AGENT, tmp_path)
    first = await history.deliver(delivery(tmp_path, MAGOK))
    assert first is not None
    assert (first.session_id, first.text, first.items) == (
        talk.session_id,
        "마곡 행복주택",
        1,
    )
    both = await history.deliver(delivery(tmp_path, MAGOK, GODEOK))
    assert both is not None
    assert both.text == "고덕 행복주택"
    assert await history.told(GOAL.goal_id) == {"n1": "", "n2": ""}
    assert await history.deliver(delivery(tmp_path, MAGOK, GODEOK)) is None


@pytest.mark.promise("G-045")
@pytest.mark.promise("G-044")
async def test_the_person_can_ask_on_since_the_model_reads_what_was_told(
    tmp_path: Path, history: SqliteGoals, store: SqliteStore
) -> None:
    await store.begin_conversation(MAIN_AGENT, tmp_path)
    spoke = await history.deliver(delivery(tmp_path, MAGOK))
    assert spoke is not None
    restored = await store.restore(MAIN_AGENT, tmp_path)
    assert restored.messages == (
        Message(Role.USER, GOAL.sentence),
        Message(Role.ASSISTANT, "마곡 행복주택"),
    )
    # People see the agent's words, and no request that nobody made.
    assert [(line.role, line.text) for line in restored.lines] == [(Role.ASSISTANT, "마곡 행복주택")]
    assert restored.interrupted == ()
    assert await SqliteChats(store, PlainTexts()).conversations("", 5) == ()


@pytest.mark.promise("G-047")
async def test_without_any_conversation_one_is_begun_for_it(
    tmp_path: Path, history: SqliteGoals, store: SqliteStore
) -> None:
    spoke = await history.deliver(delivery(tmp_path, MAGOK))
    assert spoke is not None
    assert (await store.restore(MAIN_AGENT, tmp_path)).conversation.session_id == spoke.session_id


async def test_a_new_version_of_a_key_is_told_once_more(tmp_path: Path, history: SqliteGoals) -> None:
    old, new = replace(MAGOK, version="1"), replace(MAGOK, version="2", line="마곡, 마감 연장")
    results = [await history.deliver(delivery(tmp_path, one)) for one in (old, old, new, new)]
    assert [one and one.text for one in results] == ["마곡 행복주택", None, "마곡, 마감 연장", None]


@pytest.mark.promise("G-120")
@pytest.mark.goal_bug("duplicate", "A delivered message is sent again.")
async def test_message_and_told_key_are_one_transaction(
    tmp_path: Path, history: SqliteGoals, store: SqliteStore
) -> None:
    """Decision 23 replaces the repeat that G-120 allows: a kill leaves both or neither."""
    await store.begin_conversation(MAIN_AGENT, tmp_path)

    def refuse(connection: sqlite3.Connection) -> None:
        connection.execute(
            "CREATE TEMP TRIGGER full BEFORE UPDATE ON goal_keys BEGIN SELECT RAISE(FAIL, 'disk full'); END"
        )

    await store.alone(refuse)
    with pytest.raises(Exception, match=r"row was stored|disk full|database"):
        await history.deliver(delivery(tmp_path, MAGOK))
    assert (await store.restore(MAIN_AGENT, tmp_path)).lines == ()
    assert await history.told(GOAL.goal_id) == {}
    await store.alone(lambda connection: connection.execute("DROP TRIGGER full") and None)
    assert await history.deliver(delivery(tmp_path, MAGOK)) is not None


@pytest.mark.goal_bug("dedupe-key", "The same bookmark is emitted on every check.")
@pytest.mark.goal_bug("restart", "After a bot restart all old entries")
async def test_two_keys_of_one_instant_stay_told_after_a_restart(
    tmp_path: Path, history: SqliteGoals, store: SqliteStore, clock: FakeClock
) -> None:
    await clock.advance(0.000_123)
    await history.deliver(delivery(tmp_path, MAGOK, GODEOK))
    again = SqliteGoals(store, clock, PlainTexts())
    assert await again.deliver(delivery(tmp_path, GODEOK, MAGOK)) is None
    seen = await again.first_seen(GOAL.goal_id)
    assert seen == dict.fromkeys(("n1", "n2"), clock.now())


@pytest.mark.goal_bug("dedupe-key", "An item that never left the source")
async def test_a_key_that_is_still_seen_is_seen_today_and_stays_told(
    tmp_path: Path, history: SqliteGoals, clock: FakeClock, store: SqliteStore
) -> None:
    await history.deliver(delivery(tmp_path, MAGOK))
    await clock.advance(timedelta(days=400).total_seconds())
    await history.saw(GOAL.goal_id, ["n1"])
    with closing(sqlite3.connect(tmp_path / "jarvis.db")) as connection:
        (last_seen,) = connection.execute("SELECT last_seen FROM goal_keys").fetchone()
    assert last_seen == clock.now().isoformat(timespec="microseconds")
    assert await history.told(GOAL.goal_id) == {"n1": ""}


@pytest.mark.goal_bug("lost", "Notices whose first attempt was lost")
async def test_what_waits_is_kept_in_order_until_it_is_told(tmp_path: Path, history: SqliteGoals) -> None:
    await history.hold(GOAL.goal_id, [MAGOK, GODEOK])
    newer = replace(MAGOK, line="마곡, 서류 변경")
    await history.hold(GOAL.goal_id, [newer])
    assert await history.held(GOAL.goal_id) == (newer, GODEOK)
    assert await history.told(GOAL.goal_id) == {}
    await history.deliver(delivery(tmp_path, newer))
    assert await history.held(GOAL.goal_id) == (GODEOK,)
    assert await history.held(GoalId("g2")) == ()


async def test_records_and_history_are_each_goals_own_and_bounded(history: SqliteGoals) -> None:
    for number in range(60):
        await history.add_record(GOAL.goal_id, f"record {number}")
    await history.add_record(GoalId("g2"), "another's")
    assert await history.records(GOAL.goal_id, 3) == ("record 57", "record 58", "record 59")
    assert len(await history.records(GOAL.goal_id, 100)) == 50
    run = GoalRun(GOAL.goal_id, START, GoalOutcome.TOLD, 2, 1, 1.5, "two new notices", tokens=812)
    await history.add_run(run)
    await history.add_run(replace(run, outcome=GoalOutcome.NOTHING, told=0))
    assert [(one.number, one.outcome, one.at) for one in await history.runs(GOAL.goal_id, 9)] == [
        (2, GoalOutcome.NOTHING, START),
        (1, GoalOutcome.TOLD, START),
    ]
    assert replace((await history.runs(GOAL.goal_id, 9))[1], number=0) == run


async def test_a_database_in_trouble_is_said_as_such(history: SqliteGoals, store: SqliteStore) -> None:
    await store.alone(lambda connection: connection.execute("DROP TABLE goal_inbox") and None)
    with pytest.raises(StorageError):
        await history.held(GOAL.goal_id)


async def test_a_version_that_came_while_the_older_one_was_told_still_waits(
    history: SqliteGoals, tmp_path: Path
) -> None:
    old, new = GoalItem("n1", "3 rooms", "v1"), GoalItem("n1", "4 rooms", "v2")
    await history.hold(GOAL.goal_id, [old])
    await history.hold(GOAL.goal_id, [new])
    await history.deliver(Delivery(GOAL, (old,), lambda fresh: fresh[0].line, tmp_path))
    assert await history.held(GOAL.goal_id) == (new,)
    await history.hold(GOAL.goal_id, [old])  # told before, so it does not wait again
    assert await history.held(GOAL.goal_id) == (new,)
