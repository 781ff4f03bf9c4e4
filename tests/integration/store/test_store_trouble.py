"""Damaged files, full disks, locks and newer versions."""

import sqlite3
from functools import partial
from pathlib import Path

import pytest

from jarvis_desktop.adapters import sqlite_file, sqlite_schema
from jarvis_desktop.adapters.sqlite_schema import migrate
from jarvis_desktop.adapters.sqlite_store import SqliteStore, _on, open_store
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.ids import MAIN_AGENT, TurnId
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts
from tests.integration.store.conftest import Request


async def filled(db: Path, request_of: Request) -> bytes:
    """A closed database with a few pages, as bytes."""
    store = (await open_store(db, FakeClock(), PlainTexts())).store
    session = (await store.begin_conversation(MAIN_AGENT, db.parent)).session_id
    for number in range(20):
        await store.begin_turn(request_of(session, f"t{number}", "x" * 4000))
    await store.close()
    return db.read_bytes()


@pytest.mark.parametrize("damage", ["no database at all", "zeros in the middle", "cut in half"])
async def test_a_damaged_database_is_kept_aside_and_a_new_one_begins(
    db: Path, request_of: Request, damage: str
) -> None:
    whole = await filled(db, request_of)
    half = len(whole) // 2
    broken = {
        "no database at all": b"not a database, not at all" * 100,
        "zeros in the middle": whole[:4096] + bytes(half) + whole[4096 + half :],
        "cut in half": whole[:half],
    }[damage]
    db.write_bytes(broken)

    opened = await open_store(db, FakeClock(), PlainTexts())
    restored = await opened.store.restore(MAIN_AGENT, db.parent)
    await opened.store.close()

    assert opened.set_aside == db.with_name("jarvis.db.broken-20261201-090000")
    assert opened.set_aside.read_bytes() == broken
    assert restored.lines == ()
    assert (await open_store_again(db)) is None


async def open_store_again(db: Path) -> Path | None:
    """What the next start puts aside."""
    opened = await open_store(db, FakeClock(), PlainTexts())
    await opened.store.close()
    return opened.set_aside


async def test_a_full_disk_is_said_and_the_store_goes_on_when_there_is_room(
    store: SqliteStore, tmp_path: Path, request_of: Request
) -> None:
    session = (await store.begin_conversation(MAIN_AGENT, tmp_path)).session_id
    pages = await pragma(store, "page_count")
    await pragma(store, f"max_page_count = {pages}")

    with pytest.raises(StorageError, match="the disk is full; free some space"):
        await store.begin_turn(request_of(session, "t1", "x" * 100_000))

    await pragma(store, f"max_page_count = {pages + 1000}")
    await store.begin_turn(request_of(session, "t1", "x" * 100_000))
    await store.set_reply(TurnId("t1"), "there is room again")


async def pragma(store: SqliteStore, text: str) -> int:
    """The answer of one PRAGMA on the store's own connection, on its own thread."""
    work = partial(store._connection.execute, f"PRAGMA {text}")
    return int((await _on(store._writer, lambda: work().fetchone()))[0])


async def test_a_locked_database_is_said(store: SqliteStore, db: Path, tmp_path: Path) -> None:
    await pragma(store, "busy_timeout = 20")
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StorageError, match="another program holds it"):
        await store.begin_conversation(MAIN_AGENT, tmp_path)

    other.execute("ROLLBACK")
    other.close()
    await store.begin_conversation(MAIN_AGENT, tmp_path)


async def test_a_database_of_a_newer_version_is_left_alone(db: Path) -> None:
    with sqlite3.connect(db) as newer:
        newer.execute("PRAGMA user_version = 999")
    newer.close()

    with pytest.raises(StorageError, match="newer version"):
        await open_store(db, FakeClock(), PlainTexts())

    assert [path.name for path in db.parent.glob("*broken*")] == []


async def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file or directory"):
        await open_store(tmp_path / "gone" / "jarvis.db", FakeClock(), PlainTexts())


def test_a_step_that_fails_changes_nothing(db: Path) -> None:
    connection = sqlite3.connect(db, isolation_level=None)
    migrate(connection)
    failing = (*sqlite_schema.STEPS, ("CREATE TABLE extra (x) ", "nonsense"))

    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, failing)

    assert connection.execute("PRAGMA user_version").fetchone() == (len(sqlite_schema.STEPS),)
    assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'extra'").fetchone() is None
    connection.close()


def test_every_kind_of_trouble_says_what_to_do(db: Path) -> None:
    error = sqlite3.OperationalError("raw")
    said = set()
    for name in (
        "SQLITE_FULL",
        "SQLITE_READONLY_DIRECTORY",
        "SQLITE_CANTOPEN",
        "SQLITE_BUSY",
        "SQLITE_IOERR_WRITE",
    ):
        error.sqlite_errorname = name
        said.add(sqlite_file.trouble_sentence(error, db, PlainTexts()))

    assert len(said) == 5
    assert not any("raw" in sentence for sentence in said)
