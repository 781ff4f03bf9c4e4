"""Ninety days of fifty goals among kills, sleeps, jumping clocks and failures: what was told, run and lost.

    nice python -m experiments.goal_simulation --seed 1 [--days 90] [--goals 50] [--json]

The core, the database and the files are the real ones; clock, model, tool and desktop are simulated. At the
end it says what went wrong: an item that was told twice, or lost; a run that was done twice; a half file.
"""

import argparse
import json
import logging
import sys
import tempfile
import time
from pathlib import Path

from experiments.bench_common import RESULTS, Run, store
from jarvis_desktop.core.items.calls import Json
from tests.parts.goal_life.checks import faults, table
from tests.parts.goal_life.days import Days, Plan
from tests.parts.goal_life.morning import run


def lived(plan: Plan) -> dict[str, Json]:
    """The counts of one simulation, and its faults."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        days = Days(plan, Path(folder) / "home")
        run(days.run())
        counts: dict[str, Json] = {**table(days)}
        found: list[Json] = [*faults(days)]
    size: dict[str, Json] = {"days": plan.days, "goals": plan.goals}
    took_s = round(time.perf_counter() - began, 1)
    return {**size, **counts, "took_s": took_s, "faults": found}


def with_others(results: dict[str, Json], seed: int) -> dict[str, Json]:
    """The results of this seed beside those that other seeds left."""
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    before = known.get("goal_simulation", {}).get("results", {})
    return {**before, f"seed {seed}": results}


def main() -> int:
    """Simulate, print and store; 1 where something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--goals", type=int, default=50)
    parser.add_argument("--json", action="store_true", help="end with one JSON object, and store nothing")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)  # whoever is killed in the middle would complain thousands of times
    results = lived(Plan(arguments.seed, arguments.days, arguments.goals))
    if arguments.json:
        print(json.dumps(results))
        return bool(results["faults"])
    for name, value in results.items():
        print(f"{name:45}{value!s:>10}")
    store(Run("goal_simulation", with_others(results, arguments.seed), arguments.seed))
    return bool(results["faults"])


if __name__ == "__main__":
    sys.exit(main())
