"""How long a verdict takes with 10 to 10,000 rules, and how long an edited rule file takes to count.

    nice python -m experiments.bench_decide [--n 2000]

The verdict includes both readings of the command, the danger list and the rules. What the facts step reads
from the disk (links of the paths that a command names) is measured apart.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from experiments.bench_common import Run, store
from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.adapters.path_facts import look_up
from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.call_facts import paths_wanted
from jarvis_desktop.core.policy.command_check import check_command
from jarvis_desktop.core.policy.danger import danger_list
from jarvis_desktop.core.policy.judge import judge
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.policy.rules import rule_set

COMMANDS = (
    "git status --short",
    "git log --oneline -20",
    "npm test",
    "ls -la src",
    "grep -rn 'def main' src tests",
    "git add -A && git commit -m 'a message of some words'",
    "cat notes.md | head -20",
    "uv run pytest -q tests/unit",
)
ALLOWED = (
    "git status",
    "git log",
    "npm test",
    "ls -la",
    "grep -rn",
    "git add",
    "git commit",
    "cat notes.md",
    "head -20",
    "uv run",
)
SIZES = (10, 100, 1_000, 10_000)
PLACE = Place("/home/u/proj", "/home/u", "/home/u/.jarvis")


def median_us(work: Callable[[], object], times: int) -> float:
    """Median time of one ``work()`` in microseconds."""
    took: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append((time.perf_counter() - start) * 1e6)
    return statistics.median(took)


def rules_of(count: int) -> list[RuleLine]:
    """``count`` rules: the ones that allow, hidden among others; a tenth of them about paths."""
    others = [
        RuleLine("write_file", f"dir{i}/*") if i % 10 == 0 else RuleLine("bash", f"tool{i} build")
        for i in range(count - len(ALLOWED))
    ]
    return [*others, *(RuleLine("bash", pattern) for pattern in ALLOWED)]


def verdict_us(count: int, times: int) -> dict[str, float]:
    """Median microseconds per verdict, by command."""
    parser, danger = BashParser(), danger_list(None)
    rules = rule_set(Rule(line) for line in rules_of(count))

    def decide(command: str) -> Callable[[], object]:
        return lambda: judge(check_command(command, parser, PLACE), rules, danger)

    return {command: round(median_us(decide(command), times), 1) for command in COMMANDS}


def facts_us(times: int) -> float:
    """Median microseconds to look up the paths that one command names."""
    parser = BashParser()
    wanted = [paths_wanted(check_command(command, parser, PLACE)) for command in COMMANDS]
    took = [median_us(partial(look_up, paths), times) for paths in wanted if paths]
    return round(statistics.median(took), 1)


def reload_ms(count: int, times: int) -> tuple[float, float]:
    """Median milliseconds until an edited file counts; microseconds when nothing changed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "approvals.yaml"
        lines = [f'  - {{tool: {line.tool}, pattern: "{line.pattern}"}}\n' for line in rules_of(count)]
        files = RuleFiles(Path(folder))
        took: list[float] = []
        for edit in range(times):
            path.write_text("rules:\n" + "".join(lines) + f"# edit {edit}\n", "utf-8")
            start = time.perf_counter()
            files.load(MAIN_AGENT)
            took.append((time.perf_counter() - start) * 1e3)
        return round(statistics.median(took), 2), round(median_us(lambda: files.load(MAIN_AGENT), 200), 1)


def main() -> None:
    """Measure, print a table and store the numbers."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--n", type=int, default=1_000)
    given = arguments.parse_args()
    results: dict[str, Json] = {"paths_of_one_command_us": facts_us(given.n)}
    print(f"{'rules':>7} {'verdict us':>11} {'reload ms':>10} {'unchanged us':>13}")
    for count in SIZES:
        by_command = verdict_us(count, given.n)
        median = round(statistics.median(by_command.values()), 1)
        reload, unchanged = reload_ms(count, 7)
        print(f"{count:>7} {median:>11} {reload:>10} {unchanged:>13}")
        results[str(count)] = {
            "verdict_us_median": median,
            "verdict_us": by_command,
            "reload_ms": reload,
            "unchanged_load_us": unchanged,
        }
    print(f"paths of one command on the disk: {results['paths_of_one_command_us']} us")
    store(Run("bench_decide", results, seed=0, packages=("tree-sitter", "tree-sitter-bash")))


if __name__ == "__main__":
    main()
