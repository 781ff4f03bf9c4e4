"""``rules test`` and ``rules propose``: the product's own decision about lines on standard input."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.adapters.path_facts import DiskLookup
from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.adapters.rule_text import read_rules
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.cli_home import cli_home
from jarvis_desktop.app.decision_parts import machine_place
from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId, SessionId, TurnId
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnRequest
from jarvis_desktop.core.policy.facts import Exhibit, Known, Matter, Reading, gather
from jarvis_desktop.core.policy.proposals import proposal
from jarvis_desktop.core.policy.rules import PATH_TOOLS, SHELL_TOOL
from jarvis_desktop.core.policy.verdict import verdict
from jarvis_desktop.core.ports import HeldRules
from jarvis_desktop.core.settings import EVERY_TOOL, SecuritySettings


@dataclass(frozen=True, slots=True)
class Bench:
    """Where and under which rules lines are judged."""

    app_home: Path
    cwd: Path
    home: Path
    rules: tuple[Rule, ...]
    security: SecuritySettings


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of input."""

    tool: str
    command: str
    """The path, for tools that write files."""
    rules: tuple[RuleLine, ...] | None
    """Rules that hold for this line instead of the others."""


@dataclass(frozen=True, slots=True)
class _FixedRules:
    """Fills ``RuleBook`` with rules that stay as they are."""

    held: HeldRules

    async def load(self, agent_id: AgentId) -> HeldRules:
        del agent_id
        return self.held

    def file_of(self, agent_id: AgentId) -> str:
        return str(agent_id)

    async def save(self, agent_id: AgentId, lines: Sequence[RuleLine]) -> tuple[RuleLine, ...]:
        raise NotImplementedError

    async def revoke(self, rule: Rule) -> None:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class _FixedSecurity:
    """Fills ``SecuritySource`` with settings that stay as they are."""

    settings: SecuritySettings

    def known(self) -> SecuritySettings:
        return self.settings

    async def fresh(self) -> SecuritySettings:
        return self.settings


def bench(
    app_home: Path,
    *,
    rule_files: Sequence[Path] = (),
    cwd: Path | None = None,
    home: Path | None = None,
    security: SecuritySettings | None = None,
) -> Bench:
    """A bench; without ``rule_files`` with the rules that hold for the main agent now.

    Raises:
        OSError: a named rule file cannot be read.
    """
    if rule_files:
        rules = tuple(rule for path in rule_files for rule in read_rules(path.read_bytes(), str(path)).rules)
    else:
        rules = RuleFiles(app_home).load(MAIN_AGENT).rules.rules
    settings = security or SecuritySettings.model_validate({})
    # What the rules say is what is asked here, also of a tool that the settings exempt.
    settings = settings.model_copy(update={"require_approval_for": (EVERY_TOOL,)})
    here = Path(os.path.abspath(cwd or Path.cwd()))  # noqa: PTH100 - links must stay as they are
    return Bench(app_home, here, home or Path.home(), rules, settings)


def verdict_lines(lines: Iterable[str], on: Bench) -> Iterator[str]:
    """One JSON object for each line: ``verdict``, ``why``, ``source`` and the ``rules`` that cover it.

    source: the rule or detector that decided.
    """
    for _, known in _known(lines, on):
        found = verdict(known)
        yield _json(
            {
                "verdict": found.kind.value,
                "why": found.why,
                "source": found.source,
                "rules": [rule_json(rule) for rule in found.rules],
            }
        )


def proposal_lines(lines: Iterable[str], on: Bench) -> Iterator[str]:
    """One JSON object for each line: ``propose``, the patterns that ALWAYS would save, or null."""
    for _, known in _known(lines, on):
        found = proposal(known.facts[0], known.danger) if len(known.facts) == 1 else None
        yield _json({"propose": None if found is None else [line.pattern for line in found.lines]})


def rule_json(rule: Rule) -> dict[str, object]:
    """A rule as JSON shows it."""
    return {"tool": rule.line.tool, "pattern": rule.line.pattern, "file": rule.file, "line": rule.number}


def run_lines(
    work: Callable[[Iterable[str], Bench], Iterator[str]],
    *,
    rule_files: Sequence[Path] = (),
    cwd: Path | None = None,
    home: Path | None = None,
) -> int:
    """Answer each line of standard input with one on standard output, at once; the exit status comes back."""
    if home is not None:
        # A tool reads "~" from the environment, so what is judged must as well.
        os.environ["HOME"] = os.path.abspath(home)  # noqa: PTH100 - links must stay as they are
    here = cli_home()
    try:
        on = bench(here.folder, rule_files=rule_files, cwd=cwd, security=here.settings.security)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}.", file=sys.stderr)  # noqa: T201 - the command line speaks here
        return 1
    for answer in work(_standard_input(), on):
        print(answer, flush=True)  # noqa: T201 - the answer of the command
    return 0


def _standard_input() -> TextIO:
    # Only a line feed ends a line: a carriage return is part of a command.
    return TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace", newline="\n")


def _json(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=True)


def _known(lines: Iterable[str], on: Bench) -> Iterator[tuple[Asked, Known]]:
    """What the product knows about each line before it decides."""
    place, parser, lookup = machine_place(on.app_home, on.home), BashParser(), DiskLookup()
    held = HeldRules(on.rules)
    with asyncio.Runner() as runner:
        for asked in _asked(lines):
            own = held if asked.rules is None else HeldRules(tuple(Rule(line) for line in asked.rules))
            reading = Reading(parser, lookup, _FixedRules(own), _FixedSecurity(on.security), place)
            yield asked, runner.run(gather(_matter(asked, on), reading))


def _matter(asked: Asked, on: Bench) -> Matter:
    key = "path" if asked.tool in PATH_TOOLS else "command"
    arguments = {key: asked.command}
    request = TurnRequest(
        TurnId("bench"),
        SessionId("bench"),
        MAIN_AGENT,
        "",
        Origin.COMMAND_LINE,
        Language.ENGLISH,
        on.cwd,
        SystemClock().now(),
    )
    return Matter(ToolCall(CallId("bench"), asked.tool, arguments), request, _nothing_shown)


async def _nothing_shown() -> Exhibit:
    raise NotImplementedError


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
    except (ValueError, RecursionError):
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
