"""The run ledger in ``jarvis.db``: a run is on disk before it begins, and no instant runs twice."""

import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol, TypeVar

from jarvis_desktop.adapters import sqlite_rows as rows
from jarvis_desktop.adapters.sqlite_audit import time_text
from jarvis_desktop.core.items.ids import AgentId, SessionId
from jarvis_desktop.core.items.schedule import JobId, Run, RunEnd, RunResult
from jarvis_desktop.core.ports import Conversation, JobState

T = TypeVar("T")

BACK_OFF = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15), timedelta(minutes=60))
"""After the first failure in a row, the second …; the last one holds from then on (decision 24)."""
MOST_ATTEMPTS = 5
"""Of one due time; after that the job waits for its next one."""
TEXT_CHARS = 4000
"""Kept of what a run came to; the whole stands in its conversation."""
_CRASHED = 2
"""In ``working``: the program ended in the middle of that run, and nobody ended the program."""
_RUN = "job, due_at, began_at, end, text, ended_at, session"


class Commits(Protocol):
    """A store that runs work on its thread; ``SqliteStore`` fills it."""

    def commit(self, work: Callable[[sqlite3.Connection], T]) -> Awaitable[T]:
        """What ``work`` returns, after its changes are committed."""


class SqliteSchedule:
    """Fills ``RunLedger``."""

    def __init__(self, store: Commits) -> None:
        self._store = store

    async def recover(self, now: datetime) -> Sequence[Run]:
        """Runs that an earlier start was cut off in, which have ended as interrupted by now."""
        return await self._store.commit(lambda connection: _recovered(connection, now))

    async def states(self, rules: Mapping[JobId, str], now: datetime) -> Mapping[JobId, JobState]:
        """How far each of these jobs has come."""
        return await self._store.commit(
            lambda connection: {job: _state(connection, job, rule, now) for job, rule in rules.items()}
        )

    async def claim(self, job_id: JobId, due_at: datetime, now: datetime) -> bool:
        """The run is ours and on disk; False when it was taken before."""

        def work(connection: sqlite3.Connection) -> bool:
            return _added(connection, job_id, due_at, now) or _taken_again(connection, job_id, due_at, now)

        return await self._store.commit(work)

    async def work_begins(self, job_id: JobId, due_at: datetime) -> None:
        """From now on the run may have changed something."""
        await self._store.commit(
            lambda connection: connection.execute(
                "UPDATE schedule_runs SET working = 1 WHERE job = ? AND due_at = ?",
                (job_id, time_text(due_at)),
            )
        )

    async def miss(self, job_id: JobId, due_at: datetime, now: datetime) -> bool:
        """The run is written down as missed; False when it was taken before."""

        def work(connection: sqlite3.Connection) -> bool:
            added = _added(connection, job_id, due_at, now)
            if added:
                _close(connection, job_id, due_at, RunResult(RunEnd.MISSED), now)
            return added

        return await self._store.commit(work)

    async def end(self, job_id: JobId, due_at: datetime, result: RunResult, now: datetime) -> None:
        """What it came to."""

        def work(connection: sqlite3.Connection) -> None:
            _close(connection, job_id, due_at, result, now)
            _count_failures(connection, job_id, result.end, now)

        await self._store.commit(work)

    async def runs(self, job_id: JobId | None = None, limit: int = 50) -> Sequence[Run]:
        """The newest first."""
        return await self._store.commit(lambda connection: _runs(connection, job_id, limit))

    async def crashed_twice(self, job_id: JobId) -> bool:
        """The program ended unforeseen in the middle of its last run, and of the one before."""

        def work(connection: sqlite3.Connection) -> bool:
            found = connection.execute(
                "SELECT working FROM schedule_runs WHERE job = ? ORDER BY number DESC LIMIT 2", (job_id,)
            ).fetchall()
            return found == [(_CRASHED,)] * 2

        return await self._store.commit(work)

    async def last_runs(self) -> Mapping[JobId, Run]:
        """The newest run of each job that ever ran."""
        return await self._store.commit(_last_runs)

    async def conversation(self, job_id: JobId, agent_id: AgentId, cwd: Path, now: datetime) -> Conversation:
        """The one in which this job's runs are kept, of the kind ``schedule``."""
        return await self._store.commit(
            lambda connection: _conversation(
                connection, job_id, Conversation(SessionId(""), agent_id, cwd), now
            )
        )


def _recovered(connection: sqlite3.Connection, now: datetime) -> Sequence[Run]:
    found = connection.execute(
        "SELECT job, due_at, working, attempts FROM schedule_runs WHERE end IS NULL ORDER BY number"
    ).fetchall()
    cut = []
    for job, due_text, working, attempts in found:
        job_id, due_at = JobId(job), datetime.fromisoformat(due_text)
        if working:
            _close(connection, job_id, due_at, RunResult(RunEnd.INTERRUPTED), now)
            connection.execute(
                f"UPDATE schedule_runs SET working = {_CRASHED} WHERE job = ? AND due_at = ?",  # noqa: S608 - a constant of ours
                (job, due_text),
            )
            cut.append(_one(connection, job, due_text))
        elif attempts > 1:
            _close(connection, job_id, due_at, RunResult(RunEnd.FAILED, again=True), now)
        else:
            _give_back(connection, job_id, due_at)
    return tuple(cut)


def _give_back(connection: sqlite3.Connection, job_id: JobId, due_at: datetime) -> None:
    """As if it had never been claimed."""
    connection.execute("DELETE FROM schedule_runs WHERE job = ? AND due_at = ?", (job_id, time_text(due_at)))
    before = time_text(due_at - timedelta(microseconds=1))
    connection.execute("UPDATE schedule_jobs SET since = min(since, ?) WHERE job = ?", (before, job_id))


def _state(connection: sqlite3.Connection, job_id: JobId, rule: str, now: datetime) -> JobState:
    row = connection.execute(
        "SELECT rule, since, not_before FROM schedule_jobs WHERE job = ?", (job_id,)
    ).fetchone()
    if row is None or row[0] != rule:
        connection.execute(
            "INSERT OR REPLACE INTO schedule_jobs (job, rule, since) VALUES (?, ?, ?)",
            (job_id, rule, time_text(now)),
        )
        connection.execute("UPDATE schedule_runs SET again = 0 WHERE job = ? AND again = 1", (job_id,))
        return JobState(now.astimezone(UTC))
    since, not_before = datetime.fromisoformat(row[1]), _time(row[2])
    if since > now:  # the clock was set back: times that come now are due, as far as they never ran
        since = now.astimezone(UTC)
        connection.execute("UPDATE schedule_jobs SET since = ? WHERE job = ?", (time_text(now), job_id))
    if not_before is not None and not_before - now > BACK_OFF[-1]:
        not_before = None
    again = connection.execute(
        "SELECT max(due_at) FROM schedule_runs WHERE job = ? AND again = 1", (job_id,)
    ).fetchone()
    return JobState(since, not_before, _time(again[0]))


def _added(connection: sqlite3.Connection, job_id: JobId, due_at: datetime, now: datetime) -> bool:
    """A new row, behind which nothing older is due or done again."""
    added = connection.execute(
        "INSERT INTO schedule_runs (job, due_at, began_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (job_id, time_text(due_at), time_text(now)),
    ).rowcount
    connection.execute(
        "UPDATE schedule_jobs SET since = max(since, ?) WHERE job = ?", (time_text(due_at), job_id)
    )
    if added:
        connection.execute(
            "UPDATE schedule_runs SET again = 0 WHERE job = ? AND due_at < ? AND again = 1",
            (job_id, time_text(due_at)),
        )
    return bool(added)


def _taken_again(connection: sqlite3.Connection, job_id: JobId, due_at: datetime, now: datetime) -> bool:
    taken = connection.execute(
        """UPDATE schedule_runs SET end = NULL, ended_at = NULL, text = '', began_at = ?, working = 0,
               again = 0, attempts = attempts + 1
           WHERE job = ? AND due_at = ? AND again = 1""",
        (time_text(now), job_id, time_text(due_at)),
    ).rowcount
    return bool(taken)


def _close(
    connection: sqlite3.Connection, job_id: JobId, due_at: datetime, result: RunResult, now: datetime
) -> None:
    again = result.end is RunEnd.FAILED and result.again
    connection.execute(
        f"""UPDATE schedule_runs SET end = ?, ended_at = ?, text = ?, session = coalesce(?, session),
               again = ? AND attempts < {MOST_ATTEMPTS}
           WHERE job = ? AND due_at = ? AND end IS NULL""",  # noqa: S608 - a constant of ours
        (
            result.end,
            time_text(now),
            rows.storable(result.text[:TEXT_CHARS]),
            result.session_id,
            again,
            job_id,
            time_text(due_at),
        ),
    )


def _count_failures(connection: sqlite3.Connection, job_id: JobId, end: RunEnd, now: datetime) -> None:
    if end is not RunEnd.FAILED:
        connection.execute(
            "UPDATE schedule_jobs SET failures = 0, not_before = NULL WHERE job = ?", (job_id,)
        )
        return
    row = connection.execute("SELECT failures FROM schedule_jobs WHERE job = ?", (job_id,)).fetchone()
    failures = (row[0] if row else 0) + 1
    wait = BACK_OFF[min(failures, len(BACK_OFF)) - 1]
    connection.execute(
        "UPDATE schedule_jobs SET failures = ?, not_before = ? WHERE job = ?",
        (failures, time_text(now + wait), job_id),
    )


def _runs(connection: sqlite3.Connection, job_id: JobId | None, limit: int) -> tuple[Run, ...]:
    found = connection.execute(
        f"SELECT {_RUN} FROM schedule_runs WHERE ?1 IS NULL OR job = ?1"  # noqa: S608 - a constant of ours
        " ORDER BY due_at DESC, number DESC LIMIT ?2",
        (job_id, limit),
    )
    return tuple(_run(*row) for row in found)


def _last_runs(connection: sqlite3.Connection) -> Mapping[JobId, Run]:
    newest = "SELECT max(number) FROM schedule_runs GROUP BY job"
    found = connection.execute(f"SELECT {_RUN} FROM schedule_runs WHERE number IN ({newest})")  # noqa: S608 - constants of ours
    return {run.job_id: run for run in (_run(*row) for row in found)}


def _one(connection: sqlite3.Connection, job: str, due_at: str) -> Run:
    query = f"SELECT {_RUN} FROM schedule_runs WHERE job = ? AND due_at = ?"  # noqa: S608 - a constant of ours
    return _run(*connection.execute(query, (job, due_at)).fetchone())


def _run(  # noqa: PLR0913, PLR0917 - one for each column
    job: str,
    due_at: str,
    began_at: str,
    end: str | None,
    text: str,
    ended_at: str | None,
    session: str | None,
) -> Run:
    return Run(
        JobId(job),
        datetime.fromisoformat(due_at),
        datetime.fromisoformat(began_at),
        RunEnd(end) if end else None,
        text,
        _time(ended_at),
        SessionId(session) if session else None,
    )


def _conversation(
    connection: sqlite3.Connection, job_id: JobId, wanted: Conversation, now: datetime
) -> Conversation:
    row = connection.execute(
        """SELECT id FROM conversations JOIN schedule_sessions ON conversation = id
           WHERE job = ? AND agent = ?""",
        (job_id, wanted.agent_id),
    ).fetchone()
    if row:
        return Conversation(SessionId(row[0]), wanted.agent_id, wanted.cwd)
    kind = rows.ConversationKind.SCHEDULE
    made = rows.new_conversation(connection, wanted.agent_id, wanted.cwd, now, kind)
    connection.execute("INSERT OR REPLACE INTO schedule_sessions VALUES (?, ?)", (job_id, made.session_id))
    return made


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
