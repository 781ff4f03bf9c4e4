"""Items of goals on their way to people. Every function runs inside a transaction."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from jarvis_desktop.adapters import sqlite_rows as rows
from jarvis_desktop.adapters.sqlite_schema import TurnState
from jarvis_desktop.core.items.goals import Goal, GoalId, GoalItem, GoalSpoke
from jarvis_desktop.core.items.ids import TurnId, fresh_id
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd
from jarvis_desktop.core.ports import Conversation
from jarvis_desktop.core.ports.goals import Delivery


def utc(at: datetime) -> str:
    """As these tables keep times, so that text sorts like time."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def see(connection: sqlite3.Connection, goal_id: GoalId, keys: Iterable[str], at: str) -> None:
    """These keys are there now, told or not."""
    connection.executemany(
        """INSERT INTO goal_keys (goal, key, version, first_seen, last_seen) VALUES (?, ?, '', ?, ?)
           ON CONFLICT (goal, key) DO UPDATE SET last_seen = excluded.last_seen""",
        [(goal_id, key, at, at) for key in keys],
    )


def hold(connection: sqlite3.Connection, goal_id: GoalId, items: Sequence[GoalItem], at: str) -> None:
    """They wait to be told, but those that were; a new version of one that was notified of waits anew."""
    see(connection, goal_id, [one.key for one in items], at)
    connection.executemany(
        """INSERT INTO goal_inbox (goal, key, version, line, at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (goal, key) DO UPDATE SET line = excluded.line, version = excluded.version,
               noticed_at = CASE WHEN version = excluded.version THEN noticed_at END""",
        [
            (goal_id, one.key, one.version, rows.storable(one.line), at)
            for one in items
            if not _is_told(connection, goal_id, one)
        ],
    )


def waiting(connection: sqlite3.Connection, goal_id: GoalId, *, noticed: bool) -> tuple[GoalItem, ...]:
    """What waits to be told, or, ``noticed``, to be shown where people can ask on; the oldest first."""
    found = connection.execute(
        """SELECT key, line, version FROM goal_inbox
           WHERE goal = ? AND (noticed_at IS NOT NULL) = ? ORDER BY number""",
        (goal_id, noticed),
    )
    return tuple(GoalItem(*row) for row in found)


def notice(connection: sqlite3.Connection, goal_id: GoalId, items: Iterable[GoalItem], at: str) -> None:
    """People were told of them by a notification: told, and still to be shown in the conversation."""
    for one in items:
        marked = connection.execute(
            "UPDATE goal_inbox SET noticed_at = ? WHERE goal = ? AND key = ? AND version = ?",
            (at, goal_id, one.key, one.version),
        )
        if marked.rowcount:  # else it was told in a conversation meanwhile
            _tell(connection, goal_id, [one], at)


def mute(connection: sqlite3.Connection, goal_id: GoalId, key: str, at: str | None) -> bool:
    """Nobody is told of that key from ``at`` on, or is again; False where the goal has no such key."""
    done = connection.execute(
        "UPDATE goal_keys SET muted_at = ? WHERE goal = ? AND key = ?", (at, goal_id, key)
    )
    return done.rowcount > 0


def muted(connection: sqlite3.Connection, goal_id: GoalId) -> Mapping[str, str]:
    """The keys that nobody is told of, each with the line that waits, or an empty one."""
    return dict(
        connection.execute(
            """SELECT k.key, coalesce(i.line, '') FROM goal_keys k
               LEFT JOIN goal_inbox i ON i.goal = k.goal AND i.key = k.key
               WHERE k.goal = ? AND k.muted_at IS NOT NULL ORDER BY k.key""",
            (goal_id,),
        )
    )


def deliver(
    connection: sqlite3.Connection, delivery: Delivery, now: datetime, language: str
) -> GoalSpoke | None:
    """What now stands in a conversation, or None when all of it was told in one before."""
    goal = delivery.goal
    shown = {one.key: one.version for one in waiting(connection, goal.goal_id, noticed=True)}
    news = tuple(one for one in delivery.items if not _is_told(connection, goal.goal_id, one))
    fresh = [one for one in delivery.items if one in news or shown.get(one.key) == one.version]
    if not fresh:
        _leave(connection, goal.goal_id, delivery.items)
        return None
    text = delivery.text(fresh)
    conversation = rows.last_conversation(connection, goal.agent_id)
    if conversation is None:
        conversation = rows.new_conversation(connection, goal.agent_id, delivery.cwd, now)
    turn_id = TurnId(fresh_id())
    _append(connection, conversation, turn_id, goal, text, (now, language))
    at = utc(now)
    see(connection, goal.goal_id, [one.key for one in fresh], at)
    _tell(connection, goal.goal_id, news, at)
    _leave(connection, goal.goal_id, delivery.items)
    return GoalSpoke(
        *(turn_id, conversation.session_id, goal.agent_id, goal.goal_id, goal.sentence, text, now),
        items=len(fresh),
        news=news,
        asks=tuple(one for one in fresh if one.asks),
    )


def _append(
    connection: sqlite3.Connection,
    conversation: Conversation,
    turn_id: TurnId,
    goal: Goal,
    text: str,
    at: tuple[datetime, str],
) -> None:
    """The agent's words, as a turn of the conversation that nobody asked for in it."""
    now, language = at
    connection.execute(
        """INSERT INTO turns
           (id, conversation, origin, language, text, asked_at, state, end, reply, replied_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            turn_id,
            conversation.session_id,
            Origin.GOAL,
            language,
            rows.storable(goal.sentence),
            now.isoformat(),
            TurnState.ENDED,
            TurnEnd.ANSWERED,
            rows.storable(text),
            now.isoformat(),
        ),
    )
    said = (Message(Role.USER, goal.sentence), Message(Role.ASSISTANT, text))
    rows.add_messages(connection, turn_id, said)


def _is_told(connection: sqlite3.Connection, goal_id: GoalId, item: GoalItem) -> bool:
    row = connection.execute(
        "SELECT version FROM goal_keys WHERE goal = ? AND key = ? AND told_at IS NOT NULL",
        (goal_id, item.key),
    ).fetchone()
    return row is not None and row[0] == item.version


def _tell(connection: sqlite3.Connection, goal_id: GoalId, items: Iterable[GoalItem], at: str) -> None:
    connection.executemany(
        "UPDATE goal_keys SET version = ?, told_at = ? WHERE goal = ? AND key = ?",
        [(one.version, at, goal_id, one.key) for one in items],
    )


def _leave(connection: sqlite3.Connection, goal_id: GoalId, items: Iterable[GoalItem]) -> None:
    """They wait no more; of a key that changed meanwhile, the newer version still does."""
    connection.executemany(
        "DELETE FROM goal_inbox WHERE goal = ? AND key = ? AND version = ?",
        [(goal_id, one.key, one.version) for one in items],
    )
