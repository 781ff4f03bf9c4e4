"""What the audit log knows about rules: which decision made one, how often it was used, and when last."""

from collections.abc import Iterable

from jarvis_desktop.adapters.rule_files import AGENT_FOLDER
from jarvis_desktop.core.items.audit import AuditEntry
from jarvis_desktop.core.items.rule_facts import RuleUse
from jarvis_desktop.core.items.rules import Rule


class RuleUses:
    """Grows with the log: each entry is taken once, oldest first."""

    def __init__(self, entries: Iterable[AuditEntry] = ()) -> None:
        self._found: dict[tuple[str, str, str], RuleUse] = {}
        self.take(entries)

    def take(self, entries: Iterable[AuditEntry]) -> None:
        """More of the log."""
        for entry in entries:
            for line in entry.ground.saved:
                file = f"{AGENT_FOLDER}/{entry.subject.agent_id}.yaml"
                self._found[file, line.tool, line.pattern] = RuleUse(entry.at, entry.entry_id)
            for key in {_key(rule) for rule in entry.ground.rules}:
                before = self._found.get(key, RuleUse())
                self._found[key] = RuleUse(before.made_at, before.made_by, entry.at, before.count + 1)

    def of(self, rule: Rule) -> RuleUse:
        """What is known about ``rule``."""
        return self._found.get(_key(rule), RuleUse())


def _key(rule: Rule) -> tuple[str, str, str]:
    # Without the line's number: it moves when a person edits the file.
    return rule.file, rule.line.tool, rule.line.pattern
