"""What the settings window shows of rules and decisions."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from jarvis_desktop.core.items.audit import Outcome
from jarvis_desktop.core.items.decisions import AnsweredBy
from jarvis_desktop.core.items.ids import AuditId
from jarvis_desktop.core.items.rules import Rule


@dataclass(frozen=True, slots=True)
class RuleUse:
    """What the audit log knows about one rule."""

    made_at: datetime | None = None
    """When ALWAYS saved it; None for a rule that was written by hand."""
    made_by: AuditId | None = None
    """The decision that made it."""
    used_at: datetime | None = None
    count: int = 0


@dataclass(frozen=True, slots=True)
class HeldRule:
    """One remembered rule."""

    rule: Rule
    use: RuleUse = field(default_factory=RuleUse)
    warning: str = ""
    """Why it never allows anything, in the app's language; empty when it can."""


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A line of a rule file that does not do what a person may expect."""

    line: int
    """From 1; 0 when it concerns the whole file."""
    text: str
    """What was found and what was expected, in the app's language."""
    is_warning: bool = False
    """The line can be read, and never allows anything."""


@dataclass(frozen=True, slots=True)
class RuleFile:
    """One layer of rules."""

    file: str
    """As people write it: ``approvals.yaml``."""
    agent: str
    """Whose rules they are; empty for the file that counts for every agent."""
    digest: str
    """Of its content; empty while there is no such file."""
    problems: tuple[TextProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """Everything that is remembered, looked at together."""

    rules: tuple[HeldRule, ...]
    files: tuple[RuleFile, ...]
    """The shared one first; also files that do not exist yet but could be written."""
    danger: tuple[str, ...]
    """The setting ``security.dangerous_commands``."""
    danger_problems: tuple[str, ...]
    folder: str
    """Where commands run unless a conversation says otherwise."""
    trouble: str = ""
    """Why the use of rules is not known; in the app's language."""


class Layer(StrEnum):
    """For whom a rule that is added counts."""

    SHARED = "shared"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which decisions to show; what is empty does not narrow."""

    tool: str = ""
    outcome: Outcome | None = None
    by: AnsweredBy | None = None
    text: str = ""
    """Anywhere in what was decided about, in any case."""
    within_s: int | None = None
    """Not older than this."""
    rule: Rule | None = None
    """That this rule allowed. Its line number does not matter: it moves when people edit the file."""
    entry_id: AuditId | None = None
