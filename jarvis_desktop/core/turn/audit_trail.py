"""Puts every decision about a tool call, and what came of it, into the audit log."""

import logging
from collections.abc import Callable

from jarvis_desktop.core.items.audit import AuditEntry, AuditResult, Ground, Outcome, Subject
from jarvis_desktop.core.items.calls import ToolCall, ToolResult
from jarvis_desktop.core.items.decisions import (
    Allowed,
    Answer,
    AnsweredBy,
    Basis,
    Decision,
    Denied,
    Question,
    Settled,
    VerdictKind,
)
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.ids import AuditId, CallId, fresh_id
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import AuditLog, Clock

log = logging.getLogger(__name__)


class AuditTrail:
    """The runner's pen. An entry is on disk before its call begins."""

    def __init__(self, log: AuditLog, clock: Clock, new_id: Callable[[], str] = fresh_id) -> None:
        self._log = log
        self._clock = clock
        self._new_id = new_id
        self._running: dict[CallId, AuditId] = {}

    async def decided(self, call: ToolCall, decision: Decision, request: TurnRequest) -> None:
        """The decision is in the log; one without a basis concerned nobody.

        Raises:
            StorageError: it is not, so the call must not run.
        """
        basis = decision.basis
        if basis is None:
            return
        entry = AuditEntry(
            AuditId(self._new_id()),
            self._clock.now(),
            Subject(
                session_id=request.session_id,
                turn_id=request.turn_id,
                agent_id=request.agent_id,
                call_id=call.call_id,
                tool=call.name,
                digest=basis.digest,
                shown=basis.shown,
            ),
            _outcome(decision, basis),
            _ground(decision, basis),
        )
        await self._log.add(entry)
        if isinstance(decision, Allowed):
            self._running[call.call_id] = entry.entry_id

    async def saved_later(self, question: Question, settled: Settled, lines: tuple[RuleLine, ...]) -> None:
        """The rule of a call that was allowed already is in the log, if the disk takes it: it stands now."""
        arguments = question.call.arguments
        shown = arguments.get("command") or arguments.get("path") or dict(arguments)
        why = question.why
        entry = AuditEntry(
            AuditId(self._new_id()),
            self._clock.now(),
            Subject(
                session_id=question.session_id,
                turn_id=question.turn_id,
                agent_id=question.agent_id,
                call_id=question.call.call_id,
                tool=question.call.name,
                digest=question.digest,
                shown=str(shown),
            ),
            Outcome.ALWAYS,
            Ground(
                why.kind, why.source, why.rules, settled.by, settled.question_id, settled.window_id, lines
            ),
        )
        try:
            await self._log.add(entry)
        except StorageError:
            log.warning("a saved rule is not in the audit log", extra={"tool": question.call.name})

    async def finished(self, call: ToolCall, result: ToolResult) -> None:
        """How an allowed call ended is in the log, if the disk takes it: what was done is done."""
        entry_id = self._running.pop(call.call_id, None)
        if entry_id is None:
            return
        try:
            await self._log.add_result(entry_id, AuditResult(self._clock.now(), result.status))
        except StorageError:
            log.warning("the result of a call is not in the audit log", extra={"tool": call.name})


def _outcome(decision: Decision, basis: Basis) -> Outcome:
    if isinstance(decision, Allowed):
        settled = basis.settled
        if settled is not None and settled.desktop:
            return Outcome.WITH_DESKTOP
        always = settled is not None and settled.answer is Answer.ALWAYS
        return Outcome.ALWAYS if always else Outcome.ALLOWED
    if not isinstance(decision, Denied):
        return Outcome.TIMED_OUT
    return Outcome.BLOCKED if basis.verdict.kind is VerdictKind.BLOCK else Outcome.DENIED


def _ground(decision: Decision, basis: Basis) -> Ground:
    settled, verdict = basis.settled, basis.verdict
    if settled is None:
        by = decision.by if isinstance(decision, Denied) else AnsweredBy.RULE
        return Ground(verdict.kind, verdict.source, verdict.rules, by)
    return Ground(
        verdict.kind,
        verdict.source,
        verdict.rules,
        settled.by,
        settled.question_id,
        settled.window_id,
        basis.saved,
    )
