"""What grows with goals, in ``jarvis.db``: told keys, records, history, and items that wait to be told."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from jarvis_desktop.adapters import sqlite_goal_inbox as inbox
from jarvis_desktop.adapters import sqlite_rows as rows
from jarvis_desktop.adapters.sqlite_goal_inbox import utc
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.core.items.goals import GoalId, GoalItem, GoalOutcome, GoalRun, GoalSpoke
from jarvis_desktop.core.ports import Clock, Texts
from jarvis_desktop.core.ports.goals import Delivery

RECORDS_KEPT = 50
RUN_COLUMNS = "goal, at, outcome, told, model_turns, took_s, why, number, tokens"
RUNS_KEPT = 500
"""Of each goal: three weeks of hourly turns, with room for a few that were wished for."""
COUNTED = timedelta(days=2)
"""Rows as young as that are kept, however many they are: budgets are counted from them."""


class SqliteGoals:
    """Fills ``GoalHistory``. Each change is committed when its call returns."""

    def __init__(self, store: SqliteStore, clock: Clock, texts: Texts) -> None:
        self._store, self._clock, self._texts = store, clock, texts

    async def told(self, goal_id: GoalId) -> Mapping[str, str]:
        """The keys that were told, each with the version that was."""

        def work(connection: sqlite3.Connection) -> Mapping[str, str]:
            return dict(
                connection.execute(
                    "SELECT key, version FROM goal_keys WHERE goal = ? AND told_at IS NOT NULL", (goal_id,)
                )
            )

        return await self._store.commit(work)

    async def first_seen(self, goal_id: GoalId) -> Mapping[str, datetime]:
        """When each key was seen for the first time."""

        def work(connection: sqlite3.Connection) -> Mapping[str, datetime]:
            found = connection.execute("SELECT key, first_seen FROM goal_keys WHERE goal = ?", (goal_id,))
            return {key: datetime.fromisoformat(at) for key, at in found}

        return await self._store.commit(work)

    async def saw(self, goal_id: GoalId, keys: Sequence[str]) -> None:
        """These keys are there now, told or not."""
        now = utc(self._clock.now())
        await self._store.commit(lambda connection: inbox.see(connection, goal_id, keys, now))

    async def deliver(self, delivery: Delivery) -> GoalSpoke | None:
        """What now stands in a conversation, or None when all of it was told before.

        One transaction appends the message and marks its items as told, so that each comes exactly once,
        also across a crash (decision 23).
        """
        now = self._clock.now()

        def work(connection: sqlite3.Connection) -> GoalSpoke | None:
            return inbox.deliver(connection, delivery, now, self._texts.language)

        return await self._store.commit(work)

    async def hold(self, goal_id: GoalId, items: Sequence[GoalItem]) -> None:
        """They wait to be told, but those that were; a newer line of a key takes an older one's place."""
        now = utc(self._clock.now())

        await self._store.commit(lambda connection: inbox.hold(connection, goal_id, items, now))

    async def held(self, goal_id: GoalId) -> tuple[GoalItem, ...]:
        """What waits to be told, the oldest first."""
        return await self._store.commit(lambda connection: inbox.waiting(connection, goal_id, noticed=False))

    async def notice(self, goal_id: GoalId, items: Sequence[GoalItem]) -> None:
        """People were told of them by a notification: they count as told, and are still to be shown."""
        now = utc(self._clock.now())
        await self._store.commit(lambda connection: inbox.notice(connection, goal_id, items, now))

    async def to_show(self, goal_id: GoalId) -> tuple[GoalItem, ...]:
        """What people were told of outside, and is to be shown in the conversation; the oldest first."""
        return await self._store.commit(lambda connection: inbox.waiting(connection, goal_id, noticed=True))

    async def mute(self, goal_id: GoalId, key: str, *, on: bool) -> bool:
        """Nobody is told of that key any more, or is again; False where the goal never had it."""
        now = utc(self._clock.now()) if on else None
        return await self._store.commit(lambda connection: inbox.mute(connection, goal_id, key, now))

    async def muted(self, goal_id: GoalId) -> Mapping[str, str]:
        """The keys that nobody is told of, each with the line that waits, or an empty one."""
        return await self._store.commit(lambda connection: inbox.muted(connection, goal_id))

    async def waiting(self) -> tuple[GoalId, ...]:
        """The goals of which something waits."""

        def work(connection: sqlite3.Connection) -> tuple[GoalId, ...]:
            found = connection.execute("SELECT goal FROM goal_inbox GROUP BY goal ORDER BY min(number)")
            return tuple(GoalId(row[0]) for row in found)

        return await self._store.commit(work)

    async def add_record(self, goal_id: GoalId, text: str) -> None:
        """One more line for the turns to come."""
        now = utc(self._clock.now())

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO goal_records (goal, at, text) VALUES (?, ?, ?)",
                (goal_id, now, rows.storable(text)),
            )
            _trim(connection, "goal_records", goal_id, RECORDS_KEPT, now)

        await self._store.commit(work)

    async def records(self, goal_id: GoalId, limit: int) -> tuple[str, ...]:
        """The last ``limit`` lines, oldest first."""

        def work(connection: sqlite3.Connection) -> tuple[str, ...]:
            found = connection.execute(
                "SELECT text FROM goal_records WHERE goal = ? ORDER BY number DESC LIMIT ?", (goal_id, limit)
            ).fetchall()
            return tuple(row[0] for row in reversed(found))

        return await self._store.commit(work)

    async def add_run(self, run: GoalRun) -> None:
        """One more row of the history."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                """INSERT INTO goal_runs (goal, at, outcome, told, model_turns, took_s, why, tokens)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
                (
                    run.goal_id,
                    utc(run.at),
                    run.outcome,
                    run.told,
                    run.model_turns,
                    run.took_s,
                    rows.storable(run.why),
                    run.tokens,
                ),
            )
            _trim(connection, "goal_runs", run.goal_id, RUNS_KEPT, utc(run.at - COUNTED))

        await self._store.commit(work)

    async def runs(self, goal_id: GoalId, limit: int) -> tuple[GoalRun, ...]:
        """The last ``limit`` rows, the newest first."""

        def work(connection: sqlite3.Connection) -> tuple[GoalRun, ...]:
            found = connection.execute(
                f"SELECT {RUN_COLUMNS} FROM goal_runs WHERE goal = ?"  # noqa: S608 - names of ours
                " ORDER BY number DESC LIMIT ?",
                (goal_id, limit),
            )
            return tuple(run_of(row) for row in found)

        return await self._store.commit(work)


def run_of(row: tuple[str, str, str, int, int, float, str, int, int]) -> GoalRun:
    """A row of ``RUN_COLUMNS``."""
    goal, at, outcome, told, model_turns, took_s, why, number, tokens = row
    when, came_to = datetime.fromisoformat(at), GoalOutcome(outcome)
    return GoalRun(GoalId(goal), when, came_to, told, model_turns, took_s, why, number, tokens)


def _trim(connection: sqlite3.Connection, table: str, goal_id: GoalId, kept: int, until: str) -> None:
    """Only the last ``kept`` rows of the goal stay, and all that came after ``until``."""
    connection.execute(
        f"""DELETE FROM {table} WHERE goal = ?1 AND at <= ?3 AND number <=
            (SELECT number FROM {table} WHERE goal = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)""",  # noqa: S608 - names of ours
        (goal_id, kept, until),
    )
