"""Verdicts over values: a place, facts of the disk as a test says they are, the real parser."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.core.items.decisions import Verdict
from jarvis_desktop.core.items.path_facts import PathFact
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.call_facts import Facts, WriteFacts, paths_wanted
from jarvis_desktop.core.policy.command_check import check_command, with_disk
from jarvis_desktop.core.policy.command_facts import CommandFacts
from jarvis_desktop.core.policy.danger import DangerList, danger_list
from jarvis_desktop.core.policy.judge import judge
from jarvis_desktop.core.policy.paths import Place, absolute, is_inside
from jarvis_desktop.core.policy.rules import PATH_TOOLS, RuleSet, rule_set

CASES = Path(__file__).parent.parent.parent / "data" / "cases"
PLACE = Place(cwd="/home/u/proj", home="/home/u", app_home="/home/u/.jarvis")
PARSER = BashParser()
DEFAULT_DANGER = danger_list(None)


def rows(name: str) -> list[dict[str, Any]]:
    """Lines of one file of cases."""
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").split("\n") if line]


def rules(*lines: str) -> RuleSet:
    """Rules from ``tool pattern`` texts; ``bash`` when no tool is named."""
    split = [line.split(" ", 1) for line in lines]
    tools = {"bash", "write_file", "edit_file", "web_fetch", "custom"}
    return rule_set(
        Rule(RuleLine(*parts) if parts[0] in tools and len(parts) > 1 else RuleLine("bash", " ".join(parts)))
        for parts in split
    )


def disk(path: str, links: Mapping[str, str]) -> PathFact:
    """The fact about ``path`` on a disk where ``links`` lead elsewhere and nothing else exists."""
    for link, target in links.items():
        if is_inside(path, link):
            return PathFact(target + path[len(link) :])
    return PathFact(path)


def command_facts(text: str, links: Mapping[str, str] | None = None, place: Place = PLACE) -> CommandFacts:
    """Facts about a shell command."""
    facts = check_command(text, PARSER, place)
    return with_disk(facts, {path: disk(path, links or {}) for path in paths_wanted(facts)}, ())


def facts_of(tool: str, command: str, links: Mapping[str, str] | None = None) -> Facts:
    """Facts about a call: of the shell, or of a tool that writes the file ``command``."""
    if tool in PATH_TOOLS:
        return WriteFacts(tool, command, PLACE, disk(absolute(command, PLACE.cwd), links or {}))
    return command_facts(command, links)


def decided(text: str, *lines: str, danger: DangerList = DEFAULT_DANGER) -> Verdict:
    """The verdict over a shell command under rules."""
    return judge(command_facts(text), rules(*lines), danger)
