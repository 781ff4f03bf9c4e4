"""Stored conversations as people look them up: listed, searched, opened again, read whole."""

import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from jarvis_desktop.adapters import sqlite_rows as rows
from jarvis_desktop.adapters.sqlite_schema import TurnState
from jarvis_desktop.adapters.sqlite_shown import EVERY_TURN, made_by_skills, shown_lines, tools_of
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.ids import AgentId, SessionId
from jarvis_desktop.core.items.slash import SlashAnswered, StoredConversation, StoredTurn
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.ports import Conversation, Restored, Texts

T = TypeVar("T")

_ASKED = f"turns.conversation = conversations.id AND turns.origin NOT IN ('{Origin.SLASH}', '{Origin.GOAL}')"
_LISTED = (rows.ConversationKind.CONVERSATION, rows.ConversationKind.SCHEDULE)
"""Of jobs that are due by the clock, each has one."""
_SAID = r"(turns.text LIKE ? ESCAPE '\' OR turns.reply LIKE ? ESCAPE '\')"


class Commits(Protocol):
    """A store that runs work on its thread; ``SqliteStore`` fills it."""

    def commit(self, work: Callable[[sqlite3.Connection], T]) -> Awaitable[T]:
        """What ``work`` returns, after its changes are committed."""


class SqliteChats:
    """Fills ``StoredChats``."""

    def __init__(self, store: Commits, texts: Texts) -> None:
        self._store, self._texts = store, texts

    async def conversations(self, words: str, limit: int) -> tuple[StoredConversation, ...]:
        """The last used ones in which something was asked, newest first."""
        return await self._store.commit(lambda connection: _conversations(connection, words.split(), limit))

    async def turns_of(self, session_id: SessionId) -> tuple[StoredTurn, ...]:
        """All that was asked and answered in one, oldest first; slash commands are left out."""
        return await self._store.commit(lambda connection: _turns(connection, session_id))

    async def open(self, session_id: SessionId) -> Restored:
        """That conversation, which is the last used one from now on.

        Raises:
            UserFixableError: it is not there any more.
        """
        found = await self._store.commit(lambda connection: _opened(connection, session_id))
        if found is None:
            raise UserFixableError(self._texts("This conversation is not there any more."))
        return found


def add_command(connection: sqlite3.Connection, answered: SlashAnswered, language: Language) -> None:
    """A command and its answer, as a turn without messages: windows show it, models never read it."""
    at = answered.at.isoformat()
    connection.execute(
        """INSERT INTO turns
           (id, conversation, origin, language, text, asked_at, state, end, reply, replied_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            answered.turn_id,
            answered.session_id,
            Origin.SLASH,
            language,
            rows.storable(answered.text),
            at,
            TurnState.ENDED,
            TurnEnd.ANSWERED if answered.well else TurnEnd.FAILED,
            rows.storable(answered.to_keep),
            at,
        ),
    )


def _conversations(
    connection: sqlite3.Connection, words: Sequence[str], limit: int
) -> tuple[StoredConversation, ...]:
    likes = [f"%{_literal(word)}%" for word in words for _ in range(2)]
    each = f" AND EXISTS (SELECT 1 FROM turns WHERE {_ASKED} AND {_SAID})" * len(words)  # noqa: S608 - our own constants
    any_word = f" AND ({' OR '.join([_SAID] * len(words))})" if words else ""
    found = connection.execute(
        f"""SELECT id, agent,
                (SELECT text FROM turns WHERE {_ASKED}{any_word} ORDER BY number LIMIT 1),
                (SELECT coalesce(replied_at, asked_at) FROM turns
                 WHERE {_ASKED} ORDER BY number DESC LIMIT 1),
                (SELECT count(*) FROM turns WHERE {_ASKED}) AS requests
            FROM conversations WHERE kind IN (?, ?) AND requests > 0{each} ORDER BY used DESC LIMIT ?""",  # noqa: S608 - our own constants
        (*likes, *_LISTED, *likes, limit),
    )
    return tuple(
        StoredConversation(SessionId(row[0]), AgentId(row[1]), row[2], datetime.fromisoformat(row[3]), row[4])
        for row in found
    )


def _literal(word: str) -> str:
    """``word`` without a meaning to LIKE."""
    return word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")


def _turns(connection: sqlite3.Connection, session_id: SessionId) -> tuple[StoredTurn, ...]:
    tools = tools_of(connection, session_id, EVERY_TURN)
    made = made_by_skills(connection, session_id, EVERY_TURN)
    found = connection.execute(
        """SELECT id, text, origin, asked_at, reply, replied_at, end FROM turns
           WHERE conversation = ? AND origin <> ? ORDER BY number""",
        (session_id, Origin.SLASH),
    )
    return tuple(
        StoredTurn(
            text,
            Origin(origin),
            datetime.fromisoformat(asked_at),
            tuple(call for call, _ in tools.get(turn, ())),
            reply,
            datetime.fromisoformat(replied_at or asked_at),
            TurnEnd(end) if end else None,
            made.get(turn, ""),
        )
        for turn, text, origin, asked_at, reply, replied_at, end in found
    )


def _opened(connection: sqlite3.Connection, session_id: SessionId) -> Restored | None:
    row = connection.execute(
        "SELECT agent, cwd FROM conversations WHERE id = ? AND kind IN (?, ?)",
        (session_id, *_LISTED),
    ).fetchone()
    if row is None:
        return None
    connection.execute(
        f"UPDATE conversations SET used = {rows.NEXT_USE} WHERE id = ?",  # noqa: S608 - a constant of ours
        (session_id,),
    )
    conversation = Conversation(session_id, AgentId(row[0]), rows.path_of(row[1]))
    lines, messages = shown_lines(connection, session_id), rows.model_messages(connection, session_id)
    return Restored(conversation, lines, messages, ())
