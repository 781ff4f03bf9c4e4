"""The audit log's rows in ``jarvis.db``; they are only ever added."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jarvis_desktop.adapters.sqlite_file import trouble_sentence
from jarvis_desktop.adapters.sqlite_rows import storable
from jarvis_desktop.core.items.audit import AuditEntry, AuditResult, Ground, Outcome, Subject
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import AnsweredBy, VerdictKind
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.ids import AgentId, AuditId, CallId, QuestionId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.ports import Texts

READ_WAIT_S = 5
SELECTED = """SELECT id, audit.at, session, turn, agent, call, tool, digest, shown, outcome,
                     verdict, source, rules, answered_by, question, window, saved,
                     audit_results.at, status, number
              FROM audit LEFT JOIN audit_results ON audit_results.entry = audit.id"""
"""The columns of an entry, as ``entry_of`` takes them, and its number."""


def add_entry(connection: sqlite3.Connection, entry: AuditEntry) -> None:
    """One more decision."""
    subject, ground = entry.subject, entry.ground
    row = {
        "id": entry.entry_id,
        "at": time_text(entry.at),
        "session": subject.session_id,
        "turn": subject.turn_id,
        "agent": subject.agent_id,
        "call": subject.call_id,
        "tool": storable(subject.tool),
        "digest": subject.digest,
        "shown": storable(subject.shown),
        "outcome": entry.outcome,
        "verdict": ground.verdict,
        "source": storable(ground.source),
        "rules": json.dumps([(r.file, r.number, r.line.tool, r.line.pattern) for r in ground.rules]),
        "answered_by": ground.by,
        "question": ground.question_id,
        "window": ground.window_id,
        "saved": json.dumps([(line.tool, line.pattern) for line in ground.saved]),
    }
    names, places = ", ".join(row), ", ".join(f":{name}" for name in row)
    connection.execute(f"INSERT INTO audit ({names}) VALUES ({places})", row)  # noqa: S608 - names of ours


def add_result(connection: sqlite3.Connection, entry_id: AuditId, result: AuditResult) -> None:
    """How the call of one entry ended."""
    connection.execute(
        "INSERT INTO audit_results VALUES (?, ?, ?)", (entry_id, time_text(result.at), result.status)
    )


def entries(connection: sqlite3.Connection, since: datetime | None) -> tuple[AuditEntry, ...]:
    """Every entry from ``since`` on, oldest first."""
    found = connection.execute(
        f"{SELECTED} WHERE audit.at >= ? ORDER BY number",
        ("" if since is None else time_text(since),),
    )
    return tuple(entry_of(row) for row in found)


def entry_of(row: Sequence[Any]) -> AuditEntry:
    """The entry in a row of ``SELECTED``."""
    return AuditEntry(
        AuditId(row[0]),
        datetime.fromisoformat(row[1]),
        _subject(*row[2:9]),
        Outcome(row[9]),
        _ground(*row[10:17]),
        _result(*row[17:19]),
    )


def stored_entries(path: Path, since: datetime | None, texts: Texts) -> tuple[AuditEntry, ...]:
    """The entries in the file at ``path``, which is only read and may be in use; none where none is.

    Raises:
        StorageError: it cannot be read; the text says what to do.
    """
    if not path.exists():
        return ()
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=READ_WAIT_S)
        ) as connection:
            kept = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'audit_results'").fetchone()
            return entries(connection, since) if kept else ()
    except sqlite3.Error as error:
        raise StorageError(trouble_sentence(error, path, texts)) from error


def _subject(*columns: str) -> Subject:
    session, turn, agent, call, tool, digest, shown = columns
    return Subject(SessionId(session), TurnId(turn), AgentId(agent), CallId(call), tool, digest, shown)


def _ground(*columns: str) -> Ground:
    verdict, source, rules, by, question, window, saved = columns
    return Ground(
        VerdictKind(verdict),
        source,
        tuple(_rules(json.loads(rules))),
        AnsweredBy(by),
        None if question is None else QuestionId(question),
        None if window is None else WindowId(window),
        tuple(RuleLine(tool, pattern) for tool, pattern in json.loads(saved)),
    )


def _rules(rows: Iterable[tuple[str, int, str, str]]) -> Iterable[Rule]:
    for file, number, tool, pattern in rows:
        yield Rule(RuleLine(tool, pattern), file, number)


def _result(at: str | None, status: str | None) -> AuditResult | None:
    if at is None or status is None:
        return None
    return AuditResult(datetime.fromisoformat(at), ResultStatus(status))


def time_text(at: datetime) -> str:
    """A time as the rows hold it: text that sorts like time."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
