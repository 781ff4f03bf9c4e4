"""What must hold after all the days, read from the disk; and the counts that are printed."""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from jarvis_desktop.adapters.goal_files import GoalFiles
from jarvis_desktop.app.options import DATABASE_NAME
from tests.parts.goal_life.days import Days
from tests.parts.goal_life.world import FALSE, Mark, marks_in


def faults(days: Days) -> list[str]:
    """Everything that went wrong; empty after a good run."""
    with closing(sqlite3.connect(days.home / DATABASE_NAME)) as db:
        return [*_told(days, db), *_runs(days, db), *_files(days.home)]


def marks_told(db: sqlite3.Connection) -> Counter[Mark]:
    """How often each version of each item stands in conversations."""
    told: Counter[Mark] = Counter()
    for (reply,) in db.execute(
        """SELECT reply FROM turns JOIN conversations c ON c.id = conversation
           WHERE origin = 'goal' AND kind = 'conversation'"""
    ):
        told.update(marks_in(reply))
    return told


def newest(marks: Iterable[Mark]) -> dict[tuple[str, str], int]:
    """The newest version of each item."""
    found: dict[tuple[str, str], int] = {}
    for source, key, version in marks:
        found[source, key] = max(version, found.get((source, key), 0))
    return found


def _told(days: Days, db: sqlite3.Connection) -> list[str]:
    told, produced = marks_told(db), days.world.produced
    last = newest(produced)
    found = [f"told {times} times: {mark}" for mark, times in told.items() if times > 1]
    found += [f"told, and no tool said so: {mark}" for mark in told.keys() - produced]
    # What changed before anybody could be told is told as it is now; everything else is told as it was.
    found += [f"lost: {(*item, version)}" for item, version in last.items() if not told[*item, version]]
    marked = {
        (days.world.source_of[goal], key): int(version.removeprefix("v"))
        for goal, key, version in db.execute(
            "SELECT goal, key, version FROM goal_keys WHERE told_at IS NOT NULL AND version LIKE 'v%'"
        )
    }
    if marked != newest(told):
        wrong = sorted(set(marked.items()) ^ set(newest(told).items()))
        found.append(f"told and marked as told differ: {wrong[:4]}")
    false = db.execute(
        "SELECT count(*) FROM turns JOIN conversations c ON c.id = conversation"
        f" WHERE kind = 'conversation' AND reply LIKE '%{FALSE}%'"
    ).fetchone()[0]
    if false:
        found.append(f"{false} texts with lines of failing tools, or in the model's words")
    waiting = db.execute("SELECT count(*) FROM goal_inbox").fetchone()[0]
    if waiting:
        found.append(f"{waiting} items still wait")
    return found


def _runs(days: Days, db: sqlite3.Connection) -> list[str]:
    found = [f"run twice: {one}" for one in days.seen.twice]
    rows, instants, still = db.execute(
        "SELECT count(*), count(DISTINCT job || due_at), count(*) FILTER (WHERE end IS NULL)"
        " FROM schedule_runs"
    ).fetchone()
    if rows != instants or still:
        found.append(f"{rows} rows of {instants} instants, {still} without an end")
    for job, turns, attempts in db.execute(
        """SELECT job, (SELECT count(*) FROM turns WHERE conversation = s.conversation),
                  (SELECT coalesce(sum(attempts), 0) FROM schedule_runs r WHERE r.job = s.job)
           FROM schedule_sessions s"""
    ):
        if turns > attempts:
            found.append(f"{job} was asked {turns} times in {attempts} runs")
    if days.seen.most_running > 2:
        found.append(f"{days.seen.most_running} runs side by side")
    return found


def _files(home: Path) -> list[str]:
    return [f"{one.file}: {one.found}" for one in GoalFiles(home).look().problems]


def table(days: Days) -> dict[str, int]:
    """Counts, for people."""
    with closing(sqlite3.connect(days.home / DATABASE_NAME)) as db:
        told = marks_told(db)
        runs, missed, cut = db.execute(
            "SELECT count(*), count(*) FILTER (WHERE end = 'missed'),"
            " count(*) FILTER (WHERE end = 'interrupted') FROM schedule_runs"
        ).fetchone()
        turns, without = db.execute(
            "SELECT count(*), count(*) FILTER (WHERE model_turns = 0) FROM goal_runs"
        ).fetchone()
    return {
        "items produced": len(days.world.produced),
        "items in conversations": len(told),
        "items notified": len(days.seen.notified),
        "items that changed before anybody was told": len(
            days.world.produced - told.keys() - days.seen.notified.keys()
        ),
        "texts told": len(days.seen.said),
        "runs": runs,
        "runs missed": missed,
        "runs interrupted": cut,
        "turns kept": turns,
        "of these without a model": without,
        **dict(sorted(days.seen.outcomes.items())),
        **dict(sorted(days.world.counts.items())),
        **dict(sorted(days.counts.items())),
    }
