"""Tells people what becomes of tool calls: events and activity lines."""

from jarvis_desktop.core.items.calls import ToolCall, ToolResult
from jarvis_desktop.core.items.decisions import (
    Allowed,
    Answer,
    AnsweredBy,
    Decision,
    Denied,
    Question,
    Saved,
    Settled,
    TimedOut,
)
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, ToolCalled, ToolFinished
from jarvis_desktop.core.items.ids import CallId, TurnId
from jarvis_desktop.core.items.room import RoomKind
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.policy.verdict import NO_APPROVAL_NEEDED
from jarvis_desktop.core.ports import Clock, Emit, Texts


class CallReports:
    """The runner's voice towards screen, log and database."""

    def __init__(self, clock: Clock, texts: Texts, emit: Emit) -> None:
        self._clock = clock
        self._texts = texts
        self._emit = emit
        self._began_s: dict[CallId, float] = {}

    async def called(self, call: ToolCall, request: TurnRequest) -> None:
        """The call passed every check and begins."""
        self._began_s[call.call_id] = self._clock.monotonic_s()
        await self._emit(ToolCalled(request.turn_id, call))

    async def finished(self, call: ToolCall, result: ToolResult, request: TurnRequest) -> None:
        """The call is over. Waiting for an answer is not its time; refused ones never began."""
        now_s = self._clock.monotonic_s()
        took_s = now_s - self._began_s.pop(call.call_id, now_s)
        await self._emit(ToolFinished(request.turn_id, call, result, took_s))

    async def decided(self, call: ToolCall, decision: Decision, request: TurnRequest) -> None:
        """One activity line about an approval; none where no approval was needed (T-026, T-028)."""
        if isinstance(decision, Allowed) and decision.why == NO_APPROVAL_NEEDED:
            return
        await self._note(ActivityKind.APPROVAL, self._line(call.name, decision), request.turn_id)
        unsaved = decision.basis.unsaved if decision.basis is not None else ""
        if unsaved:
            line = self._texts("The rule could not be saved, so {tool} was allowed once. {reason}")
            await self._note(
                ActivityKind.TROUBLE, line.format(tool=call.name, reason=unsaved), request.turn_id
            )

    async def saved_later(self, question: Question, settled: Settled, saved: Saved) -> None:
        """One activity line about a rule that was saved, or could not be, after its call was allowed."""
        tool = question.call.name
        if not saved.problem:
            line = self._always(tool, settled.by)
            await self._note(ActivityKind.APPROVAL, line, question.turn_id)
            return
        line = self._texts("The rule that {tool} was allowed by voice for could not be saved. {reason}")
        reason = line.format(tool=tool, reason=saved.problem)
        await self._note(ActivityKind.TROUBLE, reason, question.turn_id)

    def _always(self, tool: str, by: AnsweredBy) -> str:
        return self._texts("⚡ approval · {tool} · always · {road}").format(tool=tool, road=self._road(by))

    async def _note(self, kind: ActivityKind, line: str, turn_id: TurnId) -> None:
        await self._emit(ActivityNoted(kind, line, self._clock.now(), turn_id))

    def _line(self, tool: str, decision: Decision) -> str:
        texts = self._texts
        match decision:
            case Allowed(allow=allow) if _remembered(decision):
                return self._always(tool, allow.by)
            case Allowed(allow=allow) if allow.room.kind is RoomKind.DESKTOP:
                return texts("⚡ approval · {tool} · allowed once, with the desktop · {road}").format(
                    tool=tool, road=self._road(allow.by)
                )
            case Allowed(allow=allow):
                return texts("⚡ approval · {tool} · allowed once · {road}").format(
                    tool=tool, road=self._road(allow.by)
                )
            case Denied(by=by):
                return texts("⚡ approval · {tool} · denied · {road}").format(tool=tool, road=self._road(by))
            case TimedOut():
                return texts("⚡ approval · denied because the time ran out")

    def _road(self, by: AnsweredBy) -> str:
        texts = self._texts
        return {
            AnsweredBy.WINDOW: texts("window"),
            AnsweredBy.VOICE: texts("voice"),
            AnsweredBy.NOTIFICATION: texts("notification"),
            AnsweredBy.CONSOLE: texts("console"),
            AnsweredBy.NOBODY: texts("nobody there"),
            AnsweredBy.RULE: texts("rule"),
            AnsweredBy.TIMER: texts("time"),
        }[by]


def _remembered(decision: Allowed) -> bool:
    """A person answered ALWAYS and the rule stands."""
    basis = decision.basis
    if basis is None or basis.settled is None or basis.unsaved:
        return False
    return basis.settled.answer is Answer.ALWAYS
