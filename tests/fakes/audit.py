"""An audit log in memory, and entries to put into one."""

from dataclasses import replace
from datetime import datetime
from itertools import count

from jarvis_desktop.core.items.audit import AuditEntry, AuditResult, Ground, Outcome, Subject
from jarvis_desktop.core.items.decisions import AnsweredBy, VerdictKind
from jarvis_desktop.core.items.ids import MAIN_AGENT, AuditId, CallId, QuestionId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.rules import Rule, RuleLine
from tests.fakes.clock import START

GIT = RuleLine("bash", "git status")
GIT_RULE = Rule(GIT, "approvals/main.yaml", 2)
_numbers = count(1)


class FakeAudit:
    """Fills ``AuditLog``."""

    def __init__(self) -> None:
        self.kept: dict[AuditId, AuditEntry] = {}
        self.fault: Exception | None = None
        """Raised by every change while set."""

    async def add(self, entry: AuditEntry) -> None:
        if self.fault:
            raise self.fault
        assert entry.entry_id not in self.kept
        self.kept[entry.entry_id] = entry

    async def add_result(self, entry_id: AuditId, result: AuditResult) -> None:
        if self.fault:
            raise self.fault
        assert self.kept[entry_id].result is None
        self.kept[entry_id] = replace(self.kept[entry_id], result=result)

    async def entries(self, since: datetime | None = None) -> tuple[AuditEntry, ...]:
        return tuple(entry for entry in self.kept.values() if since is None or entry.at >= since)


def subject(shown: str = "git status", tool: str = "bash") -> Subject:
    """A call."""
    return Subject(SessionId("s1"), TurnId("t1"), MAIN_AGENT, CallId("c1"), tool, digest="d1", shown=shown)


def by_person(
    outcome: Outcome = Outcome.ALLOWED, saved: tuple[RuleLine, ...] = (), at: datetime = START
) -> AuditEntry:
    """A question that a person answered in a window."""
    ground = Ground(
        VerdictKind.ASK,
        "no-rule",
        (),
        AnsweredBy.WINDOW,
        QuestionId("q1"),
        WindowId("w1"),
        saved,
    )
    return AuditEntry(AuditId(f"a{next(_numbers)}"), at, subject(), outcome, ground)


def by_rule(rule: Rule = GIT_RULE, at: datetime = START) -> AuditEntry:
    """A call that a rule let through."""
    ground = Ground(VerdictKind.ALLOW, f"rule:{rule}", (rule,))
    return AuditEntry(AuditId(f"a{next(_numbers)}"), at, subject(), Outcome.ALLOWED, ground)
