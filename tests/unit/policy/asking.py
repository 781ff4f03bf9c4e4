"""Requests, calls and a broker whose events are kept, for tests of asking."""

from dataclasses import replace
from itertools import count
from pathlib import Path

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.commands import AnswerQuestion
from jarvis_desktop.core.items.decisions import (
    Answer,
    AnsweredBy,
    Question,
    QuestionEnd,
    Settled,
    Shown,
    Verdict,
    VerdictKind,
)
from jarvis_desktop.core.items.events import AnswerRefused, Event, QuestionAsked, QuestionSettled
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, QuestionId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnRequest
from jarvis_desktop.core.policy.broker import Asking, Broker
from tests.fakes.clock import START, FakeClock

A, B = WindowId("a"), WindowId("b")
CALL = ToolCall(CallId("c1"), "bash", {"command": "ls"})
REQUEST = TurnRequest(
    TurnId("t1"),
    SessionId("s1"),
    MAIN_AGENT,
    "run ls",
    Origin.TYPED,
    Language.ENGLISH,
    Path("/home/u/Jarvis"),
    START,
)
WHY = Verdict(VerdictKind.ASK, "bash needs approval", "no-rule")
ASKING = Asking(CALL, REQUEST, Shown.COMMAND, "ls", WHY, "d1")


class Desk:
    """A broker on a fake clock; questions are numbered q1, q2 …"""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.events: list[Event] = []
        numbers = count(1)
        self.broker = Broker(self.clock, self.emit, lambda: f"q{next(numbers)}")

    async def emit(self, event: Event) -> None:
        self.events.append(event)

    @property
    def asked(self) -> list[tuple[str, WindowId | None]]:
        return [(e.question.question_id, e.window_id) for e in self.events if isinstance(e, QuestionAsked)]

    @property
    def settled(self) -> list[Settled]:
        return [e.settled for e in self.events if isinstance(e, QuestionSettled)]

    @property
    def refused(self) -> list[AnswerRefused]:
        return [e for e in self.events if isinstance(e, AnswerRefused)]

    def question(self) -> Question:
        shown = self.broker.shown
        assert shown is not None
        return shown


def asking(digest: str) -> Asking:
    return replace(ASKING, digest=digest)


def answer(
    kind: Answer = Answer.ALLOW,
    question: str = "q1",
    digest: str = "d1",
    window: WindowId = A,
    by: AnsweredBy = AnsweredBy.WINDOW,
) -> AnswerQuestion:
    return AnswerQuestion(QuestionId(question), digest, kind, by, window)


def answered(kind: Answer, window: WindowId = A, question: str = "q1") -> Settled:
    return Settled(QuestionId(question), QuestionEnd.ANSWERED, kind, AnsweredBy.WINDOW, window)


def expired(question: str = "q1") -> Settled:
    return Settled(QuestionId(question), QuestionEnd.EXPIRED, None, AnsweredBy.TIMER)


def withdrawn(question: str = "q1") -> Settled:
    return Settled(QuestionId(question), QuestionEnd.WITHDRAWN, None, AnsweredBy.NOBODY)
