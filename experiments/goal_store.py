"""How fast goals are given, read and listed, from 10 to 10,000 of them (G-085 to G-089).

    nice python -m experiments.goal_store [--json] [--n 10 100 1000 10000]

The listing is compared with a plain one that reads every file, in the same run. Every goal is given twice,
and must stay one. ``--json`` prints one object, with the figures of 1,000 goals under their own names.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from experiments.bench_common import Run, store
from jarvis_desktop.adapters.goal_files import RACY_NS, GoalFiles
from jarvis_desktop.adapters.goal_text import goal_of
from jarvis_desktop.core.goals.naming import goal_id
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.goals import Goal, GoalId
from jarvis_desktop.core.items.ids import MAIN_AGENT

COUNTS = (10, 100, 1000, 10_000)
TIMES = 200
GIVE_MS, READ_MS, LIST_MS, RATIO = 0.15, 0.03, 2.0, 10.0
"""Aims; those of the listing are for 1,000 goals."""
BEGAN = datetime(2026, 12, 1, tzinfo=UTC)


def goal(number: int) -> Goal:
    """A goal like one that people give."""
    sentence = f"{number}번째 조건 및 가장 좋은 원리금 납부액을 추천하는 공고만 알려줘"
    return Goal(goal_id(MAIN_AGENT, sentence), MAIN_AGENT, sentence, "Asia/Seoul", BEGAN)


def took_ms(work: Callable[[], object]) -> float:
    """Milliseconds of one run."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def plain_listing(folder: Path) -> tuple[Goal, ...]:
    """Every file read, as a store without memory would."""
    return tuple(goal_of(GoalId(path.stem), path.read_text("utf-8")) for path in folder.glob("*.json"))


def measured(count: int) -> dict[str, Json]:
    """Everything about ``count`` goals."""
    with tempfile.TemporaryDirectory() as home:
        files = GoalFiles(Path(home))
        goals = [goal(number) for number in range(count)]
        gave = [took_ms(lambda one=one: files.give(one, durable=False)) for one in goals]  # type: ignore[misc]  # bound at once
        for one in goals[:TIMES]:
            files.give(one, durable=False)
        kept = len(files.look().goals)
        some = goals[:: max(1, count // TIMES)]
        read = [took_ms(lambda one=one: files.find(one.goal_id)) for one in some]  # type: ignore[misc]  # bound at once
        time.sleep(2 * RACY_NS / 1e9)
        files.look()
        listed = [took_ms(files.look) for _ in range(TIMES)]
        every = [took_ms(lambda: files.look(every_file=True)) for _ in range(5)]
        plain = [took_ms(lambda: plain_listing(files.folder)) for _ in range(3)]
        after_one: list[float] = []
        for one in some[:20]:  # somebody writes one file by hand, and the next listing says so
            path = Path(home) / one.file
            path.with_suffix(".new").write_text(path.read_text("utf-8").replace("9-21", "8-20"), "utf-8")
            path.with_suffix(".new").replace(path)
            after_one.append(took_ms(files.look))
            assert files.find(one.goal_id) == replace(one, cron="0 8-20 * * *")
        fsync = [took_ms(lambda number=number: files.give(goal(-1 - number))) for number in range(30)]  # type: ignore[misc]  # bound at once
    mid = statistics.median
    return {
        "goals": count,
        "give_ms": round(mid(gave), 4),
        "give_max_ms": round(max(gave), 3),
        "give_fsync_ms": round(mid(fsync), 4),
        "read_ms": round(mid(read), 4),
        "list_ms": round(mid(listed), 4),
        "list_after_an_edit_ms": round(mid(after_one), 3),
        "list_every_file_ms": round(mid(every), 3),
        "plain_list_ms": round(mid(plain), 3),
        "list_ratio": round(mid(plain) / max(mid(listed), 1e-6), 1),
        "kept_after_giving_twice": kept,
    }


def summary(rows: list[dict[str, Json]]) -> dict[str, Json]:
    """One object: the figures of 1,000 goals, or of as many as there were, and all rows."""
    row = next((one for one in rows if one["goals"] == 1000), rows[-1])
    return {
        "give_ms": row["give_ms"],
        "give_fsync_ms": row["give_fsync_ms"],
        "read_ms": row["read_ms"],
        "list_1000_ms": row["list_ms"],
        "list_1000_ratio": row["list_ratio"],
        "plain_list_1000_ms": row["plain_list_ms"],
        "durable_by_default": True,
        "rows": rows,
    }


def missed(one: dict[str, Json]) -> list[str]:
    """Aims that were not reached."""
    found = {
        "give_ms": float(str(one["give_ms"])) <= GIVE_MS,
        "read_ms": float(str(one["read_ms"])) <= READ_MS,
        "list_1000_ms": float(str(one["list_1000_ms"])) <= LIST_MS,
        "list_1000_ratio": float(str(one["list_1000_ratio"])) >= RATIO,
    }
    return [name for name, reached in found.items() if not reached]


def main() -> None:
    """Measure, print, and store it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--json", action="store_true", help="end with one JSON object, and store nothing")
    parser.add_argument("--n", type=int, nargs="+", default=list(COUNTS), help="how many goals")
    arguments = parser.parse_args()
    rows = [measured(count) for count in arguments.n]
    one = summary(rows)
    if arguments.json:
        print(json.dumps(one))
        return
    names = [name for name in rows[0] if name != "goals"]
    print(f"{'':26}" + "".join(f"{row['goals']!s:>12}" for row in rows))
    for name in names:
        print(f"{name:26}" + "".join(f"{row[name]!s:>12}" for row in rows))
    remark = f"aims that were missed: {', '.join(missed(one)) or 'none'}"
    print(remark)
    store(Run("goal_store", one, 0, remarks=(remark,)))


if __name__ == "__main__":
    main()
