"""Events and questions that tests of front ends show."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.decisions import (
    Answer,
    AnsweredBy,
    Question,
    QuestionEnd,
    RuleOffer,
    Settled,
    Shown,
    Verdict,
    VerdictKind,
)
from jarvis_desktop.core.items.events import QuestionSettled, TurnStarted
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, QuestionId, SessionId, TurnId
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.turn import Origin

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
SESSION = SessionId("session")
TURN = TurnId("turn")

QUESTION = Question(
    question_id=QuestionId("question"),
    session_id=SESSION,
    turn_id=TURN,
    agent_id=MAIN_AGENT,
    call=ToolCall(CallId("call"), "bash", {"command": "git status"}),
    shown=Shown.COMMAND,
    detail="git status",
    cwd=Path("/srv/project"),
    why=Verdict(VerdictKind.ASK, "no rule covers it", "no-rule"),
    digest="digest-of-git-status",
    asked_at=NOW,
    deadline_at=NOW + timedelta(seconds=120),
    spoken=False,
)


OFFER = RuleOffer(
    lines=(RuleLine("bash", "git status"),),
    file="approvals/main.yaml",
    passes=("git status", "git status --help", "git status README.md"),
    asks=("git something-else", "git status && rm notes.txt", "git status > notes.txt"),
    project_decides=False,
)
OFFERED = replace(QUESTION, offer=OFFER)
"""The same question where ALWAYS is offered."""


def asks(detail: str, shown: Shown = Shown.COMMAND) -> Question:
    """A question about ``detail``."""
    return replace(QUESTION, detail=detail, shown=shown)


def settled(question: Question = QUESTION, answer: Answer | None = Answer.ALLOW) -> QuestionSettled:
    """That question, closed."""
    end = QuestionEnd.ANSWERED if answer is not None else QuestionEnd.EXPIRED
    by = AnsweredBy.WINDOW if answer is not None else AnsweredBy.TIMER
    return QuestionSettled(question, Settled(question.question_id, end, answer, by))


def started(text: str = "hello", turn_id: TurnId = TURN) -> TurnStarted:
    """A turn that began."""
    return TurnStarted(turn_id, SESSION, text, Origin.TYPED, NOW)
