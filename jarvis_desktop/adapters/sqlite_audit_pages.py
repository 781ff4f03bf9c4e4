"""The audit log read page by page, beside the program that writes it."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from jarvis_desktop.adapters.sqlite_audit import READ_WAIT_S, SELECTED, entry_of, time_text
from jarvis_desktop.adapters.sqlite_file import trouble_sentence
from jarvis_desktop.core.items.audit import AuditEntry
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.rule_facts import AuditFilter
from jarvis_desktop.core.ports import Texts

PAGE_ROWS = 200
T = TypeVar("T")

_BY_RULE = """audit.rules <> '[]' AND EXISTS (SELECT 1 FROM json_each(audit.rules) AS held
    WHERE json_extract(held.value, '$[0]') = ? AND json_extract(held.value, '$[2]') = ?
    AND json_extract(held.value, '$[3]') = ?)"""


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Decisions that pass a filter, newest first."""

    entries: tuple[AuditEntry, ...]
    after: int | None
    """Where the next page begins; None after the last one."""
    total: int
    tools: tuple[str, ...]
    """Every tool that the log names."""


class AuditPages:
    """Reads ``jarvis.db`` by a connection of its own, so that no write ever waits for a look. Blocks."""

    def __init__(self, path: Path, texts: Texts) -> None:
        self._path, self._texts = path, texts

    def page(self, wanted: AuditFilter, now: datetime, after: int | None, rows: int = PAGE_ROWS) -> AuditPage:
        """One page.

        Raises:
            StorageError: the database cannot be read; the text says what to do.
        """
        return self._read(lambda connection: _page(connection, wanted, now, after, rows), _NOTHING)

    def newer(self, number: int) -> tuple[tuple[AuditEntry, ...], int]:
        """Every entry after ``number``, oldest first, and the number of the last one.

        Raises:
            StorageError: the database cannot be read; the text says what to do.
        """
        nothing: tuple[tuple[AuditEntry, ...], int] = ((), number)
        return self._read(lambda connection: _newer(connection, number), nothing)

    def all(self, wanted: AuditFilter, now: datetime) -> tuple[AuditEntry, ...]:
        """Every decision that passes, oldest first.

        Raises:
            StorageError: the database cannot be read; the text says what to do.
        """
        return self._read(lambda connection: _all(connection, wanted, now), ())

    def _read(self, work: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        if not self._path.exists():
            return nothing
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=READ_WAIT_S)) as connection:
                connection.create_function("folded", 1, str.casefold, deterministic=True)
                return work(connection)
        except sqlite3.Error as error:
            raise StorageError(trouble_sentence(error, self._path, self._texts)) from error


_NOTHING = AuditPage((), None, 0, ())


def _page(
    connection: sqlite3.Connection, wanted: AuditFilter, now: datetime, after: int | None, rows: int
) -> AuditPage:
    where, values = _where(wanted, now)
    total = connection.execute(f"SELECT count(*) FROM audit WHERE {where}", values).fetchone()[0]  # noqa: S608 - texts of ours
    place = "" if after is None else "AND number < ?"
    found = connection.execute(
        f"{SELECTED} WHERE {where} {place} ORDER BY number DESC LIMIT ?",
        (*values, *(() if after is None else (after,)), rows + 1),
    ).fetchall()
    shown = found[:rows]
    tools = tuple(row[0] for row in connection.execute("SELECT DISTINCT tool FROM audit ORDER BY tool"))
    more = shown[-1][-1] if len(found) > rows else None
    return AuditPage(tuple(map(entry_of, shown)), more, total, tools)


def _newer(connection: sqlite3.Connection, number: int) -> tuple[tuple[AuditEntry, ...], int]:
    found = connection.execute(f"{SELECTED} WHERE number > ? ORDER BY number", (number,)).fetchall()
    return tuple(map(entry_of, found)), found[-1][-1] if found else number


def _all(connection: sqlite3.Connection, wanted: AuditFilter, now: datetime) -> tuple[AuditEntry, ...]:
    where, values = _where(wanted, now)
    return tuple(map(entry_of, connection.execute(f"{SELECTED} WHERE {where} ORDER BY number", values)))


def _where(wanted: AuditFilter, now: datetime) -> tuple[str, Sequence[object]]:
    """The condition in SQL and what fills its marks."""
    parts = list(_parts(wanted, now))
    return " AND ".join(text for text, _ in parts) or "1", [value for _, values in parts for value in values]


def _parts(wanted: AuditFilter, now: datetime) -> Iterator[tuple[str, Sequence[object]]]:
    plain = (
        ("audit.tool = ?", wanted.tool),
        ("audit.outcome = ?", wanted.outcome),
        ("audit.answered_by = ?", wanted.by),
        ("audit.id = ?", wanted.entry_id),
        ("instr(folded(audit.shown), ?) > 0", wanted.text.casefold()),
    )
    for condition, value in plain:
        if value:
            yield condition, (value,)
    if wanted.within_s is not None:
        yield "audit.at >= ?", (time_text(now - timedelta(seconds=wanted.within_s)),)
    if wanted.rule is not None:
        line = wanted.rule.line
        yield _BY_RULE, (wanted.rule.file, line.tool, line.pattern)
