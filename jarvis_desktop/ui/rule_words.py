"""Wordings of rules, of the danger list and of decisions."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from jarvis_desktop.core.items.audit import FORGOTTEN, AuditEntry, Outcome
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


def day_text(at: datetime | None) -> str:
    """A day as people read it here; a dash for none."""
    return f"{at.astimezone():%Y-%m-%d}" if at else "–"


def short_time(at: datetime) -> str:
    """A time for a narrow column: without the year, which the newest entries share."""
    return f"{at.astimezone():%m-%d %H:%M}"


def exact_time(at: datetime) -> str:
    """A time to the second."""
    return f"{at.astimezone():%Y-%m-%d %H:%M:%S}"


def shown_text(entry: AuditEntry, texts: Texts) -> str:
    """What was decided about, or that a person had it forgotten."""
    shown = entry.subject.shown
    return texts("(forgotten: you had this text deleted)") if shown == FORGOTTEN else shown


def line_text(line: RuleLine) -> str:
    """A rule as its file says it, safe to look at."""
    return visible(f"{line.tool}: {line.pattern}", Care.COMMAND)


def layer_text(rule: Rule, texts: Texts) -> str:
    """For whom a rule counts."""
    agent = rule.file.removeprefix("approvals/").removesuffix(".yaml")
    return texts("every agent") if "/" not in rule.file else visible(agent, Care.COMMAND)


def file_text(file: RuleFile, texts: Texts) -> str:
    """A rule file with whose rules it holds."""
    name = visible(file.file, Care.COMMAND)
    if not file.agent:
        return texts("{file} (every agent)").format(file=name)
    return texts("{file} (agent {agent})").format(file=name, agent=visible(file.agent, Care.COMMAND))


def since_text(held: HeldRule, texts: Texts) -> str:
    """When a rule was made, and how."""
    return day_text(held.use.made_at) if held.use.made_at else texts("by hand")


def origin_text(held: HeldRule, texts: Texts) -> str:
    """Where a rule comes from, in a sentence."""
    place = texts("It stands in {file}, line {line}.").format(
        file=visible(held.rule.file, Care.COMMAND), line=held.rule.number
    )
    used = ""
    if held.use.used_at is not None:
        used = " " + texts("Last used on {time}.").format(time=time_text(held.use.used_at))
    if held.use.made_at is None:
        return texts("Written by hand, or before decisions were kept.") + f" {place}{used}"
    made = texts("Saved by “Always allow” on {time}.").format(time=time_text(held.use.made_at))
    return f"{made} {place}{used}"


def outcome_text(outcome: Outcome, texts: Texts) -> str:
    """What was decided."""
    return {
        Outcome.ALLOWED: texts("allowed"),
        Outcome.WITH_DESKTOP: texts("allowed, with the desktop"),
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
        "recursive-permissions": lambda texts: texts("Changing the permissions of such a folder"),
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


def danger_problem(problem: str, texts: Texts) -> str:
    """Why an entry of the danger list means nothing. The list's own words are English, for the log."""
    for pattern, wording in _PROBLEMS:
        match = re.fullmatch(pattern, problem, re.DOTALL)
        if match is not None:
            return visible(wording(texts).format(*match.groups()), Care.COMMAND)
    return visible(problem, Care.COMMAND)


_PROBLEMS: tuple[tuple[str, Callable[[Texts], str]], ...] = (
    (r"an entry is empty.*", lambda texts: texts("An empty entry would match every command")),
    (r"(.*) matches every command", lambda texts: texts("{0} matches every command")),
    (
        r"(.*) is longer than (\d+) characters",
        lambda texts: texts("{0} is longer than {1} characters"),
    ),
    (
        r"(.*) is neither the name of a detector nor a regular expression: (.*)",
        lambda texts: texts("{0} is no regular expression ({1})"),
    ),
)
