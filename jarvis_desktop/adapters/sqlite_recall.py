"""Episodes found again by text, time, tool and outcome. Only reads."""

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime

from jarvis_desktop.adapters.sqlite_audit import time_text
from jarvis_desktop.adapters.sqlite_episodes import COLUMNS, agent_word, episode_of
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.memory import Episode, Recall
from jarvis_desktop.core.memory.words import all_of, any_of

MOST_RANKED = 1500
"""Of the episodes that hold the words, the newest so many are ranked: ranking ten thousand took 60 ms."""
HALF_AFTER_DAYS = 30.0
"""After so many days half of what recency gives an episode is left; all of it doubles its rank."""
_RANKED = f"""WITH found AS MATERIALIZED (
        SELECT rowid AS number, bm25(episode_words, 0.0, 1.0) AS score FROM episode_words
        WHERE episode_words MATCH ? AND {{where}} ORDER BY rowid DESC LIMIT {MOST_RANKED})
    SELECT {COLUMNS} FROM found JOIN episodes USING (number) WHERE leaving = 0
    ORDER BY score * (1 + 1 / (1 + max(0, julianday(?) - julianday(at)) / {HALF_AFTER_DAYS})), number DESC
    LIMIT ?"""  # noqa: S608 - texts of ours
_NEWEST = f"SELECT {COLUMNS} FROM episodes WHERE leaving = 0 AND {{where}} ORDER BY number DESC LIMIT ?"  # noqa: S608 - texts of ours
_COUNT = "SELECT count(*) FROM episodes WHERE leaving = 0 AND {where}"


def recalled(connection: sqlite3.Connection, wanted: Recall, now: datetime) -> tuple[Episode, ...]:
    """Episodes that meet every condition.

    With a text those that hold all of its words, the best first; when there is none, those that hold some.
    """
    if not wanted.text.strip():
        return _newest(connection, wanted)
    for query in dict.fromkeys((all_of(wanted.text), any_of(wanted.text))):
        found = _ranked(connection, query, wanted, now) if query else ()
        if found:
            return found
    return ()


def counted(connection: sqlite3.Connection, agent_id: AgentId | None) -> int:
    """How many episodes there are."""
    where, values = _joined(list(_conditions(Recall(agent_id=agent_id))))
    row = connection.execute(_COUNT.format(where=where), values).fetchone()
    return int(row[0])


def _newest(connection: sqlite3.Connection, wanted: Recall) -> tuple[Episode, ...]:
    where, values = _joined(list(_conditions(wanted)))
    found = connection.execute(_NEWEST.format(where=where), (*values, wanted.limit))
    return tuple(map(episode_of, found))


def _ranked(connection: sqlite3.Connection, query: str, wanted: Recall, now: datetime) -> tuple[Episode, ...]:
    match = f"words : ({query})"
    if wanted.agent_id is not None:
        match = f'agent : "{agent_word(wanted.agent_id)}" AND {match}'
    # The agent is in the index already.
    conditions = [one for one in _conditions(wanted) if not one[0].startswith("agent")]
    where, values = _joined(conditions)
    inner = f"rowid IN (SELECT number FROM episodes WHERE {where})" if conditions else "1"  # noqa: S608
    found = connection.execute(_RANKED.format(where=inner), (match, *values, time_text(now), wanted.limit))
    return tuple(map(episode_of, found))


def _joined(conditions: Sequence[tuple[str, object]]) -> tuple[str, list[object]]:
    return " AND ".join(text for text, _ in conditions) or "1", [value for _, value in conditions]


def _conditions(wanted: Recall) -> Iterator[tuple[str, object]]:
    if wanted.agent_id is not None:
        yield "agent = ?", wanted.agent_id
    if wanted.since is not None:
        yield "at >= ?", time_text(wanted.since)
    if wanted.until is not None:
        yield "at <= ?", time_text(wanted.until)
    if wanted.tool:
        yield "number IN (SELECT episode FROM episode_tools WHERE tool = ?)", wanted.tool
    if wanted.outcome is not None:
        yield "outcome = ?", wanted.outcome
    if wanted.before is not None:
        yield "number < ?", wanted.before
