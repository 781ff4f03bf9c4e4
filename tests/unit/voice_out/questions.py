"""Questions for tests of the mouth."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from jarvis_desktop.core.items.calls import Json, ToolCall
from jarvis_desktop.core.items.decisions import Question, Shown, Verdict, VerdictKind
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, QuestionId, SessionId, TurnId

ASKED_AT = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


def a_question(
    detail: str,
    *,
    tool: str = "bash",
    arguments: dict[str, Json] | None = None,
    spoken: bool = True,
    turn_id: str = "turn-1",
) -> Question:
    return Question(
        question_id=QuestionId("question-1"),
        session_id=SessionId("session-1"),
        turn_id=TurnId(turn_id),
        agent_id=MAIN_AGENT,
        call=ToolCall(CallId("call-1"), tool, arguments or {"command": detail}),
        shown=Shown.COMMAND if tool == "bash" else Shown.DIFF,
        detail=detail,
        cwd=Path("/home/u/Jarvis"),
        why=Verdict(VerdictKind.ASK, "no rule", "no-rule"),
        digest="d" * 64,
        asked_at=ASKED_AT,
        deadline_at=ASKED_AT + timedelta(seconds=120),
        spoken=spoken,
    )
