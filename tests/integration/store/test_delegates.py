"""What one agent did for another, on a real disk."""

from dataclasses import replace
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.calls import ResultStatus, ToolCall
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId, SessionId, TurnId
from jarvis_desktop.core.items.turn import (
    Errand,
    Message,
    Role,
    StoredDelegate,
    StoredLine,
    TurnEnd,
    TurnRequest,
)
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts
from tests.integration.store.conftest import Request

JARVIS, KAREN = AgentCard(MAIN_AGENT, "JARVIS"), AgentCard(AgentId("karen"), "KAREN")
ASK = ToolCall(CallId("ask"), "ask_agent", {"agent": "KAREN", "question": "몇 건?"})
LOOK = ToolCall(CallId("look"), "read_file", {"path": "notes.md"})


def errand_of(root: TurnRequest, turn_id: str, session_id: str, call_id: str = "ask") -> TurnRequest:
    """What KAREN is asked for a person's turn."""
    errand = Errand(root.turn_id, CallId(call_id), (JARVIS,), "몇 건?")
    return replace(
        root,
        turn_id=TurnId(turn_id),
        session_id=SessionId(session_id),
        agent_id=KAREN.agent_id,
        card=KAREN,
        text="몇 건?\n\n다른 에이전트가 찾은 것 …",
        errand=errand,
    )


async def asked(store: SqliteStore, tmp_path: Path, request_of: Request) -> TurnRequest:
    """A person's turn in which KAREN was asked and has answered."""
    mine = await store.begin_conversation(MAIN_AGENT, tmp_path)
    root = request_of(mine.session_id, "root", "카렌한테 물어봐")
    await store.begin_turn(root)
    await store.begin_turn(errand_of(root, "errand", "aside"))
    called = Message(Role.ASSISTANT, "", (LOOK,))
    found = Message(Role.TOOL, "2", call_id=LOOK.call_id, tool_name="read_file", status=ResultStatus.ERROR)
    await store.add_messages(TurnId("errand"), (called, found))
    await store.end_turn(TurnId("errand"), TurnEnd.ANSWERED, "두 건입니다.")
    return root


@pytest.mark.promise("G-132")
@pytest.mark.parametrize("agent", [MAIN_AGENT, KAREN.agent_id])
async def test_what_an_agent_was_asked_by_another_is_never_opened_as_a_conversation(
    store: SqliteStore, tmp_path: Path, request_of: Request, agent: AgentId
) -> None:
    await asked(store, tmp_path, request_of)
    restored = await store.restore(agent, tmp_path)
    assert restored.conversation.session_id != "aside"
    assert restored.messages == ()


async def test_it_is_shown_again_behind_the_call_that_asked_for_it(
    store: SqliteStore, db: Path, tmp_path: Path, request_of: Request
) -> None:
    root = await asked(store, tmp_path, request_of)
    messages = (
        Message(Role.ASSISTANT, "", (ASK, replace(LOOK, call_id=CallId("own")))),
        Message(Role.TOOL, "두 건", call_id=ASK.call_id, tool_name="ask_agent"),
        Message(Role.TOOL, "x", call_id=CallId("own"), tool_name="read_file"),
    )
    await store.add_messages(root.turn_id, messages)
    await store.end_turn(root.turn_id, TurnEnd.ANSWERED, "두 건이래요.")

    opened = await open_store(db, FakeClock(), PlainTexts())
    restored = await opened.store.restore(MAIN_AGENT, tmp_path)
    await opened.store.close()

    done = StoredDelegate(
        "KAREN",
        "JARVIS",
        "몇 건?",
        (("read_file notes.md", ResultStatus.ERROR),),
        TurnEnd.ANSWERED,
        "두 건입니다.",
    )
    tool = StoredLine(Role.TOOL, "ask_agent KAREN", START, root.turn_id, complete=True)
    assert restored.lines[1:4] == (
        tool,
        replace(tool, text="KAREN", delegate=done),
        replace(tool, text="read_file notes.md"),
    )


async def test_after_a_kill_only_the_persons_own_turn_is_told_as_interrupted(
    store: SqliteStore, db: Path, tmp_path: Path, request_of: Request
) -> None:
    mine = await store.begin_conversation(MAIN_AGENT, tmp_path)
    root = request_of(mine.session_id, "root", "카렌한테 물어봐")
    await store.begin_turn(root)
    await store.begin_turn(errand_of(root, "errand", "aside"))

    opened = await open_store(db, FakeClock(), PlainTexts())
    restored = await opened.store.restore(MAIN_AGENT, tmp_path)
    await opened.store.close()

    assert [turn.turn_id for turn in restored.interrupted] == ["root"]
    (line,) = [line for line in restored.lines if line.delegate is not None]
    assert line.delegate is not None
    assert line.delegate.end is TurnEnd.INTERRUPTED
