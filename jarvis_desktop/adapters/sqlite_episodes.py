"""Episodes as rows of ``jarvis.db``, and their words in its full-text index. Runs inside a transaction."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from jarvis_desktop.adapters.sqlite_audit import time_text
from jarvis_desktop.adapters.sqlite_rows import calls_of, storable
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.ids import AgentId, CallId, SessionId, TurnId
from jarvis_desktop.core.items.memory import CHAT, Episode, KeptCall, KeptText, SessionKind
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd
from jarvis_desktop.core.memory.episode_text import (
    REPLAY_CHARS,
    REPLY_CHARS,
    REQUEST_CHARS,
    first_tool,
    kept,
    kept_calls,
)
from jarvis_desktop.core.memory.words import indexed, is_korean
from jarvis_desktop.core.policy.web_trail import trail_of
from jarvis_desktop.core.turn.repeats import HAVE_IT

COLUMNS = """turn, session, agent, episodes.kind, outcome, at, took_s, language, task,
             request, request_tail, reply, reply_tail, calls, episodes.number, strangers"""
PAST = "past"
"""Name of the note up to which number turns have no episode yet."""
REPLAYED = frozenset({TurnEnd.FAILED, TurnEnd.OVERFLOW})
"""Ends after which the request itself is kept, to be tried again."""


def remember_turn(
    connection: sqlite3.Connection,
    turn_id: TurnId,
    agent_id: AgentId | None = None,
    kind: SessionKind | None = None,
) -> None:
    """The stored turn is an episode; nothing happens while it is not stored or has not ended.

    agent_id, kind: of the turn; without them, those of its conversation.
    """
    row = connection.execute(
        """SELECT text, end, reply, asked_at, replied_at, conversation, agent, kind
           FROM turns JOIN conversations ON conversations.id = conversation
           WHERE turns.id = ? AND end IS NOT NULL AND origin <> ?""",
        (turn_id, Origin.SLASH),
    ).fetchone()
    if row is None:
        return
    text, end, reply, asked_at, replied_at, session, agent, stored_kind = row
    messages = _messages(connection, turn_id)
    asked = datetime.fromisoformat(asked_at)
    took_s = (datetime.fromisoformat(replied_at or asked_at) - asked).total_seconds()
    episode = Episode(
        turn_id=turn_id,
        session_id=SessionId(session),
        agent_id=agent_id or AgentId(agent),
        kind=kind or _kind(stored_kind),
        outcome=TurnEnd(end),
        at=asked,
        took_s=max(0.0, round(took_s, 3)),
        language=Language.KOREAN if is_korean(text) else Language.ENGLISH,
        task=first_tool(messages) or CHAT,
        request=kept(text, REQUEST_CHARS),
        reply=kept(reply, REPLY_CHARS),
        calls=kept_calls(messages),
        foreign=trail_of(messages).foreign,
    )
    add_episode(connection, episode)
    # What a skill had made of it: the skill may be another one by then.
    request = next((message.text for message in messages if message.role is Role.USER), text)
    _add_replay(connection, episode, request)


def remember_past(connection: sqlite3.Connection, most: int) -> bool:
    """Some more of the turns that were there before episodes were are episodes; False when none are left."""
    row = connection.execute("SELECT value FROM memory_state WHERE name = ?", (PAST,)).fetchone()
    found = connection.execute(
        "SELECT number, id FROM turns WHERE number <= ? ORDER BY number DESC LIMIT ?", (int(row[0]), most)
    ).fetchall()
    for _, turn_id in found:
        remember_turn(connection, TurnId(turn_id))
    left = found[-1][0] - 1 if found else 0
    connection.execute("UPDATE memory_state SET value = ? WHERE name = ?", (str(left), PAST))
    return bool(found)


def _kind(stored: str) -> SessionKind:
    """Of a conversation that is stored; a question in a terminal beside a window is one too."""
    return SessionKind(stored) if stored in set(SessionKind) else SessionKind.CONVERSATION


def _messages(connection: sqlite3.Connection, turn_id: TurnId) -> list[Message]:
    """All of the turn, without the results of calls that were only repeated."""
    found = connection.execute(
        "SELECT role, text, calls, call_id, tool_name, status FROM messages"
        " WHERE turn = ? AND NOT (role = ? AND text = ?) ORDER BY number",
        (turn_id, Role.TOOL, HAVE_IT),
    )
    return [_message(row) for row in found]


def _message(row: Sequence[Any]) -> Message:
    role, text, calls, call_id, tool, status = row
    call = None if call_id is None else CallId(call_id)
    return Message(Role(role), text, calls_of(calls), call, tool, ResultStatus(status))


def add_episode(connection: sqlite3.Connection, episode: Episode) -> None:
    """One more episode with its words; one that the turn had is replaced."""
    known = connection.execute("SELECT number FROM episodes WHERE turn = ?", (episode.turn_id,)).fetchone()
    if known:
        remove_episodes(connection, [known[0]])
    values = (
        episode.turn_id,
        episode.session_id,
        episode.agent_id,
        episode.kind,
        episode.outcome,
        time_text(episode.at),
        episode.took_s,
        episode.language,
        storable(episode.task),
        *_columns_of(episode.request),
        *_columns_of(episode.reply),
        json.dumps([(call.name, dict(call.arguments)) for call in episode.calls]),
        int(episode.foreign),
    )
    number = connection.execute(
        """INSERT INTO episodes (turn, session, agent, kind, outcome, at, took_s, language, task,
               request, request_tail, reply, reply_tail, calls, strangers)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        values,
    ).lastrowid
    tools = {storable(call.name) for call in episode.calls} | {storable(episode.task)} - {CHAT}
    connection.executemany("INSERT INTO episode_tools VALUES (?, ?)", [(tool, number) for tool in tools])
    _add_words(connection, [number])


def _add_replay(connection: sqlite3.Connection, episode: Episode, text: str) -> None:
    """The whole request of a turn that failed, in at most 16,000 characters."""
    if episode.outcome in REPLAYED:
        connection.execute(
            "INSERT OR REPLACE INTO replays VALUES (?, ?, ?, ?, ?)",
            (
                episode.turn_id,
                episode.agent_id,
                time_text(episode.at),
                *_columns_of(kept(text, REPLAY_CHARS)),
            ),
        )


def change_episode(connection: sqlite3.Connection, number: int, request: str, reply: str) -> Episode | None:
    """The episode as a person words it now; None when there is none of that number."""
    if not _rows(connection, [number]):
        return None
    _remove_words(connection, [number])
    connection.execute(
        "UPDATE episodes SET request = ?, request_tail = ?, reply = ?, reply_tail = ? WHERE number = ?",
        (*_columns_of(kept(request, REQUEST_CHARS)), *_columns_of(kept(reply, REPLY_CHARS)), number),
    )
    _add_words(connection, [number])
    return _rows(connection, [number])[0]


def remove_episodes(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """These episodes and their words are gone from every table; the file may still hold their bytes."""
    _remove_words(connection, numbers)
    connection.executemany("DELETE FROM episodes WHERE number = ?", [(number,) for number in numbers])


def index_anew(connection: sqlite3.Connection) -> None:
    """The index holds the words of every episode as they are made now."""
    connection.execute("INSERT INTO episode_words(episode_words) VALUES ('delete-all')")
    numbers = [row[0] for row in connection.execute("SELECT number FROM episodes ORDER BY number")]
    _add_words(connection, numbers)


def episode_of(row: Sequence[Any]) -> Episode:
    """The episode in a row of ``COLUMNS``."""
    return Episode(
        TurnId(row[0]),
        SessionId(row[1]),
        AgentId(row[2]),
        SessionKind(row[3]),
        TurnEnd(row[4]),
        datetime.fromisoformat(row[5]),
        row[6],
        Language(row[7]),
        row[8],
        KeptText(row[9], row[10]),
        KeptText(row[11], row[12]),
        tuple(KeptCall(name, arguments) for name, arguments in json.loads(row[13])),
        row[14],
        bool(row[15]),
    )


def _columns_of(text: KeptText) -> tuple[str, str]:
    return storable(text.head), storable(text.tail)


def _rows(connection: sqlite3.Connection, numbers: Iterable[int]) -> list[Episode]:
    found = []
    for number in numbers:
        row = connection.execute(
            f"SELECT {COLUMNS} FROM episodes WHERE number = ?",  # noqa: S608 - a constant of ours
            (number,),
        ).fetchone()
        found += [episode_of(row)] if row else []
    return found


def _add_words(connection: sqlite3.Connection, numbers: Iterable[int | None]) -> None:
    episodes = _rows(connection, [number for number in numbers if number is not None])
    connection.executemany("INSERT INTO episode_words(rowid, words) VALUES (?, ?)", map(_indexed, episodes))


def _remove_words(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    connection.executemany(
        "INSERT INTO episode_words(episode_words, rowid, words) VALUES ('delete', ?, ?)",
        map(_indexed, _rows(connection, numbers)),
    )


def _indexed(episode: Episode) -> tuple[int, str]:
    return episode.number, indexed("\n".join(_texts(episode)))


def _texts(episode: Episode) -> Iterator[str]:
    yield from (episode.request.head, episode.request.tail, episode.reply.head, episode.reply.tail)
    for call in episode.calls:
        yield call.name
        yield from (value for value in call.arguments.values() if isinstance(value, str))
