"""The verdict over facts: danger list, then need of approval, then rules. Pure."""

import re
from collections.abc import Iterable, Mapping
from itertools import dropwhile

from jarvis_desktop.core.items.decisions import Verdict, VerdictKind
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.items.shell_syntax import Redirect
from jarvis_desktop.core.policy.call_facts import (
    Facts,
    OtherFacts,
    ReadFacts,
    TaughtFacts,
    WebFacts,
    WriteFacts,
)
from jarvis_desktop.core.policy.command_check import odd_characters
from jarvis_desktop.core.policy.command_facts import CommandFacts, Obstacle
from jarvis_desktop.core.policy.danger import DangerList
from jarvis_desktop.core.policy.known_programs import READERS, program_name
from jarvis_desktop.core.policy.paths import Guarded, Place, absolute, guard_of, is_rule_file, is_secret
from jarvis_desktop.core.policy.plain_reading import PlainCommand, literal
from jarvis_desktop.core.policy.risky_options import risk_of
from jarvis_desktop.core.policy.rules import SHELL_TOOL, RuleSet

_OBSTACLE_WHY: Mapping[Obstacle, str] = {
    Obstacle.EMPTY: "the command is empty",
    Obstacle.TOO_LONG: "the command is longer than 10,000 characters",
    Obstacle.ODD_CHARACTERS: "the command holds invisible or control characters",
    Obstacle.SYNTAX: "the command cannot be read for certain",
    Obstacle.SUBSTITUTION: "the command runs another command inside a word",
    Obstacle.BACKGROUND: "a part of the command would go on in the background",
    Obstacle.FUNCTION: "the command defines a function",
    Obstacle.HEREDOC: "the command feeds text to a program",
    Obstacle.ASSIGNMENT: "the command sets a variable",
    Obstacle.STRUCTURE: "the command has branches, loops or groups",
    Obstacle.NOT_LITERAL: "a word of the command is only known when it runs",
    Obstacle.NESTED_TOO_DEEP: "the command holds commands in commands, too deep to follow",
}


def judge(
    facts: Facts,
    rules: RuleSet,
    danger: DangerList,
    *,
    needs_approval: bool = True,
    stands_in: bool = False,
) -> Verdict:
    """What the rules say about a call before anybody is asked.

    needs_approval: false for a tool that the settings exempt; the danger list holds all the same.
    stands_in: a tool of the person's is in the place of the one that the facts name.
    """
    found = _danger(facts, danger) or _leak(facts)
    if found is not None:
        return found
    if not needs_approval:
        return Verdict(VerdictKind.ALLOW, f"{facts.tool} needs no approval", "no-approval-needed")
    if stands_in:
        return _ask(f"another tool stands in for {facts.tool}, which no rule covers", "stands-in")
    if isinstance(facts, CommandFacts):
        return _command(facts, rules, danger)
    if isinstance(facts, WriteFacts):
        return _write(facts, rules, danger)
    rule = rules.whole.get(facts.tool)
    return _ask(f"no rule covers {facts.tool}", "no-rule") if rule is None else _allow((rule,))


def _leak(facts: Facts) -> Verdict | None:
    """Why reading is asked about, whatever the settings and rules say (decision 38)."""
    if isinstance(facts, ReadFacts) and _secret(facts):
        return _ask(f"{facts.path!r} may hold a secret, which the model would read", "secret")
    if isinstance(facts, WebFacts) and not facts.trusted:
        return _ask(f"neither the person nor a search named {facts.host!r}", f"web:{facts.host}")
    if isinstance(facts, TaughtFacts) and not facts.trusted:
        return _ask("text from the web is in the conversation and may have asked for this", "taught")
    return None


def _secret(facts: ReadFacts) -> bool:
    return any(is_secret(path, facts.place) for path in (facts.path, facts.real))


def _ask(why: str, source: str) -> Verdict:
    return Verdict(VerdictKind.ASK, why, source)


def _allow(rules: Iterable[Rule]) -> Verdict:
    covering = tuple(dict.fromkeys(rules))
    names = " + ".join(dict.fromkeys(str(rule) for rule in covering))
    return Verdict(VerdictKind.ALLOW, f"covered by {names}", f"rule:{names}", covering)


def _danger(facts: Facts, danger: DangerList) -> Verdict | None:
    if isinstance(facts, CommandFacts):
        hit = next(iter(danger.hits(facts)), None)
        if hit is not None:
            why = f"{hit.found!r} is on security.dangerous_commands ({hit.entry})"
            return Verdict(VerdictKind.BLOCK, why, f"danger:{hit.entry}")
    if isinstance(facts, WriteFacts) and Guarded.RULE_FILES in _guards(facts):
        why = f"{facts.path!r} says what may run unasked; no tool may write it"
        return Verdict(VerdictKind.BLOCK, why, "danger:rule-files")
    if isinstance(facts, OtherFacts):
        named = next((path for path in facts.paths if is_rule_file(path, facts.place)), None)
        if named is not None:
            why = f"{named!r} says what may run unasked; no tool may touch it"
            return Verdict(VerdictKind.BLOCK, why, "danger:rule-files")
    return None


# --- commands ---------------------------------------------------------------------------------


def _command(facts: CommandFacts, rules: RuleSet, danger: DangerList) -> Verdict:
    if danger.problems:
        return _ask(
            f"security.dangerous_commands has to be mended: {danger.problems[0]}", "danger-list-broken"
        )
    for script in facts.scripts:
        hit = next(iter(danger.hits(script.inside)), None)
        if hit is not None:
            return _ask(f"{script.path} would run {hit.found!r} ({hit.entry})", f"script:{hit.entry}")
    if facts.tool != SHELL_TOOL:
        rule = rules.whole.get(facts.tool)
        return _ask(f"no rule covers {facts.tool}", "no-rule") if rule is None else _allow((rule,))
    if facts.obstacles:
        return _ask(_OBSTACLE_WHY[facts.obstacles[0]], f"unclear:{facts.obstacles[0]}")
    covering: list[Rule] = []
    for command in facts.plain:
        found = _covered(command, facts, rules, danger)
        if isinstance(found, Verdict):
            return found
        covering.extend(found)
    return _allow(covering) if covering else _ask("the command is empty", "unclear:empty")


def _covered(
    command: PlainCommand, facts: CommandFacts, rules: RuleSet, danger: DangerList
) -> list[Rule] | Verdict:
    """The rules that cover one simple command and its redirections, or why it must be asked about."""
    found = rules.for_command(command.argv)
    if not found:
        return _ask(f"no rule covers {_short(command)!r}", "no-rule")
    risks = [(risk_of(command.argv, count), rule) for count, rule in found]
    rule = next((rule for risk, rule in risks if risk is None), None)
    if rule is None:
        return _ask(
            f"{risks[0][0]!r} makes {command.argv[0]} do more than {found[0][1]} means", "risky-option"
        )
    touched = _touches(command, facts)
    if touched is not None:
        return _ask(f"{touched!r} is a place that no rule covers", "guarded-path")
    covering = [rule]
    for redirect in command.redirects:
        by = _redirect(redirect, facts, rules, danger)
        if isinstance(by, Verdict):
            return by
        covering.extend(by)
    return covering


def _short(command: PlainCommand) -> str:
    return " ".join(command.argv[:2])


def _touches(command: PlainCommand, facts: CommandFacts) -> str | None:
    """A word that names a guarded place the program could write to, or a secret it could read."""
    writes = program_name(command.argv[0]) not in READERS
    for word in command.argv[1:]:
        for text in (word, word.partition("=")[2]):
            if not text or text.startswith("-"):
                continue
            path = absolute(text, facts.place.cwd)
            fact = facts.paths.get(path)
            for one in {path, fact.real if fact is not None else path}:
                guard = (
                    guard_of(one, facts.place) if writes or "/dev/tcp" in one or "/dev/udp" in one else None
                )
                if is_secret(one, facts.place) or guard not in (None, Guarded.SYSTEM):
                    return text
    return None


_COPIES_DESCRIPTOR = re.compile(r"\d*-?")


def _redirect(
    redirect: Redirect, facts: CommandFacts, rules: RuleSet, danger: DangerList
) -> list[Rule] | Verdict:
    target = literal(redirect.target, facts.place.home)
    if (
        redirect.operator in (">&", "<&")
        and target is not None
        and _COPIES_DESCRIPTOR.fullmatch(target)
        and target
    ):
        return []
    if target == "/dev/null":
        return []
    if target is None or redirect.operator not in (">", ">>", ">|", "&>", "&>>", ">&"):
        return _ask(f"{redirect.operator}{redirect.target} reads or opens a file by itself", "redirection")
    if ".." in dropwhile(lambda part: part in ("", ".", ".."), target.split("/")):
        # Behind a link ".." leads elsewhere than the text says.
        return _ask(f"{redirect.operator}{redirect.target} goes up in the middle of a path", "redirection")
    path = absolute(target, facts.place.cwd)
    verdict = _write(WriteFacts("write_file", target, facts.place, facts.paths.get(path)), rules, danger)
    if verdict.kind is VerdictKind.ALLOW:
        rule = _rule_for(path, facts.place, rules, "write_file")
        return [rule] if rule is not None else []
    return _ask(f"{redirect.operator} writes to {target!r}: {verdict.why}", "redirection")


# --- files ------------------------------------------------------------------------------------


def _paths(facts: WriteFacts) -> tuple[str, ...]:
    path = absolute(facts.path, facts.place.cwd)
    return (path,) if facts.disk is None or facts.disk.real == path else (path, facts.disk.real)


def _guards(facts: WriteFacts) -> tuple[Guarded, ...]:
    return tuple(guard for path in _paths(facts) if (guard := guard_of(path, facts.place)) is not None)


def _rule_for(path: str, place: Place, rules: RuleSet, tool: str) -> Rule | None:
    rule = rules.for_path(tool, path, place)
    if rule is None and place.real_home and path.startswith(place.real_home + "/"):
        # The home folder itself may be a link; rules name it the way people do.
        return rules.for_path(tool, place.home + path[len(place.real_home) :], place)
    return rule


def _write(facts: WriteFacts, rules: RuleSet, danger: DangerList) -> Verdict:
    if not facts.path or odd_characters(facts.path) or "\n" in facts.path or "\t" in facts.path:
        return _ask("the path is empty or holds invisible or control characters", "odd-path")
    guards = _guards(facts)
    if guards:
        return _ask(f"{facts.path!r} is a place that no rule covers ({guards[0]})", f"guarded:{guards[0]}")
    hit = next(iter(danger.hits(facts.content.inside)), None) if facts.content is not None else None
    if hit is not None:
        return _ask(f"the content would run {hit.found!r} ({hit.entry})", f"content:{hit.entry}")
    if facts.two_readings or facts.disk is None or facts.disk.is_dir or facts.disk.links > 1:
        return _ask(
            f"{facts.path!r} is a folder, has a second name or could not be looked at", "unclear-path"
        )
    found = [_rule_for(path, facts.place, rules, facts.tool) for path in _paths(facts)]
    covering = [rule for rule in found if rule is not None]
    if len(covering) < len(found):
        why = "leads through a link to a place that no rule covers" if covering else "is covered by no rule"
        return _ask(f"{facts.path!r} {why}", "no-rule")
    return _allow(covering)
