"""A database of an older version becomes one of this: every row stays, and there is always a whole one."""

import hashlib
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_backup import KEPT, copy_path
from jarvis_desktop.adapters.sqlite_file import open_database, version_of
from jarvis_desktop.adapters.sqlite_schema import STEPS, migrate
from jarvis_desktop.core.items.errors import StorageError
from tests.fakes.clock import START
from tests.fakes.texts import PlainTexts

RELEASED = ("c699", "e316", "c0e7", "66cc")
"""Beginnings of the digests of the steps that databases out there have taken."""

# What each version could hold, written as that version wrote it.
ROWS: tuple[tuple[str, ...], ...] = (
    (
        "INSERT INTO conversations VALUES ('c', 'conversation', 'main', '/home', '2026-11-01', 7)",
        "INSERT INTO turns (id, conversation, origin, language, text, asked_at, state, end, reply)"
        " VALUES ('t', 'c', 'typed', 'ko', '몇 시?', '2026-11-01', 'ended', 'answered', '아홉 시.')",
        "INSERT INTO messages (turn, role, text, calls) VALUES ('t', 'assistant', '아홉 시.', '[]')",
        "INSERT INTO activity (kind, text, at, turn) VALUES ('tool', 'bash date', '2026-11-01', 't')",
    ),
    (
        "INSERT INTO audit VALUES (1, 'a', '2026-11-02', 's', 't', 'main', 'k', 'bash', 'd', 'date',"
        " 'allowed', 'ask', 'no-rule', '[]', 'window', 'q', 'w', '[]')",
        "INSERT INTO audit_results VALUES ('a', '2026-11-02', 'ok')",
    ),
    (
        "INSERT INTO waiting (id, conversation, origin, language, text, asked_at)"
        " VALUES ('u', 'c', 'typed', 'ko', '그리고?', '2026-11-03')",
    ),
    (),
    (
        "INSERT INTO conversations VALUES ('e', 'delegation', 'karen', '/home', '2026-11-05', 8)",
        "INSERT INTO turns (id, conversation, origin, language, text, asked_at, state, end, reply)"
        " VALUES ('v', 'e', 'typed', 'ko', '오늘은?', '2026-11-05', 'ended', 'answered', '화요일.')",
        "INSERT INTO delegates VALUES ('v', 't', 'k', 'KAREN', 'JARVIS', '오늘은?')",
    ),
    (
        "INSERT INTO episodes (turn, session, agent, kind, outcome, at, took_s, language, task, request,"
        " request_tail, reply, reply_tail, calls, strangers) VALUES ('t', 'c', 'main', 'conversation',"
        " 'answered', '2026-11-05', 1.5, 'ko', 'chat', '몇 시?', '', '아홉 시.', '', '[]', 0)",
        "INSERT INTO patterns (agent, name, situation, keywords, content, taught_at)"
        " VALUES ('main', '시각', '시각을 물을 때', '[]', '24시간제로', '2026-11-05')",
        "INSERT INTO pattern_uses VALUES ('t', 1, '2026-11-05')",
        "INSERT INTO replays VALUES ('t', 'main', '2026-11-05', '몇 시?', '')",
    ),
    (
        "INSERT INTO messages (turn, role, text, calls, replaced)"
        " VALUES ('t', 'assistant', '아홉 시요!', '[]', '아홉 시.')",
    ),
    (
        "INSERT INTO goal_keys (goal, key, version, first_seen, last_seen)"
        " VALUES ('g', 'n1', '', '2026-12-01', '2026-12-01')",
        "INSERT INTO goal_records (goal, at, text) VALUES ('g', '2026-12-01', '두 건을 알렸다')",
        "INSERT INTO goal_runs (goal, at, outcome, told, model_turns, took_s, why)"
        " VALUES ('g', '2026-12-01', 'told', 2, 1, 1.5, '')",
        "INSERT INTO goal_inbox (goal, key, version, line, at) VALUES ('g', 'n2', '', '마곡', '2026-12-01')",
    ),
    (
        "INSERT INTO schedule_jobs VALUES ('tea', '0 8 * * *', '2026-11-06', 0, NULL)",
        "INSERT INTO schedule_runs (job, due_at, began_at) VALUES ('tea', '2026-11-06', '2026-11-06')",
        "INSERT INTO schedule_sessions VALUES ('tea', 'c')",
    ),
    (
        "INSERT INTO goal_runs (goal, at, outcome, told, model_turns, took_s, why, tokens)"
        " VALUES ('g', '2026-12-02', 'told', 1, 1, 2.5, '', 900)",
    ),
    (
        "UPDATE goal_inbox SET noticed_at = '2026-12-03'",
        "UPDATE goal_keys SET muted_at = '2026-12-03'",
    ),
    ("INSERT INTO goal_renewals VALUES ('g', '2026-12-02')",),
    ("UPDATE schedule_runs SET again = 1",),
)
TABLES = (
    *("conversations", "turns", "messages", "activity", "audit", "audit_results", "waiting", "delegates"),
    *("episodes", "patterns", "pattern_uses", "replays"),
    *("goal_keys", "goal_records", "goal_runs", "goal_inbox", "goal_renewals"),
    *("schedule_jobs", "schedule_runs", "schedule_sessions"),
)


def of_version(path: Path, version: int) -> Path:
    """A database as the release with that version left it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, STEPS[:version])
        for statements in ROWS[:version]:
            for statement in statements:
                connection.execute(statement)
    return path


def rows(path: Path) -> dict[str, list[dict[str, object]]]:
    """Everything in it, table by table, each value under its column."""
    found: dict[str, list[dict[str, object]]] = {}
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        present = {
            row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        for table in (name for name in TABLES if name in present):
            found[table] = [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1")]
    return found


def schema(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return sorted(
            row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
        )


def opened(path: Path) -> None:
    connection, aside = open_database(path, START, PlainTexts())
    connection.close()
    assert aside is None


def contained(old: dict[str, list[dict[str, object]]], new: dict[str, list[dict[str, object]]]) -> bool:
    """Every old row is among the new ones with each of its values."""
    return all(
        len(new[table]) == len(found)
        and all(one.items() <= other.items() for one, other in zip(found, new[table], strict=True))
        for table, found in old.items()
    )


def test_a_step_that_was_released_is_never_edited() -> None:
    digests = [hashlib.sha256("\0".join(step).encode()).hexdigest()[:4] for step in STEPS]
    assert tuple(digests[: len(RELEASED)]) == RELEASED
    assert len(ROWS) == len(STEPS), "a new step brings rows of its version to this test"


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_every_row_of_every_older_version_is_there_and_a_copy_is_kept(db: Path, version: int) -> None:
    old = rows(of_version(db, version))

    opened(db)

    new_one = db.with_name("new.db")
    opened(new_one)
    assert version_of(db) == len(STEPS)
    assert schema(db) == schema(new_one), "like one that was never older"
    assert contained(old, rows(db))
    copy = copy_path(db, version)
    assert (copy.name, version_of(copy), rows(copy)) == (f"jarvis.db.v{version}.bak", version, old)
    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_database_of_this_version_is_not_copied(db: Path) -> None:
    opened(of_version(db, len(STEPS)))
    assert not list(db.parent.glob("*.bak*"))


@pytest.mark.parametrize(
    ("older_by", "there"), [(KEPT - timedelta(days=1), 1), (KEPT + timedelta(days=1), 0)]
)
def test_a_copy_is_kept_for_a_month(db: Path, older_by: timedelta, there: int) -> None:
    opened(of_version(db, 1))
    made = (START - older_by).timestamp()
    os.utime(copy_path(db, 1), (made, made))

    opened(db)

    assert len(list(db.parent.glob("*.bak"))) == there


def test_what_a_newer_version_wrote_stays_to_the_byte(db: Path) -> None:
    with closing(sqlite3.connect(of_version(db, len(STEPS)), isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("CREATE TABLE dreams (text)")
        connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    before = {path.name: path.read_bytes() for path in db.parent.iterdir()}

    with pytest.raises(
        StorageError, match=r"was written by a newer version of Jarvis\. Install that version"
    ):
        open_database(db, START, PlainTexts())

    assert {path.name: path.read_bytes() for path in db.parent.iterdir()} == before


def test_without_room_for_the_copy_no_step_is_taken(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = rows(of_version(db, 2))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)

    with pytest.raises(StorageError, match="No space left on device"):
        open_database(db, START, PlainTexts())

    assert (version_of(db), rows(db)) == (2, old)
    assert not list(db.parent.glob("*.part"))


def test_two_programs_that_open_an_older_one_together_take_each_step_once(db: Path) -> None:
    of_version(db, 1)
    one, other = (sqlite3.connect(db, isolation_level=None) for _ in range(2))

    def overtake(statement: str) -> None:
        if statement == "BEGIN IMMEDIATE":
            one.set_trace_callback(None)
            migrate(other)

    one.set_trace_callback(overtake)
    migrate(one)

    assert one.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
    one.close()
    other.close()


# Each child is killed before one more statement than the child before; the parent looks at what is left.
KILLS = """
import os, shutil, signal, sqlite3, sys
from pathlib import Path
from jarvis_desktop.adapters import sqlite_file
from tests.fakes.clock import START
from tests.fakes.texts import PlainTexts

source, folder = Path(sys.argv[1]), Path(sys.argv[2])
left = 0

class Doomed(sqlite3.Connection):
    def execute(self, *arguments):
        die_perhaps()
        return super().execute(*arguments)
    def backup(self, *arguments):
        die_perhaps()
        return super().backup(*arguments)

def die_perhaps():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

real = sqlite3.connect
sqlite3.connect = lambda *arguments, **options: real(*arguments, factory=Doomed, **options)
for number in range(1, 500):
    path = folder / str(number) / "jarvis.db"
    path.parent.mkdir()
    shutil.copy(source, path)
    child = os.fork()
    if child == 0:
        left = number
        sqlite_file.open_database(path, START, PlainTexts())
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        break
print(number)
"""


def test_a_kill_before_any_statement_of_the_upgrade_leaves_the_old_or_a_newer_one_whole(
    db: Path, tmp_path: Path
) -> None:
    old = rows(of_version(db, 1))
    folder = tmp_path / "killed"
    folder.mkdir()
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", KILLS, str(db), str(folder)],
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
        env={**os.environ, "PYTHONPATH": str(root)},
    )

    seen = {assert_whole(one / "jarvis.db", old) for one in folder.iterdir()}

    assert int(done.stdout) > 20
    assert seen == set(range(1, len(STEPS) + 1)), "a kill fell between all steps"


def assert_whole(path: Path, old: dict[str, list[dict[str, object]]]) -> int:
    """The version that the kill left; it is whole, and the next start goes on from there."""
    version = version_of(path)
    assert contained(old, rows(path))
    made = path.with_name("same.db")
    with closing(sqlite3.connect(made, isolation_level=None)) as connection:
        migrate(connection, STEPS[:version])
    assert schema(path) == schema(made)
    opened(path)
    assert version_of(path) == len(STEPS)
    assert contained(old, rows(path))
    return version
