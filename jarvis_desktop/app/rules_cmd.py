"""``rules test`` and ``rules propose``: the product's own decision about lines on standard input."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.adapters.path_facts import look_up, path_fact, read_scripts
from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.adapters.rule_text import read_rules
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.call_facts import (
    Facts,
    OtherFacts,
    WriteFacts,
    paths_wanted,
    scripts_wanted,
)
from jarvis_desktop.core.policy.command_check import check_command, check_script, with_disk
from jarvis_desktop.core.policy.danger import DangerList, danger_list
from jarvis_desktop.core.policy.judge import judge
from jarvis_desktop.core.policy.paths import Place, absolute
from jarvis_desktop.core.policy.proposals import propose
from jarvis_desktop.core.policy.rules import PATH_TOOLS, SHELL_TOOL, RuleSet, rule_set


@dataclass(frozen=True, slots=True)
class Bench:
    """Where and under which rules lines are judged."""

    place: Place
    rules: tuple[Rule, ...]
    danger: DangerList = field(default_factory=lambda: danger_list(None))


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of input."""

    tool: str
    command: str
    """The path, for tools that write files."""
    rules: tuple[RuleLine, ...] | None
    """Rules that hold for this line instead of the others."""


def bench(
    app_home: Path,
    *,
    rule_files: Sequence[Path] = (),
    cwd: Path | None = None,
    home: Path | None = None,
    agent_id: AgentId = MAIN_AGENT,
    danger: DangerList | None = None,
) -> Bench:
    """A bench; without ``rule_files`` with the rules that hold for ``agent_id`` now.

    Raises:
        OSError: a named rule file cannot be read.
    """
    home_text = os.path.abspath(home or Path.home())  # noqa: PTH100 - links must stay as they are
    real_home = os.path.realpath(home_text)
    place = Place(
        cwd=os.path.abspath(cwd or Path.cwd()),  # noqa: PTH100 - links must stay as they are
        home=home_text,
        app_home=os.path.abspath(app_home),  # noqa: PTH100 - links must stay as they are
        installed_at=(str(Path(__file__).resolve().parent.parent),),
        real_home="" if real_home == home_text else real_home,
    )
    if rule_files:
        rules = tuple(rule for path in rule_files for rule in read_rules(path.read_bytes(), str(path)).rules)
    else:
        rules = RuleFiles(app_home).load(agent_id).rules.rules
    return Bench(place, rules, danger or danger_list(None))


def verdict_lines(lines: Iterable[str], on: Bench) -> Iterator[str]:
    """One JSON object for each line: ``verdict``, ``why`` and ``source``, the rule or detector behind it."""
    parser = BashParser()
    for asked in _asked(lines):
        verdict = judge(_facts(asked, on.place, parser), _rules(asked, on), on.danger)
        yield _json({"verdict": verdict.kind.value, "why": verdict.why, "source": verdict.source})


def proposal_lines(lines: Iterable[str], on: Bench) -> Iterator[str]:
    """One JSON object for each line: ``propose``, the patterns that ALWAYS would save, or null."""
    parser = BashParser()
    for asked in _asked(lines):
        found = propose(_facts(asked, on.place, parser), on.danger)
        yield _json({"propose": None if found is None else [line.pattern for line in found]})


def _json(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=True)


def _rules(asked: Asked, on: Bench) -> RuleSet:
    return rule_set(on.rules if asked.rules is None else (Rule(line) for line in asked.rules))


def _asked(lines: Iterable[str]) -> Iterator[Asked]:
    for line in lines:
        text = line.removesuffix("\n")
        if text.strip():
            yield _from_json(text) or Asked(SHELL_TOOL, text, None)


def _from_json(text: str) -> Asked | None:
    """A line that is a JSON object with a command; None for a plain command line."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("command"), str):
        return None
    rules = value.get("rules")
    lines = None
    if isinstance(rules, list):
        lines = tuple(
            RuleLine(str(rule["tool"]), str(rule["pattern"]))
            for rule in rules
            if isinstance(rule, dict) and "tool" in rule and "pattern" in rule
        )
    return Asked(str(value.get("tool", SHELL_TOOL)), value["command"], lines)


def _facts(asked: Asked, place: Place, parser: BashParser) -> Facts:
    if asked.tool in PATH_TOOLS:
        return WriteFacts(asked.tool, asked.command, place, path_fact(absolute(asked.command, place.cwd)))
    if asked.tool != SHELL_TOOL:
        return OtherFacts(asked.tool, place)
    facts = check_command(asked.command, parser, place)
    scripts = read_scripts(scripts_wanted(facts))
    return with_disk(
        facts,
        look_up(paths_wanted(facts)),
        tuple(check_script(path, text, parser, place) for path, text in scripts.items()),
    )
