"""What the settings window asks about rules, danger list and decisions, and what it is told."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from jarvis_desktop.core.items.audit import AuditEntry
from jarvis_desktop.core.items.decisions import Verdict
from jarvis_desktop.core.items.rule_facts import AuditFilter, Layer, RuleFacts, TextProblem
from jarvis_desktop.core.items.rules import Rule, RuleLine

# --- events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RulesLooked:
    """The rules were looked at; the answer to ``LookAtRules``, and told after every change."""

    facts: RuleFacts


@dataclass(frozen=True, slots=True)
class RuleRevoked:
    """A rule no longer counts."""

    rule: Rule
    undo_id: str


@dataclass(frozen=True, slots=True)
class RuleRestored:
    """A rule that was revoked counts again."""

    rule: Rule
    undo_id: str


@dataclass(frozen=True, slots=True)
class RulePreviewed:
    """What a rule would mean."""

    number: int
    passes: tuple[str, ...]
    asks: tuple[str, ...]
    warnings: tuple[str, ...]
    """What a person must know before saving it, in the app's language."""
    never_allows: bool


@dataclass(frozen=True, slots=True)
class RuleAdded:
    """A rule that was added by form counts from now on."""

    line: RuleLine
    file: str
    is_new: bool
    """False: the file held it already, and was left alone."""


@dataclass(frozen=True, slots=True)
class RuleFileRead:
    """The text of a rule file as it is on disk; also the answer to a save that met another text there."""

    file: str
    text: str
    digest: str
    """Empty while there is no such file."""


@dataclass(frozen=True, slots=True)
class RuleTextChecked:
    """What is wrong with a text that is being written."""

    number: int
    problems: tuple[TextProblem, ...]


@dataclass(frozen=True, slots=True)
class RuleTextSaved:
    """The text is in the file."""

    file: str
    digest: str


class RuleWish(StrEnum):
    """What could not be done."""

    LOOK = "look"
    REVOKE = "revoke"
    UNDO = "undo"
    ADD = "add"
    READ = "read"
    SAVE = "save"
    AUDIT = "audit"
    EXPORT = "export"


@dataclass(frozen=True, slots=True)
class RuleWishRefused:
    """Something could not be done; the files are as they were."""

    wish: RuleWish
    reason: str
    """What happened and what to do, in the app's language."""


@dataclass(frozen=True, slots=True)
class CallTried:
    """What would happen to a call now. Nothing was run."""

    number: int
    verdict: Verdict
    reason: str
    """In the app's language."""


@dataclass(frozen=True, slots=True)
class DangerTried:
    """What an entry of the danger list would do."""

    number: int
    problem: str
    """Why it cannot be an entry; empty when it can."""
    found: str
    """The part of the text that it matches; empty when it matches nothing."""


@dataclass(frozen=True, slots=True)
class AuditLooked:
    """A page of decisions, newest first."""

    number: int
    entries: tuple[AuditEntry, ...]
    after: int | None
    """Hand this back to ``LookAtAudit`` for the older ones; None when there are none."""
    total: int
    """All that pass the filter."""
    tools: tuple[str, ...]
    """Tools that decisions were made about."""


@dataclass(frozen=True, slots=True)
class AuditExported:
    """Decisions are in a file, one JSON object a line."""

    path: str
    count: int


RuleEvent: TypeAlias = (
    RulesLooked
    | RuleRevoked
    | RuleRestored
    | RulePreviewed
    | RuleAdded
    | RuleFileRead
    | RuleTextChecked
    | RuleTextSaved
    | RuleWishRefused
    | CallTried
    | DangerTried
    | AuditLooked
    | AuditExported
)

# --- commands --------------------------------------------------------------------------------


class RuleOrder:
    """What every command to the rules' desk is."""

    __slots__ = ()


class TextOrder(RuleOrder):
    """What the window's editor asks for; it is about a file, which may be that of the settings."""

    __slots__ = ()
    file: str


@dataclass(frozen=True, slots=True)
class LookAtRules(RuleOrder):
    """Look at the rules and tell by ``RulesLooked``."""


@dataclass(frozen=True, slots=True)
class RevokeRule(RuleOrder):
    """Forget a rule at once."""

    rule: Rule


@dataclass(frozen=True, slots=True)
class UndoRevoke(RuleOrder):
    """Put a revoked rule back where it was."""

    undo_id: str


@dataclass(frozen=True, slots=True)
class PreviewRule(RuleOrder):
    """Tell by ``RulePreviewed`` what a rule would mean."""

    number: int
    """Comes back with the answer, so that a late answer is known as such."""
    line: RuleLine


@dataclass(frozen=True, slots=True)
class AddRule(RuleOrder):
    """Remember a rule that a person wrote."""

    line: RuleLine
    layer: Layer


@dataclass(frozen=True, slots=True)
class ReadRuleFile(TextOrder):
    """Tell the text of a rule file."""

    file: str


@dataclass(frozen=True, slots=True)
class CheckRuleText(TextOrder):
    """Tell what is wrong with a text."""

    number: int
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class SaveRuleText(TextOrder):
    """Write a rule file, if it is still what was read."""

    file: str
    text: str
    digest: str
    """Of what was read. Another content on disk is not written over; it comes as ``RuleFileRead``."""


@dataclass(frozen=True, slots=True)
class TryCall(RuleOrder):
    """Tell what would happen to a call, without running it."""

    number: int
    tool: str
    text: str
    """The command, or the path for tools that work on files."""
    folder: str
    """Where it would run; empty: where commands usually run."""


@dataclass(frozen=True, slots=True)
class TryDanger(RuleOrder):
    """Tell what an entry of the danger list would do to a command."""

    number: int
    entry: str
    text: str


@dataclass(frozen=True, slots=True)
class LookAtAudit(RuleOrder):
    """Tell a page of decisions."""

    number: int
    wanted: AuditFilter
    after: int | None = None
    """Where the page before ended; None: from the newest on."""


@dataclass(frozen=True, slots=True)
class ExportAudit(RuleOrder):
    """Write every decision that passes the filter into a file, one JSON object a line, oldest first."""

    wanted: AuditFilter
    path: str


RuleCommand: TypeAlias = (
    LookAtRules
    | RevokeRule
    | UndoRevoke
    | PreviewRule
    | AddRule
    | ReadRuleFile
    | CheckRuleText
    | SaveRuleText
    | TryCall
    | TryDanger
    | LookAtAudit
    | ExportAudit
)
TextCommand: TypeAlias = ReadRuleFile | CheckRuleText | SaveRuleText
