"""What goals have cost, worked out from their history in ``jarvis.db``: it survives every restart."""

import sqlite3
from datetime import datetime

from jarvis_desktop.adapters.sqlite_audit import time_text
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.core.items.goals import GoalId, GoalItem, Spent
from jarvis_desktop.core.ports import Clock


class SqliteGoalCosts:
    """Fills ``GoalCosts``."""

    def __init__(self, store: SqliteStore, clock: Clock) -> None:
        self._store, self._clock = store, clock

    async def spent(self, since: datetime, goal_id: GoalId | None = None) -> Spent:
        """What turns have cost that began since then: those of one goal, or of all."""
        now = time_text(self._clock.now())

        def work(connection: sqlite3.Connection) -> Spent:
            # A clock that was wrong once has left rows of the future, which are of no day until then.
            found = connection.execute(
                """SELECT count(*) FILTER (WHERE model_turns > 0), coalesce(sum(tokens), 0) FROM goal_runs
                   WHERE at >= ?1 AND at <= ?3 AND (?2 IS NULL OR goal = ?2)""",
                (time_text(since), goal_id, now),
            )
            return Spent(*found.fetchone())

        return await self._store.commit(work)

    async def renew(self, goal_id: GoalId) -> None:
        """What it cost and failed at before does not count any more."""
        now = time_text(self._clock.now())
        await self._store.commit(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO goal_renewals VALUES (?, ?)", (goal_id, now)
            )
        )

    async def renewed_at(self, goal_id: GoalId) -> datetime | None:
        """When a person last let it go on; a time to come, of a clock that was wrong, is none."""
        now = time_text(self._clock.now())

        def work(connection: sqlite3.Connection) -> datetime | None:
            query = "SELECT at FROM goal_renewals WHERE goal = ? AND at <= ?"
            row = connection.execute(query, (goal_id, now)).fetchone()
            return None if row is None else datetime.fromisoformat(row[0])

        return await self._store.commit(work)

    async def asked(self, item: GoalItem) -> bool:
        """Some goal has told an item of that key and version, or is about to."""

        def work(connection: sqlite3.Connection) -> bool:
            found = connection.execute(
                """SELECT 1 FROM goal_keys WHERE key = ?1 AND version = ?2 AND told_at IS NOT NULL
                   UNION ALL SELECT 1 FROM goal_inbox WHERE key = ?1 AND version = ?2""",
                (item.key, item.version),
            )
            return found.fetchone() is not None

        return await self._store.commit(work)
