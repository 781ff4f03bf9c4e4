"""Episodes found again by text, time, tool and outcome. Only reads."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from jarvis_desktop.adapters.sqlite_audit import time_text
from jarvis_desktop.adapters.sqlite_episodes import COLUMNS, episode_of
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.memory import Episode, Recall
from jarvis_desktop.core.memory.words import all_of, any_of

MOST_RANKED = 400
"""Of the episodes that hold the words, the newest so many are ranked: ranking ten thousand took 60 ms."""
HALF_AFTER_DAYS = 30.0
"""After so many days half of what recency gives an episode is left; all of it doubles its rank."""
# The texts are read of the best alone: sorting them along took longer than finding them.
_RANKED = f"""WITH found AS MATERIALIZED (
        SELECT rowid AS number, bm25(episode_words) AS score FROM episode_words
        WHERE episode_words MATCH ? AND {{where}} ORDER BY rowid DESC LIMIT {MOST_RANKED}),
    best AS MATERIALIZED (
        SELECT number,
            score * (1 + 1 / (1 + max(0, julianday(?) - julianday(at)) / {HALF_AFTER_DAYS})) AS rank
        FROM found JOIN episodes USING (number) WHERE leaving = 0
        ORDER BY rank, number DESC LIMIT ?)
    SELECT {COLUMNS} FROM best JOIN episodes USING (number) ORDER BY rank, number DESC"""  # noqa: S608 - texts of ours
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
    conditions = list(_conditions(replace(wanted, agent_id=None)))
    where, values = _joined(conditions)
    # The pluses keep SQLite from asking the index once for every number.
    parts = [f"+rowid IN (SELECT number FROM episodes WHERE {where})"] if conditions else []  # noqa: S608 - texts of ours
    if wanted.agent_id is not None:
        parts.append("? = (SELECT agent FROM episodes WHERE number = +episode_words.rowid)")
        values.append(wanted.agent_id)
    inner = " AND ".join(parts) or "1"
    found = connection.execute(_RANKED.format(where=inner), (query, *values, time_text(now), wanted.limit))
    return tuple(map(episode_of, found))


def _joined(conditions: Sequence[tuple[str, object]]) -> tuple[str, list[object]]:
    return " AND ".join(text for text, _ in conditions) or "1", [value for _, value in conditions]


def _conditions(wanted: Recall) -> Iterator[tuple[str, object]]:
    timed = wanted.since is not None or wanted.until is not None
    if wanted.agent_id is not None:
        # A span of time is found by its index, everything else by walking back from the newest.
        yield "+agent = ?" if timed else "agent = ?", wanted.agent_id
    if wanted.since is not None:
        yield "at >= ?", time_text(wanted.since)
    if wanted.until is not None:
        yield "at <= ?", time_text(wanted.until)
    if wanted.tool:
        yield "EXISTS (SELECT 1 FROM episode_tools WHERE tool = ? AND episode = number)", wanted.tool
    if wanted.outcome is not None:
        yield "outcome = ?", wanted.outcome
    if wanted.before is not None:
        yield "number < ?", wanted.before
