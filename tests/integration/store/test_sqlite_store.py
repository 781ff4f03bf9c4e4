"""Conversations on a real disk."""

import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_rows import MOST_TURNS
from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.core.items.calls import ResultStatus, ToolCall
from jarvis_desktop.core.items.errors import InvariantError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, StoredLine
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId, TurnId
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd
from jarvis_desktop.core.ports import ConversationStore, InterruptedTurn, Restored
from jarvis_desktop.core.turn.repeats import HAVE_IT
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts
from tests.integration.store.conftest import Request


async def reopened(db: Path, cwd: Path) -> Restored:
    """What another start of the program finds."""
    opened = await open_store(db, FakeClock(), PlainTexts())
    restored = await opened.store.restore(MAIN_AGENT, cwd)
    await opened.store.close()
    return restored


@pytest.mark.promise("G-132")
async def test_a_restart_continues_the_last_conversation(
    store: SqliteStore, db: Path, tmp_path: Path, request_of: Request
) -> None:
    await store.begin_conversation(MAIN_AGENT, tmp_path)
    last = await store.begin_conversation(MAIN_AGENT, tmp_path)
    await store.begin_turn(request_of(last.session_id, "t1", "몇 시야?"))
    await store.end_turn(TurnId("t1"), TurnEnd.ANSWERED, "아홉 시예요.")

    restored = await reopened(db, tmp_path)

    assert restored == Restored(
        last,
        (
            StoredLine(Role.USER, "몇 시야?", START, TurnId("t1"), complete=True),
            StoredLine(Role.ASSISTANT, "아홉 시예요.", START, TurnId("t1"), complete=True),
        ),
        (),
        (),
    )


async def test_a_question_from_a_terminal_does_not_take_the_conversations_place(
    db: Path, store: SqliteStore, request_of: Request, tmp_path: Path
) -> None:
    mine = await store.begin_conversation(MAIN_AGENT, tmp_path)
    await store.begin_turn(request_of(mine.session_id, "t1", "몇 시야?"))
    aside = await store.begin_aside(MAIN_AGENT, tmp_path)
    await store.begin_turn(request_of(aside.session_id, "t2", "what time is it?"))
    await store.end_turn(TurnId("t2"), TurnEnd.ANSWERED, "Nine.")

    assert (await reopened(db, tmp_path)).conversation == mine


async def test_the_conversation_used_last_is_the_one_continued_not_the_one_made_last(
    store: SqliteStore, tmp_path: Path, request_of: Request
) -> None:
    older = await store.begin_conversation(MAIN_AGENT, tmp_path)
    await store.begin_conversation(MAIN_AGENT, tmp_path)
    await store.begin_turn(request_of(older.session_id, "t1"))
    await store.end_turn(TurnId("t1"), TurnEnd.ANSWERED, "Nine.")

    assert (await store.restore(MAIN_AGENT, tmp_path)).conversation == older


async def test_each_agent_continues_its_own_conversation(store: SqliteStore, tmp_path: Path) -> None:
    mine = await store.begin_conversation(MAIN_AGENT, tmp_path)
    karens = await store.begin_conversation(AgentId("karen"), tmp_path)

    assert (await store.restore(MAIN_AGENT, tmp_path)).conversation == mine
    assert (await store.restore(AgentId("karen"), tmp_path)).conversation == karens


async def test_the_first_start_begins_an_empty_conversation(store: SqliteStore, tmp_path: Path) -> None:
    restored = await store.restore(MAIN_AGENT, tmp_path)

    assert (restored.lines, restored.messages, restored.interrupted) == ((), (), ())
    assert (await store.restore(MAIN_AGENT, tmp_path)).conversation == restored.conversation


async def test_a_turn_that_was_running_is_closed_and_reported_once(
    store: SqliteStore, db: Path, tmp_path: Path, request_of: Request
) -> None:
    open_one = await store.begin_conversation(MAIN_AGENT, tmp_path)
    await store.begin_turn(request_of(open_one.session_id, "t1", "Tell me a story"))
    await store.set_reply(TurnId("t1"), "Once upon")

    first, second = await reopened(db, tmp_path), await reopened(db, tmp_path)

    assert first.interrupted == (InterruptedTurn(TurnId("t1"), "Tell me a story", START),)
    assert first.lines[-1] == StoredLine(Role.ASSISTANT, "Once upon", START, TurnId("t1"), complete=False)
    assert second.interrupted == ()
    assert second.lines == first.lines


async def test_a_turn_cut_before_its_first_word_still_shows_that_an_answer_is_missing(
    store: SqliteStore, tmp_path: Path, request_of: Request
) -> None:
    open_one = await store.begin_conversation(MAIN_AGENT, tmp_path)
    await store.begin_turn(request_of(open_one.session_id, "t1"))

    lines = (await store.restore(MAIN_AGENT, tmp_path)).lines

    assert [(line.role, line.text, line.complete) for line in lines] == [
        (Role.USER, "What time is it?", True),
        (Role.ASSISTANT, "", False),
    ]


async def test_the_model_reads_complete_turns_again_and_no_cut_ones(
    store: SqliteStore, tmp_path: Path, request_of: Request
) -> None:
    call = ToolCall(CallId("c1"), "list_dir", {"path": "/tmp/새 폴더", "depth": 2})
    told = (
        Message(Role.ASSISTANT, "", (call,)),
        Message(Role.TOOL, "a.txt", call_id=CallId("c1"), tool_name="list_dir"),
        Message(Role.ASSISTANT, "There is a.txt."),
    )
    session = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    await store.begin_turn(request_of(session, "t1", "What is there?"))
    await store.add_messages(TurnId("t1"), told)
    await store.end_turn(TurnId("t1"), TurnEnd.ANSWERED, "There is a.txt.")
    await store.begin_turn(request_of(session, "t2", "And now?"))
    await store.add_messages(TurnId("t2"), told[:1])

    restored = await store.restore(MAIN_AGENT, tmp_path)

    assert restored.messages == (Message(Role.USER, "What is there?"), *told)


async def test_a_restart_shows_again_who_spoke_and_which_tools_ran(
    store: SqliteStore, db: Path, tmp_path: Path, request_of: Request
) -> None:
    calls = (
        ToolCall(CallId("c1"), "bash", {"command": "touch x", "timeout_s": 30.0}),
        ToolCall(CallId("c2"), "read_file", {"path": "없음.txt"}),
    )
    told = (
        Message(Role.ASSISTANT, "", calls),
        Message(Role.TOOL, "", call_id=CallId("c1"), tool_name="bash"),
        Message(Role.TOOL, "?", call_id=CallId("c2"), tool_name="read_file", status=ResultStatus.ERROR),
        Message(Role.ASSISTANT, "", (ToolCall(CallId("c3"), "bash", {"command": "touch x"}),)),
        Message(Role.TOOL, HAVE_IT, call_id=CallId("c3"), tool_name="bash"),
        Message(Role.ASSISTANT, "Done."),
    )
    session = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    await store.begin_turn(replace(request_of(session, "t1"), origin=Origin.SPOKEN))
    await store.add_messages(TurnId("t1"), told)
    await store.end_turn(TurnId("t1"), TurnEnd.ANSWERED, "Done.")

    restored = await reopened(db, tmp_path)

    assert [(line.role, line.text, line.spoken, line.status) for line in restored.lines] == [
        (Role.USER, "What time is it?", True, ResultStatus.OK),
        (Role.TOOL, "bash touch x", False, ResultStatus.OK),
        (Role.TOOL, "read_file 없음.txt", False, ResultStatus.ERROR),
        (Role.ASSISTANT, "Done.", False, ResultStatus.OK),
    ]
    assert restored.messages[1:] == told


async def test_of_a_very_long_conversation_the_end_is_shown_and_the_rest_stays_on_disk(
    store: SqliteStore, db: Path, tmp_path: Path, request_of: Request
) -> None:
    session = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    for number in range(MOST_TURNS + 5):
        turn_id = TurnId(f"t{number}")
        await store.begin_turn(request_of(session, turn_id, f"question {number}"))
        await store.add_messages(turn_id, [Message(Role.ASSISTANT, f"answer {number}")])
        await store.end_turn(turn_id, TurnEnd.ANSWERED, f"answer {number}")

    restored = await store.restore(MAIN_AGENT, tmp_path)

    assert [line.text for line in restored.lines[::2]] == [f"question {n}" for n in range(5, MOST_TURNS + 5)]
    assert len(restored.messages) == 2 * MOST_TURNS
    with closing(sqlite3.connect(db)) as connection:
        assert connection.execute("SELECT count(*) FROM turns").fetchone() == (MOST_TURNS + 5,)


async def test_the_newest_activity_comes_back_oldest_first(store: SqliteStore) -> None:
    lines = [
        ActivityNoted(ActivityKind.APPROVAL, f"⚡ approval · {n}", START, TurnId("t") if n else None)
        for n in range(5)
    ]
    for line in lines:
        await store.add_activity(line)

    assert await store.recent_activity(3) == tuple(lines[-3:])


async def test_half_a_character_from_a_model_does_not_stop_the_turn(
    store: SqliteStore, tmp_path: Path, request_of: Request
) -> None:
    session = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    await store.begin_turn(request_of(session, "t1"))
    await store.set_reply(TurnId("t1"), "a\ud83d\0b")

    assert (await store.restore(MAIN_AGENT, tmp_path)).lines[-1].text == "a?\0b"


async def test_a_turn_that_was_never_begun_is_a_bug_of_ours(
    store: SqliteStore, tmp_path: Path, request_of: Request
) -> None:
    with pytest.raises(InvariantError):
        await store.set_reply(TurnId("nobody"), "text")
    with pytest.raises(InvariantError):
        await store.begin_turn(
            request_of((await store.restore(MAIN_AGENT, tmp_path)).conversation.agent_id, "t")
        )


async def test_only_the_owner_can_read_the_database(store: SqliteStore, db: Path, tmp_path: Path) -> None:
    await store.begin_conversation(MAIN_AGENT, tmp_path)

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in db.parent.glob("jarvis.db*")}

    assert modes == {"jarvis.db": 0o600, "jarvis.db-wal": 0o600, "jarvis.db-shm": 0o600}


def test_the_store_fills_its_port(store: SqliteStore) -> None:
    port: ConversationStore = store
    assert port is store


async def test_a_request_that_waited_is_shown_as_cut_and_told_of_once(
    store: SqliteStore, db: Path, tmp_path: Path, request_of: Request
) -> None:
    session = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    await store.begin_turn(request_of(session, "t1", "first"))
    await store.queue_turn(request_of(session, "t2", "second"))
    await store.queue_turn(request_of(session, "t3", "third"))
    await store.end_turn(TurnId("t1"), TurnEnd.ANSWERED, "done")
    await store.begin_turn(request_of(session, "t2", "second"))
    await store.end_turn(TurnId("t2"), TurnEnd.ANSWERED, "done")

    first, second = await reopened(db, tmp_path), await reopened(db, tmp_path)

    assert first.interrupted == (InterruptedTurn(TurnId("t3"), "third", START),)
    assert [(line.text, line.complete) for line in first.lines[-2:]] == [("third", True), ("", False)]
    assert (second.lines, second.interrupted) == (first.lines, ())
    (told,) = await store.recent_activity(10)
    assert told.text == '"third" was still waiting when Jarvis ended; ask again to have it done.'


async def test_a_waiting_request_can_be_moved_to_another_conversation(
    store: SqliteStore, tmp_path: Path, request_of: Request
) -> None:
    old = await store.begin_conversation(MAIN_AGENT, tmp_path)
    await store.queue_turn(request_of(old.session_id, "t1", "moves along"))
    new = await store.begin_conversation(MAIN_AGENT, tmp_path)
    await store.queue_turn(request_of(new.session_id, "t1", "moves along"))

    restored = await store.restore(MAIN_AGENT, tmp_path)

    assert restored.conversation == new
    assert restored.lines[0].text == "moves along"


async def test_a_skill_s_turn_shows_what_was_typed_and_reads_what_the_skill_made(
    store: SqliteStore, db: Path, tmp_path: Path, request_of: Request
) -> None:
    talk = await store.begin_conversation(MAIN_AGENT, tmp_path)
    asked = replace(request_of(talk.session_id, "t1", "Sum up a.txt."), typed="/sum a.txt")
    await store.queue_turn(asked)
    await store.begin_turn(asked)
    said = (Message(Role.USER, "Sum up a.txt.", typed="/sum a.txt"), Message(Role.ASSISTANT, "Done."))
    await store.add_messages(TurnId("t1"), said)
    await store.end_turn(TurnId("t1"), TurnEnd.ANSWERED, "Done.")

    restored = await reopened(db, tmp_path)

    assert restored.messages == said
    assert restored.lines[0] == StoredLine(
        Role.USER, "/sum a.txt", START, TurnId("t1"), complete=True, expansion="Sum up a.txt."
    )


async def test_a_skill_s_turn_that_a_kill_cut_off_is_named_as_it_was_typed(
    store: SqliteStore, tmp_path: Path, request_of: Request
) -> None:
    talk = await store.begin_conversation(MAIN_AGENT, tmp_path)
    for number, name in enumerate(("begun", "waits")):
        asked = replace(request_of(talk.session_id, f"t{number}", "Sum up."), typed=f"/sum {name}")
        await (store.begin_turn if name == "begun" else store.queue_turn)(asked)
    restored = await store.restore(MAIN_AGENT, tmp_path)
    assert [turn.text for turn in restored.interrupted] == ["/sum begun", "/sum waits"]
