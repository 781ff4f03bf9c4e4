"""Which entry each decision leaves in the audit log."""

from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest

from jarvis_desktop.core.items.audit import AuditEntry, AuditResult, Ground, Outcome, Subject
from jarvis_desktop.core.items.calls import ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.decisions import (
    Allowed,
    Answer,
    AnsweredBy,
    Basis,
    Decision,
    Denied,
    QuestionEnd,
    Settled,
    TimedOut,
    Verdict,
    VerdictKind,
)
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.ids import AuditId, CallId, QuestionId, WindowId
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.turn.audit_trail import AuditTrail
from tests.fakes.allow import allow
from tests.fakes.audit import GIT_RULE, FakeAudit
from tests.fakes.clock import START, FakeClock
from tests.unit.policy.asking import CALL, REQUEST

ASK = Verdict(VerdictKind.ASK, "no rule covers it", "no-rule")
BY_RULE = Verdict(VerdictKind.ALLOW, "covered", "rule:x", (GIT_RULE,))
BLOCK = Verdict(VerdictKind.BLOCK, "dangerous", "danger:power")
SUBJECT = Subject(
    REQUEST.session_id, REQUEST.turn_id, REQUEST.agent_id, CALL.call_id, "bash", digest="d1", shown="ls"
)
OK = ToolResult(CALL.call_id, "bash", "out")


def basis(verdict: Verdict, settled: Settled | None = None, *saved: RuleLine) -> Basis:
    return Basis(verdict, "ls", "d1", settled, saved)


def allowed(why: Basis | None) -> Allowed:
    return Allowed(allow(), "", why)


def settled(answer: Answer | None, by: AnsweredBy, end: QuestionEnd = QuestionEnd.ANSWERED) -> Settled:
    return Settled(QuestionId("q1"), end, answer, by, WindowId("w1") if by is AnsweredBy.WINDOW else None)


class Book:
    """A trail on a fake clock; entries are numbered a1, a2 …"""

    def __init__(self) -> None:
        numbers = count(1)
        self.clock = FakeClock()
        self.log = FakeAudit()
        self.trail = AuditTrail(self.log, self.clock, lambda: f"a{next(numbers)}")

    async def entry(self, decision: Decision) -> AuditEntry:
        await self.trail.decided(CALL, decision, REQUEST)
        (entry,) = self.log.kept.values()
        return entry


WINDOW = AnsweredBy.WINDOW
CASES: list[tuple[Decision, Outcome, Ground]] = [
    (
        allowed(basis(BY_RULE)),
        Outcome.ALLOWED,
        Ground(VerdictKind.ALLOW, "rule:x", (GIT_RULE,), AnsweredBy.RULE),
    ),
    (
        allowed(basis(ASK, settled(Answer.ALLOW, WINDOW))),
        Outcome.ALLOWED,
        Ground(VerdictKind.ASK, "no-rule", (), WINDOW, QuestionId("q1"), WindowId("w1")),
    ),
    (
        allowed(basis(ASK, replace(settled(Answer.ALLOW, WINDOW), desktop=True))),
        Outcome.WITH_DESKTOP,
        Ground(VerdictKind.ASK, "no-rule", (), WINDOW, QuestionId("q1"), WindowId("w1")),
    ),
    (
        allowed(basis(ASK, settled(Answer.ALWAYS, WINDOW), RuleLine("bash", "ls"))),
        Outcome.ALWAYS,
        Ground(
            VerdictKind.ASK,
            "no-rule",
            (),
            WINDOW,
            QuestionId("q1"),
            WindowId("w1"),
            (RuleLine("bash", "ls"),),
        ),
    ),
    (
        Denied(WINDOW, "no", basis(ASK, settled(Answer.DENY, WINDOW))),
        Outcome.DENIED,
        Ground(VerdictKind.ASK, "no-rule", (), WINDOW, QuestionId("q1"), WindowId("w1")),
    ),
    (
        Denied(
            AnsweredBy.NOBODY,
            "nobody",
            basis(ASK, settled(None, AnsweredBy.NOBODY, QuestionEnd.WITHDRAWN)),
        ),
        Outcome.DENIED,
        Ground(VerdictKind.ASK, "no-rule", (), AnsweredBy.NOBODY, QuestionId("q1")),
    ),
    (
        TimedOut(120.0, basis(ASK, settled(None, AnsweredBy.TIMER, QuestionEnd.EXPIRED))),
        Outcome.TIMED_OUT,
        Ground(VerdictKind.ASK, "no-rule", (), AnsweredBy.TIMER, QuestionId("q1")),
    ),
    (
        Denied(AnsweredBy.RULE, "dangerous", basis(BLOCK)),
        Outcome.BLOCKED,
        Ground(VerdictKind.BLOCK, "danger:power", (), AnsweredBy.RULE),
    ),
]


@pytest.mark.parametrize(("decision", "outcome", "ground"), CASES)
async def test_every_decision_leads_to_the_rule_or_answer_behind_it(
    decision: Decision, outcome: Outcome, ground: Ground
) -> None:
    assert await Book().entry(decision) == AuditEntry(AuditId("a1"), START, SUBJECT, outcome, ground)


async def test_the_result_of_an_allowed_call_follows_once() -> None:
    book = Book()
    await book.entry(allowed(basis(BY_RULE)))
    await book.clock.advance(3)
    await book.trail.finished(CALL, OK)
    await book.trail.finished(CALL, OK)
    (entry,) = book.log.kept.values()
    assert entry.result == AuditResult(START + timedelta(seconds=3), ResultStatus.OK)


async def test_a_refused_call_has_no_result_and_one_that_nobody_decided_has_no_entry() -> None:
    book = Book()
    entry = await book.entry(Denied(WINDOW, "no", basis(ASK, settled(Answer.DENY, WINDOW))))
    await book.trail.finished(CALL, OK)
    await book.trail.finished(ToolCall(CallId("c2"), "read_file"), OK)
    await book.trail.decided(CALL, allowed(None), REQUEST)
    assert list(book.log.kept.values()) == [entry]


async def test_a_call_that_was_allowed_again_keeps_both_decisions() -> None:
    book = Book()
    await book.entry(allowed(basis(ASK, settled(Answer.ALLOW, WINDOW))))
    await book.trail.decided(CALL, allowed(basis(ASK, settled(Answer.ALLOW, WINDOW))), REQUEST)
    await book.trail.finished(CALL, OK)
    first, second = book.log.kept.values()
    assert (first.result, second.result) == (None, AuditResult(START, ResultStatus.OK))


async def test_a_disk_that_refuses_stops_a_call_before_it_runs_and_not_one_that_ran() -> None:
    book = Book()
    await book.entry(allowed(basis(BY_RULE)))
    book.log.fault = StorageError("disk full")
    await book.trail.finished(CALL, OK)
    with pytest.raises(StorageError):
        await book.trail.decided(CALL, allowed(basis(BY_RULE)), REQUEST)
