"""Opening ``jarvis.db``: ours alone, in WAL mode, whole and of this version; a damaged one is kept aside."""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from jarvis_desktop.adapters.sqlite_backup import drop_old_copies, keep_copy
from jarvis_desktop.adapters.sqlite_schema import STEPS, NewerSchemaError, migrate, version_in
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.ports import Texts

BUSY_TIMEOUT_S = 5
SIDE_FILES = ("", "-wal", "-shm")
DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


class NewerDatabaseError(StorageError):
    """A newer version of the program wrote the database; waiting does not mend that."""


def open_database(path: Path, now: datetime, texts: Texts) -> tuple[sqlite3.Connection, Path | None]:
    """A ready connection, and where a damaged file was put aside if there was one.

    A database of an older version takes the steps that it lacks; a copy of it is kept beside it first.

    Raises:
        StorageError: it cannot be opened, or a newer version of the program wrote it.
    """
    try:
        connection = _opened(path)
    except NewerSchemaError as error:
        raise NewerDatabaseError(
            texts("{file} was written by a newer version of Jarvis. Install that version again.").format(
                file=path
            )
        ) from error
    except sqlite3.Error as error:
        if not is_damage(error):
            raise StorageError(trouble_sentence(error, path, texts)) from error
    except OSError as error:
        raise StorageError(_sentence(path, error.strerror or "", texts)) from error
    else:
        drop_old_copies(path, now)
        return connection, None
    aside = _put_aside(path, now)
    try:
        return _opened(path), aside
    except (sqlite3.Error, OSError) as error:
        raise StorageError(_sentence(path, str(error), texts)) from error


def verdict_on(path: Path) -> str:
    """SQLite's own verdict on a database that is left as it is: ``ok``, or what is wrong."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1)) as connection:
            return str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        return str(error)


def version_of(path: Path) -> int:
    """The version of a database that is left as it is; 0 when it cannot be read."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1)) as connection:
            return version_in(connection)
    except sqlite3.Error:
        return 0


def is_damage(error: sqlite3.Error) -> bool:
    """The file's content is broken, as against disk, lock or rights."""
    return getattr(error, "sqlite_errorname", "").startswith(DAMAGED)


def _opened(path: Path) -> sqlite3.Connection:
    # Before anything is opened for writing: what a newer version wrote stays as it is, to the byte.
    if path.exists() and version_of(path) > len(STEPS):
        raise NewerSchemaError
    # Made by us with 0600 before SQLite sees it: SQLite gives -wal and -shm the same mode.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # NORMAL: each commit survives a kill of the program; only a power cut may lose the last ones.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        # What is removed is overwritten with zeros, whatever this build of SQLite does by itself.
        connection.execute("PRAGMA secure_delete = ON")
        _check(connection)
        if 0 < version_in(connection) < len(STEPS):
            keep_copy(connection, path)
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        damage = sqlite3.DatabaseError("quick_check found damage")
        damage.sqlite_errorname = "SQLITE_CORRUPT"
        raise damage


def _put_aside(path: Path, now: datetime) -> Path:
    aside = path.with_name(f"{path.name}.broken-{now:%Y%m%d-%H%M%S}")
    for ending in SIDE_FILES:
        part = Path(f"{path}{ending}")
        if part.exists():
            part.rename(f"{aside}{ending}")
    return aside


def trouble_sentence(error: sqlite3.Error, path: Path, texts: Texts) -> str:
    """What happened to the database and what to do about it."""
    name = getattr(error, "sqlite_errorname", "")
    reasons: Mapping[str, str] = MappingProxyType(
        {
            "SQLITE_FULL": texts("the disk is full; free some space"),
            "SQLITE_READONLY": texts("it is read-only; make the folder writable for you"),
            "SQLITE_CANTOPEN": texts("it cannot be opened; make the folder writable for you"),
            "SQLITE_BUSY": texts("another program holds it; close that program"),
            "SQLITE_IOERR": texts("the disk reports an error; check space and disk"),
            "SQLITE_CORRUPT": texts("it is damaged; start Jarvis again, the damaged file will be kept aside"),
            "SQLITE_NOTADB": texts("it is damaged; start Jarvis again, the damaged file will be kept aside"),
        }
    )
    reason = next((text for prefix, text in reasons.items() if name.startswith(prefix)), str(error))
    return _sentence(path, reason, texts)


def _sentence(path: Path, reason: str, texts: Texts) -> str:
    return texts("{file} cannot be used: {reason}.").format(file=path, reason=reason)
