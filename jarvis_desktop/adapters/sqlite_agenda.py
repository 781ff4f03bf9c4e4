"""What the agenda reads of ``jarvis.db`` in one go: last results, effort, told keys."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from jarvis_desktop.adapters.sqlite_goals import RUN_COLUMNS, run_of
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.core.items.agenda import Effort, ToldKey
from jarvis_desktop.core.items.goals import GoalId, GoalOutcome, GoalRun

_NO_TURN = (GoalOutcome.SKIPPED_WINDOW, GoalOutcome.SKIPPED_BUDGET)
_CUT = (GoalOutcome.ERROR, GoalOutcome.INTERRUPTED)
"""Nobody knows how far the model came."""
EVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Overview:
    """What of the database stands in the lists."""

    last: Mapping[GoalId, GoalRun]
    """The newest row of each goal's history."""
    today: Effort


class SqliteAgenda:
    """Reads only. Raises StorageError."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    async def overview(self, midnight: datetime) -> Overview:
        """Of all goals; what was done since ``midnight`` counts as today's."""

        def work(connection: sqlite3.Connection) -> Overview:
            found = connection.execute(
                f"SELECT {RUN_COLUMNS} FROM goal_runs"  # noqa: S608 - names of ours
                " WHERE number IN (SELECT max(number) FROM goal_runs GROUP BY goal)"
            )
            runs = [run_of(row) for row in found]
            return Overview({run.goal_id: run for run in runs}, _effort(connection, midnight, None))

        return await self._store.commit(work)

    async def effort(self, goal_id: GoalId, since: datetime) -> Effort:
        """What the turns of one goal took."""
        return await self._store.commit(lambda connection: _effort(connection, since, goal_id))

    async def told(self, goal_id: GoalId, limit: int) -> tuple[ToldKey, ...]:
        """The keys that were told or muted, the newest first."""

        def work(connection: sqlite3.Connection) -> tuple[ToldKey, ...]:
            found = connection.execute(
                """SELECT key, version, told_at, muted_at IS NOT NULL FROM goal_keys
                   WHERE goal = ? AND (told_at IS NOT NULL OR muted_at IS NOT NULL)
                   ORDER BY coalesce(told_at, muted_at) DESC, key LIMIT ?""",
                (goal_id, limit),
            )
            return tuple(
                ToldKey(key, version, None if at is None else datetime.fromisoformat(at), bool(muted))
                for key, version, at, muted in found
            )

        return await self._store.commit(work)


def _effort(connection: sqlite3.Connection, since: datetime, goal_id: GoalId | None) -> Effort:
    row = connection.execute(
        """SELECT count(*), coalesce(sum(model_turns = 0 AND outcome NOT IN (?1, ?2)), 0),
                  coalesce(sum(tokens), 0), coalesce(sum(took_s), 0.0)
           FROM goal_runs WHERE at >= ?3 AND (?4 IS NULL OR goal = ?4) AND outcome NOT IN (?5, ?6)""",
        (*_CUT, since.astimezone(UTC).isoformat(timespec="microseconds"), goal_id, *_NO_TURN),
    ).fetchone()
    return Effort(*row)
