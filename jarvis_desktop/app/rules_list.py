"""``rules list`` and ``rules revoke``: what is remembered, since when, used how often; and forgetting it."""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.adapters.rule_text import RuleProblem
from jarvis_desktop.adapters.sqlite_audit import stored_entries
from jarvis_desktop.app.cli_home import cli_home
from jarvis_desktop.app.options import DATABASE_NAME
from jarvis_desktop.app.rule_uses import RuleUses
from jarvis_desktop.app.rules_cmd import rule_json
from jarvis_desktop.core.items.audit import AuditEntry
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.rule_facts import RuleUse
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.policy.rules import Weakness, weakness_of
from jarvis_desktop.core.policy.wording import weakness_text
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import Care, visible


@dataclass(frozen=True, slots=True)
class Listed:
    """One remembered rule."""

    number: int
    """As ``rules revoke`` takes it, from 1."""
    rule: Rule
    weakness: Weakness | None
    """Why it never allows anything."""
    use: RuleUse


def remembered(files: RuleFiles, entries: Iterable[AuditEntry] = ()) -> tuple[Listed, ...]:
    """Every rule of every agent, the shared ones first."""
    uses = RuleUses(entries)
    return tuple(
        Listed(number, rule, weakness_of(rule.line), uses.of(rule))
        for number, rule in enumerate(all_rules(files)[0], 1)
    )


def all_rules(files: RuleFiles) -> tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]:
    """Every rule of every agent, the shared ones first, and what is wrong in their files."""
    rules: dict[Rule, None] = {}
    problems: dict[RuleProblem, None] = {}
    for agent_id in (MAIN_AGENT, *files.agents()):
        loaded = files.load(agent_id)
        rules.update(dict.fromkeys(loaded.rules.rules))
        problems.update(dict.fromkeys(loaded.problems))
    return tuple(sorted(rules, key=lambda rule: ("/" in rule.file, rule.file, rule.number))), tuple(problems)


def list_rules(*, as_json: bool) -> int:
    """Print every remembered rule; the exit status comes back."""
    home = cli_home()
    texts, files = home.texts, RuleFiles(home.folder)
    listed = remembered(files, stored_entries(home.folder / DATABASE_NAME, None, texts))
    if as_json:
        for one in listed:
            _say(json.dumps(_as_json(one)))
        return 0
    if not listed:
        _say(texts("No rules are remembered."))
    for one in listed:
        _say(_row(one, texts))
    weak = {(one.rule.file, one.rule.number) for one in listed if one.weakness}
    for problem in all_rules(files)[1]:
        if (problem.file, problem.line) not in weak:
            _say(texts("Does not count: {problem}").format(problem=visible(str(problem), Care.COMMAND)))
    return 0


def revoke_rule(wanted: str) -> int:
    """Forget the rule with that number or that exact line; the exit status comes back.

    Raises:
        RuleFileError: its file cannot be written; it is as it was.
    """
    home = cli_home()
    texts, files = home.texts, RuleFiles(home.folder)
    found = _matching(remembered(files), wanted.strip())
    if len(found) != 1:
        text = (
            texts("Several rules read like that; give the number of one of them:")
            if found
            else texts('There is no rule "{rule}". See "jarvis-desktop rules list".').format(
                rule=visible(wanted, Care.COMMAND)
            )
        )
        print(text, *(_headline(one) for one in found), sep="\n", file=sys.stderr)  # noqa: T201 - the command line speaks here
        return 1
    files.revoke(found[0].rule)
    _say(texts("Forgotten: {rule}").format(rule=visible(str(found[0].rule), Care.COMMAND)))
    return 0


def _matching(listed: Sequence[Listed], wanted: str) -> list[Listed]:
    if wanted.isascii() and wanted.isdigit():
        return [one for one in listed if one.number == int(wanted)]
    return [one for one in listed if wanted in (str(one.rule), _line(one.rule))]


def _line(rule: Rule) -> str:
    return f"{rule.line.tool}: {rule.line.pattern}"


def _as_json(one: Listed) -> dict[str, object]:
    use = one.use
    return {
        "number": one.number,
        **rule_json(one.rule),
        "created": use.made_at.isoformat() if use.made_at else None,
        "created_by": use.made_by,
        "last_used": use.used_at.isoformat() if use.used_at else None,
        "count": use.count,
        "weak": one.weakness.value if one.weakness else None,
    }


def _headline(one: Listed) -> str:
    return f"{one.number:>3}  {visible(str(one.rule), Care.COMMAND)}"


def _row(one: Listed, texts: Texts) -> str:
    use = one.use
    made = (
        texts("made {time}").format(time=local_time(use.made_at))
        if use.made_at
        else texts("written by hand, or before the audit log")
    )
    last = (
        texts.plural("used {count} time, last {time}", "used {count} times, last {time}", use.count).format(
            count=use.count, time=local_time(use.used_at)
        )
        if use.used_at
        else texts("never used")
    )
    weak = f"\n     ! {weakness_text(one.weakness, texts)}" if one.weakness else ""
    return f"{_headline(one)}\n     {made} · {last}{weak}"


def local_time(at: datetime) -> str:
    """A time as people read it here."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _say(text: str) -> None:
    print(text)  # noqa: T201 - the answer of the command
