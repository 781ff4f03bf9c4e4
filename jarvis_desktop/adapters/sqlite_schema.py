"""Tables of ``jarvis.db`` and the steps from one version to the next."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum

from jarvis_desktop.adapters.sqlite_goals_schema import (
    GOAL_BUDGETS_STEP,
    GOAL_TELLING_STEP,
    GOAL_TOKENS_STEP,
    GOALS_STEP,
)
from jarvis_desktop.adapters.sqlite_memory_schema import MEMORY_STEP, Step
from jarvis_desktop.adapters.sqlite_schedule_schema import SCHEDULE_AGAIN_STEP, SCHEDULE_STEP


class TurnState(StrEnum):
    """How far a stored turn has come."""

    RUNNING = "running"
    ENDED = "ended"
    CUT = "cut"
    """The program ended while it was running."""


def _only_added_to(table: str, same: str) -> Step:
    """Triggers that refuse every change of a row, INSERT OR REPLACE included, which fires no DELETE."""
    refusal = "BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END"
    known = f"EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608 - constants of ours
    return (
        f"CREATE TRIGGER {table}_unchanged BEFORE UPDATE ON {table} {refusal}",
        f"CREATE TRIGGER {table}_kept BEFORE DELETE ON {table} {refusal}",
        f"CREATE TRIGGER {table}_once BEFORE INSERT ON {table} WHEN {known} {refusal}",
    )


# A step that was released is never edited: databases out there have already taken it.
STEPS: tuple[Step, ...] = (
    (
        """CREATE TABLE conversations (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            agent TEXT NOT NULL,
            cwd TEXT NOT NULL,
            begun_at TEXT NOT NULL,
            used INTEGER NOT NULL UNIQUE -- grows with each use: the wall clock can jump back
        ) STRICT""",
        """CREATE TABLE turns (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            origin TEXT NOT NULL,
            language TEXT NOT NULL,
            text TEXT NOT NULL,
            asked_at TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'ended', 'cut')),
            end TEXT,
            reply TEXT NOT NULL DEFAULT '',
            replied_at TEXT
        ) STRICT""",
        "CREATE INDEX turns_of_conversation ON turns (conversation, number)",
        "CREATE INDEX running_turns ON turns (number) WHERE state = 'running'",
        """CREATE TABLE messages (
            number INTEGER PRIMARY KEY,
            turn TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
            role TEXT NOT NULL,
            text TEXT NOT NULL,
            calls TEXT NOT NULL DEFAULT '[]',
            call_id TEXT,
            tool_name TEXT
        ) STRICT""",
        "CREATE INDEX messages_of_turn ON messages (turn, number)",
        """CREATE TABLE activity (
            number INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            at TEXT NOT NULL,
            turn TEXT -- no reference: a line may outlive its turn
        ) STRICT""",
    ),
    (
        """CREATE TABLE audit (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            at TEXT NOT NULL, -- UTC, so that text sorts like time
            session TEXT NOT NULL, -- no references: an entry outlives what it is about
            turn TEXT NOT NULL,
            agent TEXT NOT NULL,
            call TEXT NOT NULL,
            tool TEXT NOT NULL,
            digest TEXT NOT NULL,
            shown TEXT NOT NULL,
            outcome TEXT NOT NULL,
            verdict TEXT NOT NULL,
            source TEXT NOT NULL,
            rules TEXT NOT NULL,
            answered_by TEXT NOT NULL,
            question TEXT,
            window TEXT,
            saved TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX audit_by_time ON audit (at, number)",
        """CREATE TABLE audit_results (
            entry TEXT PRIMARY KEY NOT NULL REFERENCES audit (id),
            at TEXT NOT NULL,
            status TEXT NOT NULL
        ) STRICT""",
        *_only_added_to("audit", "id = NEW.id OR number = NEW.number"),
        *_only_added_to("audit_results", "entry = NEW.entry"),
    ),
    (
        """CREATE TABLE waiting (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            origin TEXT NOT NULL,
            language TEXT NOT NULL,
            text TEXT NOT NULL,
            asked_at TEXT NOT NULL
        ) STRICT""",
    ),
    ("ALTER TABLE messages ADD COLUMN status TEXT NOT NULL DEFAULT 'ok'",),
    (
        """CREATE TABLE delegates (
            turn TEXT PRIMARY KEY NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
            root TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE, -- the person's turn
            call TEXT NOT NULL,
            name TEXT NOT NULL, -- as people read it then: agents may be renamed
            asker TEXT NOT NULL,
            task TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX delegates_of_root ON delegates (root)",
    ),
    MEMORY_STEP,
    # What the model had said before a plugin replaced it.
    ("ALTER TABLE messages ADD COLUMN replaced TEXT",),
    GOALS_STEP,
    SCHEDULE_STEP,
    GOAL_TOKENS_STEP,
    GOAL_TELLING_STEP,
    GOAL_BUDGETS_STEP,
    SCHEDULE_AGAIN_STEP,
)


class NewerSchemaError(Exception):
    """The database was written by a newer version of the program."""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """All or nothing; on leaving without an error, the changes survive a kill."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        # A full disk makes SQLite roll back by itself; a second time would hide the first error.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def version_in(connection: sqlite3.Connection) -> int:
    """How many steps the database has taken; 0 for a new one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, steps: Sequence[Step] = STEPS) -> None:
    """The tables are those of the last step; each step is taken whole or not at all.

    Raises:
        NewerSchemaError: the database knows more steps than we do.
    """
    version = version_in(connection)
    if version > len(steps):
        raise NewerSchemaError
    for number, step in enumerate(steps[version:], start=version + 1):
        with transaction(connection):
            # Another process may have taken the step while this one waited for the lock.
            if version_in(connection) >= number:
                continue
            for statement in step:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
