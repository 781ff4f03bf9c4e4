"""Wordings of rules, of the danger list and of decisions."""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from jarvis_desktop.core.items.audit import AuditEntry, Outcome
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import AnsweredBy, Verdict, VerdictKind
from jarvis_desktop.core.items.rule_facts import HeldRule, RuleFile
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.wording import reason
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import Care, visible


def time_text(at: datetime | None) -> str:
    """A time as people read it here; a dash for none."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}" if at else "–"


def exact_time(at: datetime) -> str:
    """A time to the second."""
    return f"{at.astimezone():%Y-%m-%d %H:%M:%S}"


def line_text(line: RuleLine) -> str:
    """A rule as its file says it, safe to look at."""
    return visible(f"{line.tool}: {line.pattern}", Care.COMMAND)


def place_text(rule: Rule) -> str:
    """Where a rule stands."""
    return f"{visible(rule.file, Care.COMMAND)}:{rule.number}"


def file_text(file: RuleFile, texts: Texts) -> str:
    """A rule file with whose rules it holds."""
    name = visible(file.file, Care.COMMAND)
    if not file.agent:
        return texts("{file} (every agent)").format(file=name)
    return texts("{file} (agent {agent})").format(file=name, agent=visible(file.agent, Care.COMMAND))


def since_text(held: HeldRule, texts: Texts) -> str:
    """When a rule was made, and how."""
    return time_text(held.use.made_at) if held.use.made_at else texts("by hand")


def origin_text(held: HeldRule, texts: Texts) -> str:
    """Where a rule comes from, in a sentence."""
    place = texts("It stands in {file}, line {line}.").format(
        file=visible(held.rule.file, Care.COMMAND), line=held.rule.number
    )
    if held.use.made_at is None:
        return texts("Written by hand, or before decisions were kept.") + " " + place
    made = texts("Saved by “Always allow” on {time}.").format(time=time_text(held.use.made_at))
    return f"{made} {place}"


def outcome_text(outcome: Outcome, texts: Texts) -> str:
    """What was decided."""
    return {
        Outcome.ALLOWED: texts("allowed"),
        Outcome.ALWAYS: texts("always allowed"),
        Outcome.DENIED: texts("denied"),
        Outcome.TIMED_OUT: texts("no answer in time"),
        Outcome.BLOCKED: texts("blocked"),
    }[outcome]


def by_text(by: AnsweredBy, texts: Texts) -> str:
    """Who or what decided."""
    return {
        AnsweredBy.WINDOW: texts("in a window"),
        AnsweredBy.VOICE: texts("by voice"),
        AnsweredBy.NOTIFICATION: texts("in a notification"),
        AnsweredBy.CONSOLE: texts("in a terminal"),
        AnsweredBy.NOBODY: texts("nobody was there"),
        AnsweredBy.RULE: texts("rules"),
        AnsweredBy.TIMER: texts("the time ran out"),
    }[by]


def result_text(status: ResultStatus | None, texts: Texts) -> str:
    """How the call ended."""
    if status is None:
        return texts("It did not run, or no end of it is known.")
    if status is ResultStatus.OK:
        return texts("It ran without an error.")
    return texts("It ended with: {status}.").format(status=status.value)


def entry_reason(entry: AuditEntry, texts: Texts) -> str:
    """Why a call was allowed, asked about or blocked."""
    return visible(reason(Verdict(entry.ground.verdict, "", entry.ground.source), texts), Care.COMMAND)


def entry_facts(entry: AuditEntry, texts: Texts) -> str:
    """Everything about a decision but the call itself, a sentence each."""
    said = [
        f"{outcome_text(entry.outcome, texts)} · {by_text(entry.ground.by, texts)} · {exact_time(entry.at)}",
        entry_reason(entry, texts),
    ]
    said += [
        texts("This decision made the rule {rule}.").format(rule=line_text(line))
        for line in entry.ground.saved
    ]
    said.append(result_text(entry.result.status if entry.result else None, texts))
    return "\n".join(said)


def verdict_text(kind: VerdictKind, texts: Texts) -> str:
    """What would happen to a call."""
    return {
        VerdictKind.ALLOW: texts("Runs without asking"),
        VerdictKind.ASK: texts("Asks you"),
        VerdictKind.BLOCK: texts("Refused without asking"),
    }[kind]


def source_text(source: str, texts: Texts) -> str:
    """What decided, by its name; empty where the reason has said it all."""
    kind, _, what = source.partition(":")
    if kind == "danger" and what in DETECTORS:
        return texts("From the danger list: {name}").format(name=what)
    return ""


DETECTORS: Mapping[str, Callable[[Texts], str]] = MappingProxyType(
    {
        "recursive-delete": lambda texts: texts("Deleting a whole system, home or working folder"),
        "recursive-permissions": lambda texts: texts(
            "Changing the permissions of a whole system, home or working folder"
        ),
        "privilege": lambda texts: texts("Running with other rights: sudo, su, doas, pkexec"),
        "download-to-interpreter": lambda texts: texts("Running a program straight from the network"),
        "disk-write": lambda texts: texts("Writing over a disk"),
        "format": lambda texts: texts("Making or wiping a file system"),
        "power": lambda texts: texts("Switching off or restarting this computer"),
        "fork-bomb": lambda texts: texts("Programs that start themselves over and over"),
        "rule-files": lambda texts: texts("Changing the approval rules. This one is always on."),
    }
)
ALWAYS_ON = "rule-files"
