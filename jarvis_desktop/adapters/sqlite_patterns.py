"""Taught patterns as rows of ``jarvis.db``. Runs inside a transaction."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from jarvis_desktop.adapters.sqlite_audit import time_text
from jarvis_desktop.adapters.sqlite_rows import storable
from jarvis_desktop.core.items.ids import AgentId, SessionId, TurnId
from jarvis_desktop.core.items.memory import PatternName, TaskPattern

_COLUMNS = "agent, name, situation, keywords, content, taught_at, taught_in, number"
MOST_READ = 500
"""Patterns of one agent that are looked at for a turn, the newest first."""


def add_pattern(connection: sqlite3.Connection, pattern: TaskPattern) -> TaskPattern:
    """The pattern with its number; one that the agent had by this name is replaced."""
    named = connection.execute(
        "SELECT number FROM patterns WHERE agent = ? AND name = ? AND leaving = 0",
        (pattern.agent_id, storable(pattern.name)),
    ).fetchone()
    if named:
        return change_pattern(connection, replace(pattern, number=named[0])) or pattern
    number = connection.execute(
        """INSERT INTO patterns (agent, name, situation, keywords, content, taught_at, taught_in)
           VALUES (?, ?, ?, ?, ?, ?, ?)""",
        (pattern.agent_id, *_texts(pattern), time_text(pattern.taught_at), pattern.taught_in),
    ).lastrowid
    return replace(pattern, number=number or 0)


def change_pattern(connection: sqlite3.Connection, pattern: TaskPattern) -> TaskPattern | None:
    """The pattern of that number says this now; None when there is none."""
    changed = connection.execute(
        """UPDATE patterns SET name = ?, situation = ?, keywords = ?, content = ?, taught_at = ?,
               taught_in = ? WHERE number = ?""",
        (*_texts(pattern), time_text(pattern.taught_at), pattern.taught_in, pattern.number),
    ).rowcount
    return pattern if changed else None


def part_from_turn(connection: sqlite3.Connection, number: int) -> None:
    """The turn in which the pattern was taught no longer goes with it."""
    connection.execute("UPDATE patterns SET taught_in = NULL WHERE number = ?", (number,))


def patterns(connection: sqlite3.Connection, agent_id: AgentId | None) -> tuple[TaskPattern, ...]:
    """The newest first; of every agent when none is named."""
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM patterns WHERE leaving = 0 AND (?1 IS NULL OR agent = ?1)"  # noqa: S608
        " ORDER BY taught_at DESC, number DESC LIMIT ?2",
        (agent_id, MOST_READ),
    )
    return tuple(map(pattern_of, found))


def add_uses(
    connection: sqlite3.Connection, turn_id: TurnId, used: Sequence[PatternName], now: datetime
) -> None:
    """These patterns stood before that turn; one that was forgotten meanwhile leaves no trace."""
    connection.executemany(
        "INSERT OR IGNORE INTO pattern_uses SELECT ?, number, ? FROM patterns WHERE number = ?",
        [(turn_id, time_text(now), one.number) for one in used],
    )


def names_used(connection: sqlite3.Connection, session_id: SessionId, turns: int) -> Mapping[str, str]:
    """By turn, the names of the patterns that stood before it, in the last ``turns`` of a conversation."""
    found = connection.execute(
        """SELECT pattern_uses.turn, name FROM pattern_uses JOIN patterns ON number = pattern
           WHERE leaving = 0 AND pattern_uses.turn IN
               (SELECT id FROM turns WHERE conversation = ? ORDER BY number DESC LIMIT ?)
           ORDER BY number""",
        (session_id, turns),
    )
    names: dict[str, list[str]] = defaultdict(list)
    for turn, name in found:
        names[turn].append(name)
    return {turn: ", ".join(several) for turn, several in names.items()}


@lru_cache(maxsize=MOST_READ)
def pattern_of(row: tuple[Any, ...]) -> TaskPattern:
    """The pattern in a row of its columns; they are read anew at every turn, and seldom are others."""
    return TaskPattern(
        agent_id=AgentId(row[0]),
        name=row[1],
        when=row[2],
        keywords=tuple(json.loads(row[3])),
        content=row[4],
        taught_at=datetime.fromisoformat(row[5]),
        taught_in=None if row[6] is None else TurnId(row[6]),
        number=row[7],
    )


def _texts(pattern: TaskPattern) -> tuple[str, str, str, str]:
    keywords = json.dumps([storable(word) for word in pattern.keywords], ensure_ascii=False)
    return storable(pattern.name), storable(pattern.when), keywords, storable(pattern.content)
