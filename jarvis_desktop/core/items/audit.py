"""Lines of the audit log: what was decided about a tool call, by whom, and what came of it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import AnsweredBy, VerdictKind
from jarvis_desktop.core.items.ids import AgentId, AuditId, CallId, QuestionId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.rules import Rule, RuleLine

FORGOTTEN = "[forgotten]"
"""Stands where the text was that a person told Jarvis to forget."""


class Outcome(StrEnum):
    """What was decided."""

    ALLOWED = "allowed"
    """For this once, or by a rule."""
    WITH_DESKTOP = "with_desktop"
    """For this once, and it was lent the desktop."""
    ALWAYS = "always"
    """Allowed, and a rule was made of it; ``AuditEntry.saved`` is empty where saving failed."""
    DENIED = "denied"
    TIMED_OUT = "timed_out"
    BLOCKED = "blocked"
    """The danger list refused it; nobody was asked."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The call that a decision is about, and where it came from."""

    session_id: SessionId
    turn_id: TurnId
    agent_id: AgentId
    call_id: CallId
    tool: str
    digest: str
    shown: str
    """The command, path or change that was decided about; kept in the database, never in a log."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The rule or the answer behind a decision."""

    verdict: VerdictKind
    source: str
    """What the verdict rests on: rule, detector, ``no-rule`` …"""
    rules: tuple[Rule, ...] = ()
    """The rules that covered the call."""
    by: AnsweredBy = AnsweredBy.RULE
    question_id: QuestionId | None = None
    window_id: WindowId | None = None
    saved: tuple[RuleLine, ...] = ()
    """The rules that the answer made."""


@dataclass(frozen=True, slots=True)
class AuditResult:
    """How an allowed call ended."""

    at: datetime
    status: ResultStatus


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One decision. Entries are only ever added."""

    entry_id: AuditId
    at: datetime
    subject: Subject
    outcome: Outcome
    ground: Ground
    result: AuditResult | None = None
    """None while the call runs, when it was not allowed, and when the program ended under it."""
