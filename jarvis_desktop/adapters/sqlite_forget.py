"""Forgetting for good: a turn's text leaves every table, the index, the free pages and the copies."""

import logging
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jarvis_desktop.adapters.sqlite_audit import time_text
from jarvis_desktop.adapters.sqlite_episodes import remove_episodes
from jarvis_desktop.core.items.audit import FORGOTTEN
from jarvis_desktop.core.items.goals import GoalId
from jarvis_desktop.core.items.ids import AgentId, TurnId
from jarvis_desktop.core.items.memory import RECALL_TOOL
from jarvis_desktop.core.memory.recall_text import names

log = logging.getLogger(__name__)

SCRUB = "scrub"
"""Name of the note that bytes may still be in the file, with the time of the oldest text."""
CLOCK_SLACK = timedelta(days=1)
"""A copy counts as made after a text even when the clock was that wrong."""
COPIES = ("*.v*.bak*", "*.broken-*")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
_WHOSE = "(:agent IS NULL OR agent = :agent)"
_TURNS_OF = f"""SELECT turns.id FROM turns JOIN conversations c ON c.id = conversation WHERE {_WHOSE}
    UNION SELECT waiting.id FROM waiting JOIN conversations c ON c.id = conversation WHERE {_WHOSE}
    UNION SELECT turn FROM episodes WHERE {_WHOSE}"""  # noqa: S608 - texts of ours
_PATTERNS_OF = f"SELECT number FROM patterns WHERE {_WHOSE}"  # noqa: S608 - texts of ours
_EMPTY_CONVERSATIONS = f"""DELETE FROM conversations WHERE used < (SELECT max(used) FROM conversations)
    AND id NOT IN (SELECT conversation FROM turns) AND {_WHOSE}"""  # noqa: S608 - texts of ours


@dataclass(frozen=True, slots=True)
class Leaving:
    """What a person has told us to forget and can still take back."""

    turns: tuple[TurnId, ...]
    """Also those in which a pattern was taught that leaves."""
    patterns: tuple[int, ...]


def leaving(connection: sqlite3.Connection, only: tuple[str, int] | None = None) -> Leaving:
    """What was told to go and is still there; of all that, ``only`` the row of a table."""

    def rows(table: str, column: str) -> list[tuple[int, str | None]]:
        found = connection.execute(f"SELECT number, {column} FROM {table} WHERE leaving = 1")  # noqa: S608 - names of ours
        return [row for row in found if only is None or only == (table, row[0])]

    episodes, patterns = rows("episodes", "turn"), rows("patterns", "taught_in")
    turns = (turn for _, turn in (*episodes, *patterns) if turn is not None)
    return Leaving(tuple(map(TurnId, dict.fromkeys(turns))), tuple(number for number, _ in patterns))


def set_leaving(connection: sqlite3.Connection, table: str, number: int, *, on: bool) -> bool:
    """The row of ``episodes`` or ``patterns`` is on its way out, or stays after all; False: there is none."""
    statement = f"UPDATE {table} SET leaving = ? WHERE number = ?"  # noqa: S608 - a name of ours
    return connection.execute(statement, (int(on), number)).rowcount == 1


def turns_before(connection: sqlite3.Connection, moment: datetime) -> tuple[TurnId, ...]:
    """The turns that ended and were asked before then."""
    found = connection.execute("SELECT id, asked_at FROM turns WHERE state <> 'running'").fetchall()
    old = {TurnId(turn) for turn, at in found if datetime.fromisoformat(at) < moment}
    alone = connection.execute("SELECT turn FROM episodes WHERE at < ?", (time_text(moment),))
    return tuple(old | {TurnId(row[0]) for row in alone})


def erase_turns(
    connection: sqlite3.Connection, turn_ids: Iterable[TurnId], now: datetime
) -> tuple[TurnId, ...]:
    """The turns are in no table any more; of their decisions stays what was decided, without the text.

    What other agents did for such a turn goes with it, and it goes with what it asked of them: they hold
    each other's words. All that went come back.
    """
    ids = [(turn_id,) for turn_id in turn_ids]
    if not ids:
        return ()
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS gone (turn TEXT PRIMARY KEY)")
    connection.execute("DELETE FROM gone")
    connection.executemany("INSERT OR IGNORE INTO gone VALUES (?)", ids)
    for one, other in (("root", "turn"), ("turn", "root")):
        connection.execute(
            f"INSERT OR IGNORE INTO gone SELECT {one} FROM delegates WHERE {other} IN (SELECT turn FROM gone)"  # noqa: S608 - names of ours
        )
    _note_scrub(connection, _oldest(connection, now))
    gone = "IN (SELECT turn FROM gone)"
    numbers = [row[0] for row in connection.execute(f"SELECT number FROM episodes WHERE turn {gone}")]  # noqa: S608
    remove_episodes(connection, numbers)
    _forget_recalls(connection, numbers)
    for table in ("replays", "pattern_uses", "activity"):
        connection.execute(f"DELETE FROM {table} WHERE turn {gone}")  # noqa: S608 - names of ours
    for table in ("waiting", "turns"):  # messages go with their turn
        connection.execute(f"DELETE FROM {table} WHERE id {gone}")  # noqa: S608 - names of ours
    _redact(connection, f"turn {gone}", ())
    went = tuple(TurnId(row[0]) for row in connection.execute("SELECT turn FROM gone"))
    connection.execute("DELETE FROM gone")
    return went


def erase_patterns(connection: sqlite3.Connection, numbers: Sequence[int], now: datetime) -> None:
    """The patterns are in no table any more; where they were used is gone with them."""
    for number in numbers:
        row = connection.execute("SELECT taught_at FROM patterns WHERE number = ?", (number,)).fetchone()
        if row:
            _note_scrub(connection, min(row[0], time_text(now)))
            connection.execute("DELETE FROM patterns WHERE number = ?", (number,))


def erase_everything(
    connection: sqlite3.Connection, agent_id: AgentId | None, now: datetime, goals: Sequence[GoalId] = ()
) -> tuple[TurnId, ...]:
    """All turns, episodes and patterns of one agent, or of all, are gone; rules and settings stay.

    goals: of that agent. What they found and told goes, and what scheduled runs came to; that they ran stays,
    so that none runs twice.
    """
    values = {"agent": agent_id}
    _forget_goals(connection, None if agent_id is None else goals)
    connection.execute(
        f"UPDATE schedule_runs SET text = '' WHERE :agent IS NULL OR session IN"  # noqa: S608 - a text of ours
        f" (SELECT id FROM conversations WHERE {_WHOSE})",
        values,
    )
    turns = [TurnId(row[0]) for row in connection.execute(_TURNS_OF, values)]
    _note_scrub(connection, time_text(LONG_AGO))
    gone = erase_turns(connection, turns, now)
    numbers = [row[0] for row in connection.execute(_PATTERNS_OF, values)]
    erase_patterns(connection, numbers, now)
    _redact(connection, "(? IS NULL OR agent = ?)", (agent_id, agent_id))
    if agent_id is None:
        connection.execute("DELETE FROM activity")
    connection.execute(_EMPTY_CONVERSATIONS, values)
    return gone


def scrub_wanted(connection: sqlite3.Connection) -> str | None:
    """The time of the oldest text whose bytes may still be somewhere; None when none are."""
    row = connection.execute("SELECT value FROM memory_state WHERE name = ?", (SCRUB,)).fetchone()
    return None if row is None else str(row[0])


def scrub(connection: sqlite3.Connection, path: Path, oldest: str) -> bool:
    """No byte of what is in no table is in any file; False when somebody still reads: try again.

    Runs outside a transaction. The index is merged, because a removal only marks words in it; VACUUM writes
    every page anew, those too that an older version freed without wiping; then the log is cut to nothing.

    Raises:
        sqlite3.Error, OSError: it could not be done, for example on a full disk.
    """
    connection.execute("INSERT INTO episode_words(episode_words) VALUES ('optimize')")
    connection.execute("VACUUM")
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        return False
    _drop_copies(path, datetime.fromisoformat(oldest) - CLOCK_SLACK)
    connection.execute("DELETE FROM memory_state WHERE name = ?", (SCRUB,))
    return True


def _drop_copies(path: Path, since: datetime) -> None:
    """Copies of the database that were written later than ``since`` are gone: they hold the same text."""
    for pattern in COPIES:
        for copy in path.parent.glob(f"{path.name}{pattern.removeprefix('*')}"):
            if copy.stat().st_mtime >= since.timestamp():
                copy.unlink()
                log.info("a copy of the database is gone with what was forgotten", extra={"copy": copy.name})


def _oldest(connection: sqlite3.Connection, now: datetime) -> str:
    """When the first of the turns in ``gone`` was asked."""
    found = connection.execute("SELECT asked_at FROM turns WHERE id IN (SELECT turn FROM gone)").fetchall()
    found += connection.execute("SELECT at FROM episodes WHERE turn IN (SELECT turn FROM gone)").fetchall()
    return min((time_text(datetime.fromisoformat(row[0])) for row in found), default=time_text(now))


def _note_scrub(connection: sqlite3.Connection, oldest: str) -> None:
    connection.execute(
        "INSERT INTO memory_state VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = min(value, ?2)",
        (SCRUB, oldest),
    )


def _forget_recalls(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Results of recalls in other turns that tell of these episodes say so no more."""
    found = connection.execute(
        "SELECT number, text FROM messages WHERE tool_name = ?", (RECALL_TOOL,)
    ).fetchall()
    told = [number for number, text in found if any(names(text, one) for one in numbers)]
    said = [(FORGOTTEN, number) for number in told]
    connection.executemany("UPDATE messages SET text = ? WHERE number = ?", said)


def _forget_goals(connection: sqlite3.Connection, goals: Sequence[GoalId] | None) -> None:
    """What these goals, or all, found, told and cost is in no table any more."""
    for table in ("goal_keys", "goal_records", "goal_runs", "goal_inbox", "goal_renewals"):
        if goals is None:
            connection.execute(f"DELETE FROM {table}")  # noqa: S608 - a name of ours
        else:
            rows = [(goal_id,) for goal_id in goals]
            connection.executemany(f"DELETE FROM {table} WHERE goal = ?", rows)  # noqa: S608 - a name of ours


def _redact(connection: sqlite3.Connection, where: str, values: Sequence[object]) -> None:
    """The one way in which an entry of the audit log changes: its text goes, the decision stays.

    The log's guard is taken away and put back inside the transaction, so nobody else ever finds it open.
    """
    guard = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'audit_unchanged'").fetchone()[0]
    connection.execute("DROP TRIGGER audit_unchanged")
    connection.execute(f"UPDATE audit SET shown = ? WHERE {where}", (FORGOTTEN, *values))  # noqa: S608
    connection.execute(guard)
