"""Remembered rules: what one line of a rule file means, and which rules cover what."""

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from posixpath import dirname
from types import MappingProxyType

from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.interpreters import Source, program_of
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.policy.risky_options import never_by_rule
from jarvis_desktop.core.policy.rule_match import glob_pattern, literal_folder

SHELL_TOOL = "bash"
PATH_TOOLS = frozenset({"write_file", "edit_file"})
WHOLE_TOOL = "*"
_QUOTING = re.compile(r"['\"\\]")
_TRUSTED_FOLDERS = ("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin")


class Weakness(StrEnum):
    """Why a rule that is loaded never allows anything."""

    RUNS_ANYTHING = "runs-anything"
    """A shell, a wrapper, an interpreter with inline code, a builtin that changes the shell."""
    PROGRAM_BY_PATH = "program-by-path"
    NOT_A_COMMAND = "not-a-command"
    NOT_A_PATH = "not-a-path"
    NOT_THE_WHOLE_TOOL = "not-the-whole-tool"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules, arranged so that looking one up does not depend on how many there are."""

    rules: tuple[Rule, ...]
    commands: Mapping[str, tuple[tuple[tuple[str, ...], Rule], ...]]
    """First word to (words, rule), shortest first."""
    folders: Mapping[tuple[str, str], Rule]
    """(tool, folder as written and normalised) to a ``folder/*`` rule."""
    globs: Mapping[str, tuple[Rule, ...]]
    """Path rules of any other form, by tool."""
    whole: Mapping[str, Rule]
    weak: tuple[tuple[Rule, Weakness], ...]
    """Rules that are loaded and shown but never allow."""

    def for_command(self, argv: tuple[str, ...]) -> tuple[tuple[int, Rule], ...]:
        """Rules whose words begin ``argv``, each with how many words it has."""
        if not argv:
            return ()
        found = self.commands.get(argv[0], ())
        return tuple((len(words), rule) for words, rule in found if argv[: len(words)] == words)

    def for_path(self, tool: str, path: str, place: Place) -> Rule | None:
        """The rule that covers writing to the absolute ``path``, as text; links are the caller's."""
        folder = dirname(path)
        for written in _spellings(folder, place):
            rule = self.folders.get((tool, written))
            if rule is not None:
                return rule
        return next(
            (
                rule
                for rule in self.globs.get(tool, ())
                if glob_pattern(rule.line.pattern, place).fullmatch(path)
            ),
            None,
        )


def rule_set(rules: Iterable[Rule]) -> RuleSet:
    """The arranged form of ``rules``."""
    kept = tuple(rules)
    commands: dict[str, list[tuple[tuple[str, ...], Rule]]] = {}
    folders: dict[tuple[str, str], Rule] = {}
    globs: dict[str, list[Rule]] = {}
    whole: dict[str, Rule] = {}
    weak: list[tuple[Rule, Weakness]] = []
    for rule in kept:
        line = rule.line
        weakness = weakness_of(line)
        if weakness is not None:
            weak.append((rule, weakness))
        elif line.tool == SHELL_TOOL:
            words = pattern_words(line.pattern) or ()
            commands.setdefault(words[0], []).append((words, rule))
        elif line.tool in PATH_TOOLS:
            folder = literal_folder(line.pattern)
            if folder is None:
                globs.setdefault(line.tool, []).append(rule)
            else:
                folders.setdefault((line.tool, folder), rule)
        else:
            whole.setdefault(line.tool, rule)
    return RuleSet(
        kept,
        MappingProxyType(
            {word: tuple(sorted(found, key=lambda one: len(one[0]))) for word, found in commands.items()}
        ),
        MappingProxyType(folders),
        MappingProxyType({tool: tuple(found) for tool, found in globs.items()}),
        MappingProxyType(whole),
        tuple(weak),
    )


NO_RULES = rule_set(())


@lru_cache(maxsize=16_384)
def pattern_words(pattern: str) -> tuple[str, ...] | None:
    """Words of a ``bash`` pattern, quotes removed as a shell does; None when quotes do not match."""
    if not _QUOTING.search(pattern):
        return tuple(word for word in re.split("[ \t]+", pattern) if word)
    lexer = shlex.shlex(pattern, posix=True, punctuation_chars=False)
    lexer.whitespace = " \t"
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return tuple(lexer)
    except ValueError:
        return None


@lru_cache(maxsize=16_384)
def weakness_of(line: RuleLine) -> Weakness | None:
    """Why ``line`` never allows anything, or None when it can."""
    if line.tool == SHELL_TOOL:
        return _command_weakness(pattern_words(line.pattern))
    if line.tool in PATH_TOOLS:
        bad = not line.pattern.strip() or "\0" in line.pattern or re.search(r"\*.*/\.\.(/|$)", line.pattern)
        return Weakness.NOT_A_PATH if bad else None
    return None if line.pattern == WHOLE_TOOL else Weakness.NOT_THE_WHOLE_TOOL


def _command_weakness(words: tuple[str, ...] | None) -> Weakness | None:
    if not words or not words[0] or words[0] == "*":
        return Weakness.NOT_A_COMMAND
    if words[:1] == ("command",) and words[1:2] in (("-v",), ("-V",)):
        return None
    if never_by_rule(words[0]):
        return Weakness.RUNS_ANYTHING
    if "/" in words[0] and dirname(words[0]) not in _TRUSTED_FOLDERS:
        return Weakness.PROGRAM_BY_PATH
    program = program_of(words) if len(words) > 1 else None
    return Weakness.RUNS_ANYTHING if program is not None and program.source is Source.INLINE else None


def _spellings(folder: str, place: Place) -> tuple[str, ...]:
    """How a rule may name ``folder``: whole, or from the working directory or home."""
    found = [folder]
    for base, prefix in ((place.cwd, ""), (place.home, "~")):
        if folder == base:
            found.append(prefix or ".")
        elif folder.startswith(f"{base.rstrip('/')}/"):
            rest = folder[len(base.rstrip("/")) + 1 :]
            found.append(f"{prefix}/{rest}" if prefix else rest)
    return tuple(found)
