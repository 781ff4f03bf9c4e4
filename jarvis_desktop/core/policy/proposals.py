"""What ALWAYS would save: narrow rule lines, or nothing where remembering is not safe."""

import re
import shlex
import unicodedata
from dataclasses import dataclass
from posixpath import dirname

from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.call_facts import Facts, ReadFacts, WriteFacts
from jarvis_desktop.core.policy.command_check import odd_characters
from jarvis_desktop.core.policy.command_facts import CommandFacts
from jarvis_desktop.core.policy.danger import DangerList
from jarvis_desktop.core.policy.interpreters import Source, program_of
from jarvis_desktop.core.policy.judge import judge
from jarvis_desktop.core.policy.known_programs import (
    DELETERS,
    INTERPRETERS,
    SENDERS,
    family_name,
    program_name,
)
from jarvis_desktop.core.policy.paths import absolute
from jarvis_desktop.core.policy.proposal_tables import (
    INSTALLER_READS,
    INSTALLERS,
    NEEDS_SUBCOMMAND,
    RUNNERS,
    SUBCOMMANDS,
    WRITE_OR_RUN,
)
from jarvis_desktop.core.policy.risky_options import never_by_rule, risk_of
from jarvis_desktop.core.policy.rule_match import escape
from jarvis_desktop.core.policy.rules import PATH_TOOLS, SHELL_TOOL, WHOLE_TOOL, rule_set

MOST_LINES = 5


@dataclass(frozen=True, slots=True)
class Proposal:
    """What ALWAYS offers for one call."""

    lines: tuple[RuleLine, ...]
    project_decides: bool
    """A part is a project runner: the rule covers whatever the project's own file says."""
    passes: tuple[str, ...]
    """Commands or paths that would pass from then on."""
    asks: tuple[str, ...]
    """Commands or paths that would still be asked about."""


def propose(facts: Facts, danger: DangerList) -> tuple[RuleLine, ...] | None:
    """The rule lines that ALWAYS would save for this call; None when it is not offered."""
    # Reading is asked about only where there may be a secret, which no rule may cover.
    lines = None if isinstance(facts, ReadFacts) else _lines(facts)
    if lines is None:
        return None
    # A proposal that would not cover the very call it is made for is no proposal.
    after = judge(facts, rule_set(Rule(line) for line in lines), danger)
    return lines if after.kind == "allow" else None


def proposal(facts: Facts, danger: DangerList) -> Proposal | None:
    """``propose`` with what a dialog says about it."""
    lines = propose(facts, danger)
    if lines is None:
        return None
    runs = isinstance(facts, CommandFacts) and any(is_runner(command.argv) for command in facts.plain)
    passes, asks = examples(lines[0])
    return Proposal(lines, runs, passes, asks)


def examples(line: RuleLine) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Three calls that ``line`` would let pass and three that it would not."""
    if line.tool == SHELL_TOOL:
        words = line.pattern
        first = words.split(" ")[0]
        return (
            (words, f"{words} --help", f"{words} README.md"),
            (
                f"{first} something-else" if words != first else f"{first}x",
                f"{words} && rm notes.txt",
                f"{words} > notes.txt",
            ),
        )
    if line.tool in PATH_TOOLS:
        folder = line.pattern.removesuffix("/*")
        return (
            (f"{folder}/a.md", f"{folder}/b.txt", f"{folder}/new.py"),
            (f"{folder}/deeper/a.md", f"{folder}-old/a.md", f"{folder}/.git/config"),
        )
    return (f"{line.tool}: any call",), ()


def _lines(facts: Facts) -> tuple[RuleLine, ...] | None:
    if isinstance(facts, WriteFacts):
        return _path_lines(facts)
    if not isinstance(facts, CommandFacts) or facts.tool != SHELL_TOOL:
        return (RuleLine(facts.tool, WHOLE_TOOL),)
    if facts.obstacles or any(command.redirects for command in facts.plain):
        return None
    patterns: dict[str, None] = {}
    for command in facts.plain:
        pattern = _pattern(command.argv)
        if pattern is None:
            return None
        patterns[pattern] = None
    if not patterns or len(patterns) > MOST_LINES:
        return None
    return tuple(RuleLine(SHELL_TOOL, pattern) for pattern in patterns)


def _path_lines(facts: WriteFacts) -> tuple[RuleLine, ...] | None:
    folder = dirname(absolute(facts.path, facts.place.cwd))
    if odd_characters(folder) or "\n" in folder or folder in ("/", "/tmp", "/var/tmp", "/home"):  # noqa: S108 - named to refuse them
        return None
    return (RuleLine(facts.tool, f"{escape(folder)}/*"),)


def _pattern(argv: tuple[str, ...]) -> str | None:
    """The first two words, quoted where they must be; None when they must not be remembered."""
    words = argv[:2]
    if any("\n" in word or "\t" in word or _is_mixed(word) for word in words) or not argv[0].isascii():
        return None
    if _must_not_be_remembered(argv) or risk_of(argv, len(words)) is not None:
        return None
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[^\s'\"\\]+", word) else shlex.quote(word)


def _is_mixed(word: str) -> bool:
    """Letters of two alphabets that look alike stand in one word."""
    scripts = {unicodedata.name(char, "?").split(" ")[0] for char in word if char.isalpha()}
    return (
        len(scripts & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH", "MATHEMATICAL"}) > 1
    )


def _must_not_be_remembered(argv: tuple[str, ...]) -> bool:
    name, family = program_name(argv[0]), family_name(argv[0])
    second = argv[1] if len(argv) > 1 else ""
    if (
        "/" in argv[0]
        or "*" in argv[0]
        or never_by_rule(argv[0])
        or name in DELETERS | SENDERS | WRITE_OR_RUN
    ):
        return True
    if family in INTERPRETERS:
        # Only "interpreter script": an option in second place would cover any script.
        program = program_of(argv)
        return program is None or program.source is not Source.FILE or program.at != 1
    if name in INSTALLERS and second not in INSTALLER_READS:
        return True
    subcommands = SUBCOMMANDS.get(name) or SUBCOMMANDS.get(re.sub(r"[\d.]+$", "", name), frozenset())
    return second in subcommands or (name in NEEDS_SUBCOMMAND and (not second or second.startswith("-")))


def is_runner(argv: tuple[str, ...]) -> bool:
    """A file of the project decides what these words run."""
    subcommands = RUNNERS.get(program_name(argv[0]))
    return subcommands is not None and (not subcommands or argv[1:2] == () or argv[1] in subcommands)
