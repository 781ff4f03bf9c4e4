"""The audit log on disk: whole entries, in order, and nothing that changes or removes one."""

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_audit import stored_entries
from jarvis_desktop.adapters.sqlite_schema import STEPS, migrate
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.core.items.audit import AuditResult, Outcome
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.errors import InvariantError, StorageError
from tests.fakes.audit import GIT, by_person, by_rule, subject
from tests.fakes.clock import START
from tests.fakes.texts import PlainTexts

DONE = AuditResult(START + timedelta(seconds=2), ResultStatus.OK)


async def test_entries_come_back_whole_and_in_order_with_their_results(store: SqliteStore, db: Path) -> None:
    first, second, third = (
        by_person(Outcome.ALWAYS, (GIT,)),
        by_rule(at=START + timedelta(seconds=1)),
        by_person(Outcome.DENIED, at=START + timedelta(seconds=5, microseconds=3)),
    )
    for entry in (first, second, third):
        await store.add(entry)
    await store.add_result(first.entry_id, DONE)
    expected = (replace(first, result=DONE), second, third)
    assert await store.entries() == expected
    assert await store.entries(START + timedelta(seconds=1)) == expected[1:]
    assert stored_entries(db, None, PlainTexts()) == expected, "readable beside the program that writes"


async def test_since_is_a_time_and_not_a_text(store: SqliteStore) -> None:
    await store.add(by_person())
    seoul = timezone(timedelta(hours=9))
    assert len(await store.entries(START.astimezone(seoul))) == 1
    assert await store.entries(START.astimezone(seoul) + timedelta(microseconds=1)) == ()


async def test_what_a_model_writes_is_stored_whatever_it_is(store: SqliteStore) -> None:
    await store.add(replace(by_person(), subject=subject("echo \ud800 \0 '; DROP TABLE audit; --")))
    (entry,) = await store.entries()
    assert entry.subject.shown == "echo ? \0 '; DROP TABLE audit; --"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET outcome = 'denied'",
        "UPDATE audit_results SET status = 'ok'",
        "DELETE FROM audit",
        "DELETE FROM audit_results",
        "INSERT OR REPLACE INTO audit SELECT * FROM audit",
        "INSERT OR REPLACE INTO audit_results SELECT * FROM audit_results",
        "REPLACE INTO audit_results SELECT entry, at, 'denied' FROM audit_results",
    ],
)
async def test_the_database_refuses_to_change_or_remove_an_entry(
    store: SqliteStore, db: Path, statement: str
) -> None:
    entry = by_person()
    await store.add(entry)
    await store.add_result(entry.entry_id, DONE)
    other = sqlite3.connect(db)
    with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
        other.execute(statement)
    other.close()
    assert await store.entries() == (replace(entry, result=DONE),)


async def test_an_entry_or_result_is_stored_once(store: SqliteStore) -> None:
    entry = by_person()
    await store.add(entry)
    await store.add_result(entry.entry_id, DONE)
    with pytest.raises(InvariantError):
        await store.add(entry)
    with pytest.raises(InvariantError):
        await store.add_result(entry.entry_id, DONE)


def test_a_database_from_before_the_audit_log_takes_it_and_keeps_what_it_has(db: Path) -> None:
    connection = sqlite3.connect(db, isolation_level=None)
    migrate(connection, STEPS[:1])
    connection.execute("INSERT INTO activity (kind, text, at) VALUES ('tool', 'kept', '2026-12-01')")
    assert stored_entries(db, None, PlainTexts()) == ()
    migrate(connection)
    assert connection.execute("SELECT text FROM activity").fetchall() == [("kept",)]
    assert stored_entries(db, None, PlainTexts()) == ()
    connection.close()


def test_reading_neither_makes_nor_mends_a_database(db: Path) -> None:
    assert stored_entries(db, None, PlainTexts()) == ()
    assert not db.exists()
    db.write_bytes(b"no database" * 100)
    with pytest.raises(StorageError, match="damaged"):
        stored_entries(db, None, PlainTexts())
    assert [path.name for path in db.parent.iterdir()] == [db.name]


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from jarvis_desktop.adapters.sqlite_store import open_store
from tests.fakes.audit import by_person
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts

async def main():
    opened = await open_store(Path(sys.argv[1]), FakeClock(), PlainTexts())
    await opened.store.add(by_person())
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_an_entry_survives_a_kill_right_after_it_was_added(db: Path) -> None:
    root = Path(__file__).parents[3]
    end = subprocess.run(
        [sys.executable, "-c", KILLED, str(db)],
        check=False,
        timeout=60,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert end.returncode == -signal.SIGKILL
    assert [entry.outcome for entry in stored_entries(db, None, PlainTexts())] == [Outcome.ALLOWED]
