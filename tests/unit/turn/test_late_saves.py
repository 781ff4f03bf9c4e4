"""A rule that was saved by a second spoken yes can be read in the audit log and the activity list."""

from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from jarvis_desktop.core.items.audit import AuditEntry, Ground, Outcome, Subject
from jarvis_desktop.core.items.decisions import (
    Answer,
    AnsweredBy,
    Question,
    QuestionEnd,
    Saved,
    Settled,
    Shown,
    Verdict,
    VerdictKind,
)
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Event
from jarvis_desktop.core.items.ids import AuditId, QuestionId
from jarvis_desktop.core.turn.audit_trail import AuditTrail
from jarvis_desktop.core.turn.call_reports import CallReports
from jarvis_desktop.core.turn.late_saves import LateSaves
from tests.fakes.audit import GIT, FakeAudit
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts
from tests.unit.policy.asking import CALL, REQUEST

WHY = Verdict(VerdictKind.ASK, "no rule covers it", "no-rule")
QUESTION = Question(
    question_id=QuestionId("q1"),
    session_id=REQUEST.session_id,
    turn_id=REQUEST.turn_id,
    agent_id=REQUEST.agent_id,
    call=CALL,
    shown=Shown.COMMAND,
    detail="ls",
    cwd=REQUEST.cwd,
    why=WHY,
    digest="d1",
    asked_at=START,
    deadline_at=START + timedelta(seconds=120),
    spoken=True,
)
SETTLED = Settled(QuestionId("q1"), QuestionEnd.ANSWERED, Answer.ALLOW, AnsweredBy.VOICE)


@dataclass
class Book:
    """Where late savings are written."""

    log: FakeAudit = field(default_factory=FakeAudit)
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        clock = FakeClock()
        self.saves = LateSaves(
            AuditTrail(self.log, clock, lambda: "a1"), CallReports(clock, PlainTexts(), self._emit)
        )

    async def _emit(self, event: Event) -> None:
        self.events.append(event)

    def noted(self, kind: ActivityKind, text: str) -> bool:
        return self.events == [ActivityNoted(kind, text, START, REQUEST.turn_id)]


async def test_a_rule_saved_by_voice_is_in_the_audit_log_and_the_activity_list() -> None:
    book = Book()
    await book.saves.kept(QUESTION, SETTLED, Saved((GIT,)))
    subject = Subject(
        REQUEST.session_id, REQUEST.turn_id, REQUEST.agent_id, CALL.call_id, "bash", digest="d1", shown="ls"
    )
    ground = Ground(VerdictKind.ASK, "no-rule", (), AnsweredBy.VOICE, QuestionId("q1"), None, (GIT,))
    assert [*book.log.kept.values()] == [AuditEntry(AuditId("a1"), START, subject, Outcome.ALWAYS, ground)]
    assert book.noted(ActivityKind.APPROVAL, "⚡ approval · bash · always · voice")


async def test_a_rule_that_could_not_be_saved_is_said_with_the_reason_and_not_logged_as_made() -> None:
    book = Book()
    await book.saves.kept(QUESTION, SETTLED, Saved(problem="The disk is full."))
    assert book.log.kept == {}
    told = "The rule that bash was allowed by voice for could not be saved. The disk is full."
    assert book.noted(ActivityKind.TROUBLE, told)


async def test_a_full_disk_of_the_log_hides_no_rule(caplog: pytest.LogCaptureFixture) -> None:
    book = Book()
    book.log.fault = StorageError("full")
    await book.saves.kept(QUESTION, SETTLED, Saved((GIT,)))
    assert book.noted(ActivityKind.APPROVAL, "⚡ approval · bash · always · voice")
    assert [record.message for record in caplog.records] == ["a saved rule is not in the audit log"]
