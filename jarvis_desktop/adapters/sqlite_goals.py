"""What grows with goals, in ``jarvis.db``: told keys, records, history, and items that wait to be told."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from jarvis_desktop.adapters import sqlite_rows as rows
from jarvis_desktop.adapters.sqlite_schema import TurnState
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.core.items.goals import Goal, GoalId, GoalItem, GoalOutcome, GoalRun, GoalSpoke
from jarvis_desktop.core.items.ids import TurnId, fresh_id
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd
from jarvis_desktop.core.ports import Clock, Conversation, Texts
from jarvis_desktop.core.ports.goals import Delivery

RECORDS_KEPT = 50
RUNS_KEPT = 500
"""Of each goal: three weeks of hourly turns, with room for a few that were wished for."""


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
        now = _utc(self._clock.now())
        await self._store.commit(lambda connection: _see(connection, goal_id, keys, now))

    async def deliver(self, delivery: Delivery) -> GoalSpoke | None:
        """What now stands in a conversation, or None when all of it was told before.

        One transaction appends the message and marks its items as told, so that each comes exactly once,
        also across a crash (decision 23).
        """
        now = self._clock.now()

        def work(connection: sqlite3.Connection) -> GoalSpoke | None:
            return _deliver(connection, delivery, now, self._texts.language)

        return await self._store.commit(work)

    async def hold(self, goal_id: GoalId, items: Sequence[GoalItem]) -> None:
        """They wait to be told; a newer line of a key takes the place of an older one."""
        now = _utc(self._clock.now())

        def work(connection: sqlite3.Connection) -> None:
            _see(connection, goal_id, [one.key for one in items], now)
            connection.executemany(
                """INSERT INTO goal_inbox (goal, key, version, line, at) VALUES (?, ?, ?, ?, ?)
                   ON CONFLICT (goal, key) DO UPDATE SET version = excluded.version, line = excluded.line""",
                [(goal_id, one.key, one.version, rows.storable(one.line), now) for one in items],
            )

        await self._store.commit(work)

    async def held(self, goal_id: GoalId) -> tuple[GoalItem, ...]:
        """What waits to be told, the oldest first."""

        def work(connection: sqlite3.Connection) -> tuple[GoalItem, ...]:
            found = connection.execute(
                "SELECT key, line, version FROM goal_inbox WHERE goal = ? ORDER BY number", (goal_id,)
            )
            return tuple(GoalItem(*row) for row in found)

        return await self._store.commit(work)

    async def waiting(self) -> tuple[GoalId, ...]:
        """The goals of which something waits."""

        def work(connection: sqlite3.Connection) -> tuple[GoalId, ...]:
            found = connection.execute("SELECT goal FROM goal_inbox GROUP BY goal ORDER BY min(number)")
            return tuple(GoalId(row[0]) for row in found)

        return await self._store.commit(work)

    async def add_record(self, goal_id: GoalId, text: str) -> None:
        """One more line for the turns to come."""
        now = _utc(self._clock.now())

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO goal_records (goal, at, text) VALUES (?, ?, ?)",
                (goal_id, now, rows.storable(text)),
            )
            _trim(connection, "goal_records", goal_id, RECORDS_KEPT)

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
                    _utc(run.at),
                    run.outcome,
                    run.told,
                    run.model_turns,
                    run.took_s,
                    rows.storable(run.why),
                    run.tokens,
                ),
            )
            _trim(connection, "goal_runs", run.goal_id, RUNS_KEPT)

        await self._store.commit(work)

    async def runs(self, goal_id: GoalId, limit: int) -> tuple[GoalRun, ...]:
        """The last ``limit`` rows, the newest first."""

        def work(connection: sqlite3.Connection) -> tuple[GoalRun, ...]:
            found = connection.execute(
                """SELECT goal, at, outcome, told, model_turns, took_s, why, number, tokens FROM goal_runs
                   WHERE goal = ? ORDER BY number DESC LIMIT ?""",
                (goal_id, limit),
            )
            return tuple(_run(row) for row in found)

        return await self._store.commit(work)


def _run(row: tuple[str, str, str, int, int, float, str, int, int]) -> GoalRun:
    goal, at, outcome, told, model_turns, took_s, why, number, tokens = row
    when, came_to = datetime.fromisoformat(at), GoalOutcome(outcome)
    return GoalRun(GoalId(goal), when, came_to, told, model_turns, took_s, why, number, tokens)


def _deliver(
    connection: sqlite3.Connection, delivery: Delivery, now: datetime, language: str
) -> GoalSpoke | None:
    goal = delivery.goal
    fresh = [one for one in delivery.items if not _is_told(connection, goal.goal_id, one)]
    if not fresh:
        _leave(connection, goal.goal_id, delivery.items)
        return None
    text = delivery.text(fresh)
    conversation = rows.last_conversation(connection, goal.agent_id)
    if conversation is None:
        conversation = rows.new_conversation(connection, goal.agent_id, delivery.cwd, now)
    turn_id = TurnId(fresh_id())
    _append(connection, conversation, turn_id, goal, text, (now, language))
    at = _utc(now)
    _see(connection, goal.goal_id, [one.key for one in fresh], at)
    connection.executemany(
        "UPDATE goal_keys SET version = ?, told_at = ? WHERE goal = ? AND key = ?",
        [(one.version, at, goal.goal_id, one.key) for one in fresh],
    )
    _leave(connection, goal.goal_id, delivery.items)
    return GoalSpoke(
        turn_id, conversation.session_id, goal.agent_id, goal.goal_id, goal.sentence, text, now, len(fresh)
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


def _see(connection: sqlite3.Connection, goal_id: GoalId, keys: Iterable[str], at: str) -> None:
    connection.executemany(
        """INSERT INTO goal_keys (goal, key, version, first_seen, last_seen) VALUES (?, ?, '', ?, ?)
           ON CONFLICT (goal, key) DO UPDATE SET last_seen = excluded.last_seen""",
        [(goal_id, key, at, at) for key in keys],
    )


def _leave(connection: sqlite3.Connection, goal_id: GoalId, items: Iterable[GoalItem]) -> None:
    """They wait no more."""
    connection.executemany(
        "DELETE FROM goal_inbox WHERE goal = ? AND key = ?", [(goal_id, one.key) for one in items]
    )


def _trim(connection: sqlite3.Connection, table: str, goal_id: GoalId, kept: int) -> None:
    connection.execute(
        f"""DELETE FROM {table} WHERE goal = ? AND number <=
            (SELECT number FROM {table} WHERE goal = ? ORDER BY number DESC LIMIT 1 OFFSET ?)""",  # noqa: S608 - names of ours
        (goal_id, goal_id, kept),
    )


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
