"""Copies of ``jarvis.db`` that are kept while it is brought to a newer version."""

import logging
import os
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from jarvis_desktop.adapters.sqlite_schema import version_in

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)
"""Long enough to notice that something is missing, and not for ever: it holds conversations."""


def copy_path(path: Path, version: int) -> Path:
    """Where the copy of that version is kept."""
    return path.with_name(f"{path.name}.v{version}.bak")


def keep_copy(connection: sqlite3.Connection, path: Path) -> Path:
    """A whole copy of the database as it is now lies beside it, readable by its owner alone.

    Raises:
        sqlite3.Error, OSError: there is none, as on a full disk; no step must be taken then.
    """
    kept = copy_path(path, version_in(connection))
    part = kept.with_name(f"{kept.name}.part")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            connection.backup(copy)
            # One file, without -wal and -shm beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
        part.replace(kept)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    log.info("the database was copied before it is brought up to date", extra={"copy": kept.name})
    return kept


def drop_old_copies(path: Path, now: datetime) -> None:
    """Copies that are older than ``KEPT`` are gone; one that cannot be removed stays."""
    for kept in path.parent.glob(f"{path.name}.v*.bak"):
        try:
            if now.timestamp() - kept.stat().st_mtime > KEPT.total_seconds():
                kept.unlink()
        except OSError as error:
            log.info("an old copy of the database stays", extra={"error": type(error).__name__})
