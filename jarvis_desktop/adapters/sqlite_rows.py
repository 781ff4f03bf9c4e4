"""Rows of ``jarvis.db`` as the core's values, and back. Every function runs inside a transaction."""

import json
import os
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from jarvis_desktop.adapters.sqlite_schema import TurnState
from jarvis_desktop.core.items.calls import ResultStatus, ToolCall
from jarvis_desktop.core.items.errors import InvariantError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted
from jarvis_desktop.core.items.ids import AgentId, CallId, SessionId, TurnId, fresh_id
from jarvis_desktop.core.items.turn import Message, Role, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import Conversation, InterruptedTurn


class ConversationKind(StrEnum):
    """Kinds of sessions; only conversations are opened again after a restart (G-047)."""

    CONVERSATION = "conversation"
    ASIDE = "aside"
    """One question in a terminal while a window has the conversation; it does not take the window's place."""
    DELEGATION = "delegation"
    """What one agent asked another."""
    GOAL = "goal"
    """One turn of a goal."""
    SCHEDULE = "schedule"
    """The runs of one job that is due by the clock."""


MOST_TURNS = 200
"""Turns that a start shows again: 6,000 lines took 0.6 s to read and far more to draw."""
REQUEST_COLUMNS = "(id, conversation, origin, language, text, asked_at)"
NEXT_USE = "(SELECT coalesce(max(used), 0) + 1 FROM conversations)"


def new_conversation(
    connection: sqlite3.Connection,
    agent_id: AgentId,
    cwd: Path,
    now: datetime,
    kind: ConversationKind = ConversationKind.CONVERSATION,
) -> Conversation:
    """A conversation that is now the last used one of its kind."""
    conversation = Conversation(SessionId(fresh_id()), agent_id, cwd)
    add_conversation(connection, conversation, now, kind)
    return conversation


def add_conversation(
    connection: sqlite3.Connection, conversation: Conversation, now: datetime, kind: ConversationKind
) -> None:
    """It is there, without any turn, and the last used one of its kind."""
    connection.execute(
        f"INSERT INTO conversations VALUES (?, ?, ?, ?, ?, {NEXT_USE})",  # noqa: S608 - a constant of ours
        (
            conversation.session_id,
            kind,
            conversation.agent_id,
            _path_text(conversation.cwd),
            now.isoformat(),
        ),
    )


def last_conversation(connection: sqlite3.Connection, agent_id: AgentId) -> Conversation | None:
    """The conversation of this agent that was used last."""
    row = connection.execute(
        "SELECT id, cwd FROM conversations WHERE agent = ? AND kind = ? ORDER BY used DESC LIMIT 1",
        (agent_id, ConversationKind.CONVERSATION),
    ).fetchone()
    return Conversation(SessionId(row[0]), agent_id, path_of(row[1])) if row else None


def cut_running_turns(connection: sqlite3.Connection, now: datetime) -> tuple[InterruptedTurn, ...]:
    """The turns that were still running, which are now closed as interrupted.

    Those that an agent asked for are closed with the person's, and not named beside it. Turns of goals are
    nobody's request, and come again by themselves.
    """
    running = connection.execute(
        """SELECT id, text, asked_at FROM turns
           WHERE state = ? AND id NOT IN (SELECT turn FROM delegates)
           AND conversation NOT IN (SELECT id FROM conversations WHERE kind = ?) ORDER BY number""",
        (TurnState.RUNNING, ConversationKind.GOAL),
    ).fetchall()
    connection.execute(
        "UPDATE turns SET state = ?, end = ?, replied_at = coalesce(replied_at, ?) WHERE state = ?",
        (TurnState.CUT, TurnEnd.INTERRUPTED, now.isoformat(), TurnState.RUNNING),
    )
    return _interrupted(running)


def cut_waiting_turns(connection: sqlite3.Connection, now: datetime) -> tuple[InterruptedTurn, ...]:
    """The requests that still waited, which are now turns that were cut before they began."""
    waited = connection.execute("SELECT id, text, asked_at FROM waiting ORDER BY number").fetchall()
    connection.execute(
        """INSERT INTO turns (id, conversation, origin, language, text, asked_at, state, end, replied_at)
           SELECT id, conversation, origin, language, text, asked_at, ?, ?, ? FROM waiting ORDER BY number""",
        (TurnState.CUT, TurnEnd.INTERRUPTED, now.isoformat()),
    )
    connection.execute("DELETE FROM waiting")
    return _interrupted(waited)


def _interrupted(turns: Sequence[tuple[str, str, str]]) -> tuple[InterruptedTurn, ...]:
    return tuple(
        InterruptedTurn(TurnId(turn_id), text, datetime.fromisoformat(asked_at))
        for turn_id, text, asked_at in turns
    )


def model_messages(connection: sqlite3.Connection, session_id: SessionId) -> tuple[Message, ...]:
    """What the model may read again: of the same turns, those that ended and left messages."""
    found = connection.execute(
        """SELECT turns.id, turns.text, role, messages.text, calls, call_id, tool_name, status
           FROM turns JOIN messages ON messages.turn = turns.id
           WHERE turns.number IN
               (SELECT number FROM turns WHERE conversation = ? ORDER BY number DESC LIMIT ?)
           AND state = ? ORDER BY turns.number, messages.number""",
        (session_id, MOST_TURNS, TurnState.ENDED),
    )
    messages: list[Message] = []
    current = None
    for turn_id, request, *columns in found:
        if turn_id != current:
            current = turn_id
            if columns[0] != Role.USER:
                messages.append(Message(Role.USER, request))
            elif columns[1] != request:  # a skill made one of the other
                messages.append(Message(Role.USER, columns[1], typed=request))
                continue
        messages.append(_message(*columns))
    return tuple(messages)


def _message(
    role: str, text: str, calls: str, call_id: str | None, tool_name: str | None, status: str
) -> Message:
    return Message(
        Role(role),
        text,
        calls_of(calls),
        CallId(call_id) if call_id is not None else None,
        tool_name,
        ResultStatus(status),
    )


def calls_of(stored: str) -> tuple[ToolCall, ...]:
    """The calls that a message asks for."""
    return tuple(ToolCall(CallId(call[0]), call[1], call[2]) for call in json.loads(stored))


def add_waiting(connection: sqlite3.Connection, request: TurnRequest) -> None:
    """The request waits, behind all others; once more in another conversation is a move."""
    connection.execute(
        f"INSERT OR REPLACE INTO waiting {REQUEST_COLUMNS} VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant of ours
        _request_row(request),
    )


def add_turn(connection: sqlite3.Connection, request: TurnRequest) -> None:
    """The turn is running; its conversation is the last used one."""
    connection.execute(
        f"INSERT INTO turns {REQUEST_COLUMNS} VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant of ours
        _request_row(request),
    )
    connection.execute("DELETE FROM waiting WHERE id = ?", (request.turn_id,))
    connection.execute(
        f"UPDATE conversations SET used = {NEXT_USE}, cwd = ? WHERE id = ?",  # noqa: S608 - a constant of ours
        (_path_text(request.cwd), request.session_id),
    )


def _request_row(request: TurnRequest) -> tuple[str, ...]:
    return (
        request.turn_id,
        request.session_id,
        request.origin,
        request.language,
        storable(request.shown),
        request.asked_at.isoformat(),
    )


def set_reply(connection: sqlite3.Connection, turn_id: TurnId, text: str, now: datetime) -> None:
    """The answer so far replaces what was there."""
    changed = connection.execute(
        "UPDATE turns SET reply = ?, replied_at = ? WHERE id = ?", (storable(text), now.isoformat(), turn_id)
    ).rowcount
    _one(changed, turn_id)


def end_turn(connection: sqlite3.Connection, turn_id: TurnId, end: TurnEnd, text: str, now: datetime) -> None:
    """The turn is over and shows ``text``."""
    changed = connection.execute(
        "UPDATE turns SET state = ?, end = ?, reply = ?, replied_at = ? WHERE id = ?",
        (TurnState.ENDED, end, storable(text), now.isoformat(), turn_id),
    ).rowcount
    _one(changed, turn_id)


def _one(changed: int, turn_id: TurnId) -> None:
    if changed != 1:
        raise InvariantError(f"turn {turn_id} was never begun")


def add_messages(connection: sqlite3.Connection, turn_id: TurnId, messages: Sequence[Message]) -> None:
    """The messages follow those that the turn already has."""
    connection.executemany(
        """INSERT INTO messages (turn, role, text, calls, call_id, tool_name, status, replaced)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        [
            (
                turn_id,
                message.role,
                storable(message.text),
                _calls_json(message),
                message.call_id,
                message.tool_name,
                message.status,
                None if message.replaced is None else storable(message.replaced),
            )
            for message in messages
        ],
    )


def _calls_json(message: Message) -> str:
    calls = [(call.call_id, call.name, dict(call.arguments)) for call in message.calls]
    return json.dumps(calls)


def _path_text(path: Path) -> str:
    """A path by its bytes, so that it means the same file in whatever locale the next start runs."""
    return os.fsencode(path).decode("utf-8", "replace")


def path_of(text: str) -> Path:
    """The path that was stored by its bytes."""
    return Path(os.fsdecode(text.encode("utf-8")))


def storable(text: str) -> str:
    """``text`` without lone surrogates, which models send and UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def add_activity(connection: sqlite3.Connection, line: ActivityNoted) -> None:
    """One more line."""
    connection.execute(
        "INSERT INTO activity (kind, text, at, turn) VALUES (?, ?, ?, ?)",
        (line.kind, storable(line.text), line.at.isoformat(), line.turn_id),
    )


def recent_activity(connection: sqlite3.Connection, limit: int) -> tuple[ActivityNoted, ...]:
    """The newest ``limit`` lines, oldest first."""
    found = connection.execute(
        "SELECT kind, text, at, turn FROM activity ORDER BY number DESC LIMIT ?", (limit,)
    ).fetchall()
    return tuple(
        ActivityNoted(
            ActivityKind(kind), text, datetime.fromisoformat(at), TurnId(turn) if turn is not None else None
        )
        for kind, text, at, turn in reversed(found)
    )
