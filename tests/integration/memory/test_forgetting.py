"""What is forgotten stands in no file any more, in no spelling; everything else stays."""

import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_goals import SqliteGoals
from jarvis_desktop.adapters.sqlite_memory import SqliteMemory
from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule
from jarvis_desktop.adapters.sqlite_store import open_store
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.audit import FORGOTTEN
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted
from jarvis_desktop.core.items.goals import GoalId, GoalItem, GoalOutcome, GoalRun
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId, SessionId, TurnId
from jarvis_desktop.core.items.memory import PatternName, Recall, SessionKind
from jarvis_desktop.core.items.schedule import JobId, RunEnd, RunResult
from jarvis_desktop.core.items.turn import Errand, TurnEnd
from jarvis_desktop.core.memory.recall_text import recalled
from tests.fakes.audit import by_person
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts
from tests.parts.memory import Past, call, files_with, pattern

KAREN = AgentId("karen")
SECRET = "뷁쀍꿹 xylomarzipan"
PARTS = ("뷁쀍", "쀍꿹", "xylomarzipan")
"""What the index holds of it."""
KEPT = "쀼삵쭳 quartzfiddle"


async def said(past: Past, text: str, **more: object) -> TurnId:
    """A turn that says ``text`` in every place where a turn leaves some."""
    messages = call("write_file", f"wrote {text}", path=f"{text}.md", content=text * 40)
    request = await past.turn(f"note {text}", f"noted {text}", TurnEnd.FAILED, messages, **more)  # type: ignore[arg-type]
    told = ActivityNoted(ActivityKind.TOOL, f"write_file {text}.md", START, request.turn_id)
    await past.store.add_activity(told)
    decided = by_person()
    about = replace(decided.subject, turn_id=request.turn_id, agent_id=request.agent_id, shown=f"{text}.md")
    await past.store.add(replace(decided, subject=about))
    for growing in ("a", f"a {text}", f"noted {text}"):
        await past.store.set_reply(request.turn_id, growing)
    return request.turn_id


def words_in_index(home: Path) -> set[str]:
    with closing(sqlite3.connect(home / "jarvis.db")) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, episode_words, row)")
        return {row[0] for row in connection.execute("SELECT term FROM temp.v")}


async def test_no_byte_of_a_forgotten_turn_is_in_any_file_while_the_program_runs(
    past: Past, home: Path
) -> None:
    await said(past, KEPT)
    turn_id = await said(past, SECRET)
    for number in range(30):
        await past.turn(f"something else {number} " * 20)
    assert files_with(home, SECRET, *PARTS)

    assert await past.memory.let_go("episodes", 2)
    assert await past.erase() == (turn_id,)

    assert files_with(home, SECRET, *PARTS) == []
    assert words_in_index(home).isdisjoint(PARTS)
    assert "jarvis.db" in files_with(home, KEPT)
    assert (await past.memory.look(Recall())).total == 31
    assert [one.number for one in await past.memory.recall(Recall(text=KEPT))] == [1]


async def test_of_a_decision_stays_everything_but_the_text_and_the_log_is_closed_again(past: Past) -> None:
    await said(past, KEPT)
    await said(past, SECRET)
    before = await past.store.entries()
    await past.memory.let_go("episodes", 2)
    await past.erase()
    kept, redacted = before
    assert await past.store.entries() == (
        kept,
        replace(redacted, subject=replace(redacted.subject, shown=FORGOTTEN)),
    )
    with (
        closing(sqlite3.connect(past.folder / "jarvis.db")) as connection,
        pytest.raises(sqlite3.IntegrityError, match="only ever added to"),
    ):
        connection.execute("UPDATE audit SET shown = ''")


async def test_forgetting_can_be_taken_back_until_it_is_done(past: Past, home: Path) -> None:
    await said(past, SECRET)
    await past.memory.let_go("episodes", 1)
    assert await past.memory.recall(Recall(text=SECRET)) == ()
    await past.memory.let_go("episodes", 1, on=False)
    assert await past.erase() is None
    assert len(await past.memory.recall(Recall(text=SECRET))) == 1
    assert not await past.memory.let_go("episodes", 99)


async def test_what_was_let_go_before_a_kill_is_erased_at_the_next_start(past: Past, home: Path) -> None:
    await said(past, SECRET)
    await past.memory.let_go("episodes", 1)
    other = await open_store(home / "jarvis.db", past.clock, PlainTexts())
    memory = SqliteMemory(other.store, home / "jarvis.db", past.clock, PlainTexts())
    await memory.erase_leaving()
    await memory.scrub()
    await other.store.close()
    assert files_with(home, SECRET, *PARTS) == []


async def test_a_recall_in_another_turn_tells_of_it_no_more(past: Past, home: Path) -> None:
    await said(past, SECRET)
    found = recalled(await past.memory.recall(Recall(text=SECRET)), None)
    await past.turn("what did I note?", "something", messages=call("recall_episodes", found, text="note"))
    await past.memory.let_go("episodes", 1)
    await past.erase()
    assert files_with(home, SECRET, *PARTS) == []
    restored = await past.store.restore(MAIN_AGENT, home)
    assert FORGOTTEN in [message.text for message in restored.messages]


async def test_a_forgotten_pattern_takes_the_turn_along_in_which_it_was_taught(
    past: Past, home: Path
) -> None:
    turn_id = await said(past, SECRET)
    made = await past.memory.teach(pattern(SECRET, SECRET, content=SECRET, taught_in=turn_id))
    user = await past.turn("uses it")
    await past.memory.used(user.turn_id, [PatternName(made.number, made.name)])
    await past.memory.let_go("patterns", made.number)
    assert await past.memory.fitting(replace(user, text=SECRET)) == ()
    assert await past.erase() == (turn_id,)
    assert files_with(home, SECRET, *PARTS) == []


@pytest.mark.parametrize("chosen", [MAIN_AGENT, KAREN])
async def test_what_another_agent_did_for_a_turn_goes_with_it_and_the_other_way_round(
    past: Past, home: Path, chosen: AgentId
) -> None:
    await said(past, KEPT)
    root = await past.turn(f"ask Karen about {SECRET}", messages=call("ask_agent", SECRET, task=SECRET))
    errand = Errand(root.turn_id, CallId("c"), (AgentCard(MAIN_AGENT, "JARVIS"),), SECRET)
    asked = replace(
        root,
        turn_id=TurnId("errand"),
        session_id=SessionId("aside"),
        agent_id=KAREN,
        card=AgentCard(KAREN, "KAREN"),
        errand=errand,
    )
    await past.store.begin_turn(asked)
    await past.store.end_turn(asked.turn_id, TurnEnd.ANSWERED, SECRET)
    await past.store.add_messages(asked.turn_id, [])
    await past.memory.remember(asked)
    (episode,) = await past.memory.recall(Recall(text=SECRET, agent_id=chosen))
    assert episode.kind is (SessionKind.DELEGATION if chosen == KAREN else SessionKind.CONVERSATION)
    await past.memory.let_go("episodes", episode.number)
    assert set(await past.erase() or ()) == {root.turn_id, asked.turn_id}
    assert files_with(home, SECRET, *PARTS) == []
    assert files_with(home, KEPT)


async def test_a_pattern_that_is_taken_back_at_once_leaves_its_turn_alone(past: Past) -> None:
    turn_id = await said(past, KEPT)
    made = await past.memory.teach(pattern(SECRET, SECRET, content=SECRET, taught_in=turn_id))
    await past.memory.let_go("patterns", made.number, alone=True)
    assert await past.erase() == ()
    assert files_with(past.folder, SECRET, *PARTS) == []
    assert len(await past.memory.recall(Recall(text=KEPT))) == 1


@pytest.mark.parametrize("agent", [None, MAIN_AGENT])
async def test_everything_of_one_agent_or_of_all_can_be_forgotten(
    past: Past, home: Path, agent: AgentId | None
) -> None:
    await said(past, KEPT, agent=KAREN)
    await past.memory.teach(pattern(KEPT, KEPT, agent_id=KAREN))
    await said(past, SECRET)
    await past.memory.teach(pattern(SECRET, SECRET))
    await past.memory.erase_everything(agent)
    await past.memory.scrub()
    assert files_with(home, SECRET, *PARTS) == []
    assert files_with(home, KEPT) == ([] if agent is None else ["jarvis.db"])
    assert (await past.memory.look(Recall())).total == (0 if agent is None else 1)


@pytest.mark.parametrize("agent", [None, MAIN_AGENT])
async def test_what_goals_found_and_told_is_forgotten_with_everything(
    past: Past, home: Path, agent: AgentId | None
) -> None:
    history = SqliteGoals(past.store, past.clock, PlainTexts())
    for goal_id, word in ((GoalId("mine"), SECRET), (GoalId("karens"), KEPT)):
        item = GoalItem(f"key-{word}", f"a line of {word}")
        await history.saw(goal_id, [item.key])
        await history.hold(goal_id, [item])
        await history.add_record(goal_id, word)
        await history.add_run(GoalRun(goal_id, START, GoalOutcome.ERROR, why=word))
    await past.memory.erase_everything(agent, [GoalId("mine")])
    await past.memory.scrub()
    assert files_with(home, SECRET, *PARTS) == []
    assert files_with(home, KEPT) == ([] if agent is None else ["jarvis.db"])
    assert await history.runs(GoalId("mine"), 9) == ()


async def test_that_something_ran_stays_and_what_it_came_to_goes(past: Past, home: Path) -> None:
    ledger = SqliteSchedule(past.store)
    await ledger.claim(JobId("tea"), START, START)
    await ledger.end(JobId("tea"), START, RunResult(RunEnd.DONE, SECRET), START)
    await past.memory.erase_everything(None)
    await past.memory.scrub()
    assert files_with(home, SECRET, *PARTS) == []
    assert not await ledger.claim(JobId("tea"), START, START)


async def test_what_is_older_than_the_person_wants_is_erased(past: Past, home: Path) -> None:
    old = await said(past, SECRET, days_ago=40)
    await said(past, KEPT, days_ago=20)
    assert await past.memory.erase_older(0) is None
    assert await past.memory.erase_older(30) == (old,)
    await past.memory.scrub()
    assert files_with(home, SECRET, *PARTS) == []
    assert files_with(home, KEPT)


async def test_copies_that_may_hold_it_go_and_older_ones_stay(past: Past, home: Path) -> None:
    await said(past, SECRET)
    holding = [home / "jarvis.db.v4.bak", home / "jarvis.db.broken-20261201-100000"]
    older = home / "jarvis.db.v3.bak"
    for copy in (*holding, older):
        shutil.copy(home / "jarvis.db", copy)
        shutil.copy(home / "jarvis.db-wal", f"{copy}-wal")
    before = (START - timedelta(days=3)).timestamp()
    for path in (older, Path(f"{older}-wal")):
        path.write_bytes(b"made before it was said")
        os.utime(path, (before, before))
    await past.memory.let_go("episodes", 1)
    await past.erase()
    assert files_with(home, SECRET, *PARTS) == []
    assert [path.name for path in sorted(home.glob("*.v*"))] == [older.name, f"{older.name}-wal"]


async def test_bytes_that_an_older_sqlite_left_behind_go_too(home: Path) -> None:
    clock, db = FakeClock(), home / "jarvis.db"
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("CREATE TABLE scratch (text)")
        connection.executemany("INSERT INTO scratch VALUES (?)", [(f"{SECRET} " * 50,)] * 200)
        connection.commit()
        connection.execute("DROP TABLE scratch")
        connection.commit()
    assert files_with(home, SECRET)
    opened = await open_store(db, clock, PlainTexts())
    past = Past(opened.store, SqliteMemory(opened.store, db, clock, PlainTexts()), clock, home)
    await said(past, SECRET)
    await past.memory.let_go("episodes", 1)
    await past.erase()
    assert files_with(home, SECRET, *PARTS) == []
    await opened.store.close()


async def test_while_somebody_reads_it_is_said_that_bytes_may_be_left_and_tried_again(
    past: Past, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jarvis_desktop.adapters.sqlite_memory.SCRUB_TRIES", 1)
    past.memory._clock = _Hurried()
    await past.store.alone(lambda connection: connection.execute("PRAGMA busy_timeout = 10"))
    await said(past, SECRET)
    reader = sqlite3.connect(home / "jarvis.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM turns").fetchone()
    await past.memory.let_go("episodes", 1)
    with pytest.raises(StorageError, match="being read by another program"):
        await past.erase()
    reader.close()
    await past.memory.scrub()
    assert files_with(home, SECRET, *PARTS) == []


class _Hurried(FakeClock):
    async def sleep(self, seconds: float) -> None:
        del seconds
