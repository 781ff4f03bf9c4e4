"""Stored conversations on a real disk: listed, searched, opened again, read whole."""

from dataclasses import replace
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_chats import SqliteChats
from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import StoredLine
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId, SessionId, TurnId
from jarvis_desktop.core.items.slash import SlashAnswered, StoredConversation, StoredTurn
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts
from tests.integration.store.conftest import Request


@pytest.fixture
def chats(store: SqliteStore) -> SqliteChats:
    return SqliteChats(store, PlainTexts())


def command(session_id: SessionId, turn_id: str = "c1", text: str = "/help") -> SlashAnswered:
    return SlashAnswered(TurnId(turn_id), session_id, text, "All commands", Origin.TYPED, START)


async def asked(
    store: SqliteStore, request: Request, session_id: SessionId, *turns: tuple[str, str, str]
) -> None:
    for turn_id, text, reply in turns:
        await store.begin_turn(request(session_id, turn_id, text))
        await store.add_messages(TurnId(turn_id), [Message(Role.USER, text), Message(Role.ASSISTANT, reply)])
        await store.end_turn(TurnId(turn_id), TurnEnd.ANSWERED, reply)


async def test_the_last_used_come_first_by_their_first_request_and_commands_do_not_count(
    store: SqliteStore, chats: SqliteChats, request_of: Request, tmp_path: Path
) -> None:
    old = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    await asked(store, request_of, old, ("t1", "plan the trip", "Where to?"), ("t2", "Busan", "Fine."))
    new = (await store.begin_conversation(AgentId("scribe"), tmp_path)).session_id
    await store.add_command(command(new))
    await asked(store, request_of, new, ("t3", "write it down", "Done."))
    empty = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    await store.add_command(command(empty, "c2"))

    assert await chats.conversations("", 10) == (
        StoredConversation(new, AgentId("scribe"), "write it down", START, 1),
        StoredConversation(old, MAIN_AGENT, "plan the trip", START, 2),
    )
    assert len(await chats.conversations("", 1)) == 1


async def test_a_question_from_a_terminal_is_in_no_list(
    store: SqliteStore, chats: SqliteChats, request_of: Request, tmp_path: Path
) -> None:
    aside = (await store.begin_aside(MAIN_AGENT, tmp_path)).session_id
    await asked(store, request_of, aside, ("t1", "hello", "Hi."))
    assert await chats.conversations("", 10) == ()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("부산", "부산 가는 기차"),
        ("기차 네시", "부산 가는 기차"),
        ("TRAIN", "부산 가는 기차"),
        ("100%", "a 100% sure thing"),
        ("부산 nowhere", None),
        ("100_", None),
        ("help", None),
        ("'", None),
    ],
)
async def test_words_are_searched_in_requests_and_answers_and_never_as_patterns(
    store: SqliteStore, chats: SqliteChats, request_of: Request, tmp_path: Path, words: str, found: str | None
) -> None:
    one = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    await asked(
        store,
        request_of,
        one,
        ("t0", "안녕", "네"),
        ("t1", "부산 가는 기차", "네시 train이 있어요"),
        ("t2", "1000", "x"),
    )
    other = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    await asked(store, request_of, other, ("t3", "a 100% sure thing", "Yes."))
    await store.add_command(command(other))

    titles = [one.title for one in await chats.conversations(words, 10)]
    assert titles == ([found] if found else [])


async def test_an_opened_conversation_shows_its_lines_and_the_model_remembers_all_but_commands(
    store: SqliteStore, chats: SqliteChats, request_of: Request, tmp_path: Path, db: Path
) -> None:
    old = await store.begin_conversation(MAIN_AGENT, tmp_path)
    await asked(store, request_of, old.session_id, ("t1", "hello", "Hi."))
    await store.add_command(command(old.session_id))
    await store.begin_conversation(MAIN_AGENT, tmp_path)

    found = await chats.open(old.session_id)

    assert found.conversation == old
    assert found.lines == (
        StoredLine(Role.USER, "hello", START, TurnId("t1"), complete=True),
        StoredLine(Role.ASSISTANT, "Hi.", START, TurnId("t1"), complete=True),
        StoredLine(Role.USER, "/help", START, TurnId("c1"), complete=True),
        StoredLine(Role.ASSISTANT, "All commands", START, TurnId("c1"), complete=True),
    )
    assert found.messages == (Message(Role.USER, "hello"), Message(Role.ASSISTANT, "Hi."))
    # After a restart it is the one that is opened: it was used last.
    again = await open_store(db, FakeClock(), PlainTexts())
    assert (await again.store.restore(MAIN_AGENT, tmp_path)).conversation == old
    await again.store.close()


async def test_an_answer_that_repeats_what_may_be_forgotten_is_not_on_disk(
    store: SqliteStore, chats: SqliteChats, request_of: Request, tmp_path: Path, db: Path
) -> None:
    talk = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    await asked(store, request_of, talk, ("t1", "hello", "Hi."))
    said = replace(command(talk, text="/history"), answer="1. my secret plan", kept="Not kept.")
    await store.add_command(said)

    assert (await chats.open(talk)).lines[-1].text == "Not kept."
    assert b"secret plan" not in db.read_bytes() + db.with_name("jarvis.db-wal").read_bytes()


async def test_what_is_not_there_cannot_be_opened(
    store: SqliteStore, chats: SqliteChats, tmp_path: Path
) -> None:
    aside = (await store.begin_aside(MAIN_AGENT, tmp_path)).session_id
    for session_id in (SessionId("nothing"), aside):
        with pytest.raises(UserFixableError):
            await chats.open(session_id)


async def test_every_turn_of_a_long_conversation_is_read_with_its_calls(
    store: SqliteStore, chats: SqliteChats, request_of: Request, tmp_path: Path
) -> None:
    talk = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    call = ToolCall(CallId("k"), "bash", {"command": "ls"})
    for number in range(230):
        turn_id = TurnId(f"t{number}")
        await store.begin_turn(request_of(talk, turn_id, f"request {number}"))
        result = Message(Role.TOOL, "a", call_id=call.call_id, tool_name="bash")
        await store.add_messages(turn_id, [Message(Role.ASSISTANT, "", (call,)), result])
        await store.end_turn(turn_id, TurnEnd.ANSWERED, f"answer {number}")
    await store.add_command(command(talk))

    turns = await chats.turns_of(talk)

    assert len(turns) == 230
    assert turns[0] == StoredTurn(
        "request 0", Origin.TYPED, START, (call.in_short,), "answer 0", START, TurnEnd.ANSWERED
    )


async def test_a_turn_that_called_a_skill_is_read_with_what_the_skill_made_of_it(
    store: SqliteStore, chats: SqliteChats, request_of: Request, tmp_path: Path
) -> None:
    talk = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    request = replace(request_of(talk, "t1", "Sum up a.txt."), typed="/sum a.txt")
    await store.begin_turn(request)
    await store.add_messages(
        TurnId("t1"), [Message(Role.USER, "Sum up a.txt."), Message(Role.ASSISTANT, "So.")]
    )
    await store.end_turn(TurnId("t1"), TurnEnd.ANSWERED, "So.")
    [turn] = await chats.turns_of(talk)
    assert (turn.text, turn.expansion, turn.reply) == ("/sum a.txt", "Sum up a.txt.", "So.")
