"""One turn of a goal: its tools are called ahead, and the model is asked where they say something new."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from jarvis_desktop.core.goals import asking, life
from jarvis_desktop.core.goals.answer import GoalAnswer
from jarvis_desktop.core.goals.fingerprint import fingerprint
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.errors import JarvisError, StorageError
from jarvis_desktop.core.items.goals import (
    Goal,
    GoalAdvanced,
    GoalCue,
    GoalId,
    GoalItem,
    GoalOutcome,
    GoalReport,
    GoalRun,
)
from jarvis_desktop.core.items.ids import SessionId, TurnId, fresh_id
from jarvis_desktop.core.items.schedule import RunEnd, RunResult
from jarvis_desktop.core.items.turn import Origin, Situation, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import Clock, Emit, Team, Texts
from jarvis_desktop.core.ports.goals import GoalBook, GoalHistory
from jarvis_desktop.core.turn.delegation import DelegateRecord, DelegateTurns
from jarvis_desktop.core.turn.goal_budgets import GoalBudgets, Rest, over_item
from jarvis_desktop.core.turn.goal_calls import Ahead, Made, called_ahead
from jarvis_desktop.core.turn.goal_telling import GoalTelling, Settled
from jarvis_desktop.core.turn.goal_thought import GoalThinking, QuietTurns, Taken, ThinkingParts, Thought
from jarvis_desktop.core.turn.tool_runner import ToolRunner

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GoalParts:
    """What goals are advanced with."""

    book: GoalBook
    history: GoalHistory
    team: Callable[[], Team]
    turns: Callable[[], DelegateTurns]
    """Asked when a turn begins, like ``runner``: both are made of tools, and one of these gives goals."""
    runner: Callable[[], ToolRunner]
    ready: Callable[[], Awaitable[None]]
    """Tools that people added have begun: a turn without them would take its own as gone."""
    record: DelegateRecord
    quiet: Callable[[], QuietTurns]
    telling: GoalTelling
    budgets: GoalBudgets
    patience: Callable[[float], Awaitable[None]]
    """Returns when so many seconds have passed in which the person wanted nothing."""
    folder: Callable[[], Awaitable[Path]]
    """Where its turns work."""
    clock: Clock
    texts: Texts
    emit: Emit


class GoalTurns:
    """Fills ``GoalRunner``."""

    def __init__(self, parts: GoalParts) -> None:
        self._parts = parts
        self._thinking = GoalThinking(
            ThinkingParts(
                parts.turns, parts.record, parts.quiet, parts.telling.found, parts.budgets, parts.patience
            )
        )
        self._going: dict[GoalId, Taken] = {}
        """Goals whose turn runs, and what it has taken so far."""

    @property
    def going(self) -> frozenset[GoalId]:
        """The goals that are having a turn."""
        return frozenset(self._going)

    async def run(self, goal_id: str, due_at: datetime) -> RunResult:
        """One turn because it is due; see ``GoalRunner``."""
        del due_at  # the ledger keeps it
        try:
            report = await self.advance(GoalId(goal_id))
        except StorageError as error:
            return RunResult(RunEnd.FAILED, str(error), again=True)
        if report is None:
            return RunResult(RunEnd.DONE)
        if report.run.outcome is GoalOutcome.ERROR:
            # Of a turn that broke nobody knows its calls: they may have changed something.
            known = bool(report.calls) or not report.run.model_turns
            only_read = all(self._parts.runner().only_reads(one.call.name) for one in report.calls)
            return RunResult(RunEnd.FAILED, report.run.why, again=known and only_read)
        return RunResult(RunEnd.DONE, report.text or report.run.why)

    async def advance(self, goal_id: GoalId, *, by_hand: bool = False) -> GoalReport | None:
        """What its turn came to; None where it has none now, or is having one.

        by_hand: a person wants it now, so the model is asked although nothing changed.
        """
        goal = await self._awake(goal_id)
        if (
            goal is None
            or goal_id in self._going
            or not (by_hand or life.runs(goal, self._parts.clock.now()))
        ):
            return None
        taken = self._going[goal_id] = Taken()
        began, began_s = self._parts.clock.now(), self._parts.clock.monotonic_s()
        taken.turn = asyncio.ensure_future(self._advance(goal, began, by_hand=by_hand))
        try:
            report = await taken.turn
        except asyncio.CancelledError:
            cut = GoalRun(goal_id, began, GoalOutcome.INTERRUPTED, model_turns=taken.model_turns)
            task = asyncio.current_task()
            if task is None or task.cancelling():
                await asyncio.shield(self._parts.history.add_run(replace(cut, tokens=taken.tokens)))
                raise
            report = GoalReport(cut)  # a person has stopped it
        except Exception as error:  # rim: the turn. Without a row it would cost nothing, and go on for ever.
            log.exception("a goal's turn broke")
            why = self._parts.texts("Something in Jarvis itself broke; the details are in the log.")
            if isinstance(error, JarvisError):
                why = str(error)
            broken = GoalRun(goal_id, began, GoalOutcome.ERROR, model_turns=taken.model_turns, why=why)
            report = GoalReport(broken)
        finally:
            del self._going[goal_id]
        run = replace(
            report.run, tokens=taken.tokens, took_s=round(self._parts.clock.monotonic_s() - began_s, 3)
        )
        report = replace(report, run=run)
        await self._parts.history.add_run(run)
        if run.outcome is GoalOutcome.ERROR:
            await self._after_failure(goal, run)
        await self._parts.emit(GoalAdvanced(report))
        return report

    def stop(self, goal_id: GoalId) -> None:
        """The turn that it is having ends now; what its tools found waits to be told."""
        taken = self._going.get(goal_id)
        if taken is not None and taken.turn is not None:
            taken.turn.cancel()

    async def _after_failure(self, goal: Goal, run: GoalRun) -> None:
        try:
            rest = await self._parts.budgets.after_failure(goal, run)
            if rest is not None:
                await self._rests(goal, rest, (), await self._parts.folder())
        except JarvisError as error:
            log.warning("a goal that fails could not be paused", extra={"error": type(error).__name__})

    async def _rests(self, goal: Goal, rest: Rest, made: Sequence[GoalItem], cwd: Path) -> Settled:
        """It has no turns for now; what was made is told, and what is asked stands in the conversation."""
        settled = await self._parts.telling.tell(goal, GoalAnswer(), (*made, *rest.asks), cwd)
        await self._parts.book.change(goal.goal_id, rest.of)
        return settled

    async def _awake(self, goal_id: GoalId) -> Goal | None:
        now = self._parts.clock.now()
        goal = await self._parts.book.find(goal_id)
        if goal is None or life.at(goal, now) == goal:
            return goal
        return await self._parts.book.change(goal_id, lambda one: life.at(one, now))

    async def _advance(self, goal: Goal, began: datetime, *, by_hand: bool) -> GoalReport:
        parts = self._parts
        nothing = GoalReport(GoalRun(goal.goal_id, began, GoalOutcome.NOTHING))
        await parts.ready()
        team = parts.team()
        await team.look()
        card, cwd = team.find(goal.agent_id), await parts.folder()
        if card is None:
            why = parts.texts("There is no agent called {agent} any more.").format(agent=goal.agent_id)
            settled = await self._rests(goal, parts.budgets.without_agent(goal, why), (), cwd)
            return settled.on(replace(nothing, run=replace(nothing.run, outcome=GoalOutcome.ERROR, why=why)))
        async with parts.budgets.asking:
            budget = await parts.budgets.before(goal, by_hand=by_hand)
            if isinstance(budget, Rest):
                settled = await self._rests(goal, budget, (), cwd)
                skipped = replace(nothing.run, outcome=GoalOutcome.SKIPPED_BUDGET, why=budget.why)
                return settled.on(replace(nothing, run=skipped))
        records = await parts.history.records(goal.goal_id, asking.MOST_RECORDS)
        request = replace(self._request(goal, card, cwd, records), budget=budget)
        ahead = await self._ahead(goal, request)
        mark = fingerprint(goal, goal.last_calls, ahead.results) if ahead is not None else ""
        if mark and mark == goal.seen and not by_hand:
            (settled,) = await parts.telling.tell_held((goal,), request.cwd)
            unchanged = replace(nothing.run, outcome=settled.outcome(GoalOutcome.SKIPPED_UNCHANGED))
            return settled.on(replace(nothing, run=unchanged, calls=ahead.calls if ahead else ()))
        given = ahead if mark else None  # what a tool failed at is asked again
        thought = await self._thinking.thought(goal, request, given, self._going[goal.goal_id])
        return await self._settled(goal, request, thought, nothing, asked=by_hand)

    async def _ahead(self, goal: Goal, request: TurnRequest) -> Ahead | None:
        """The calls of the last turn, made again; None where one of them may not be."""
        self._parts.quiet().begin(request.turn_id, partial(self._parts.telling.found, goal))
        try:
            return await called_ahead(goal.last_calls, request, self._parts.runner())
        finally:
            self._parts.quiet().over(request.turn_id)

    async def _settled(
        self, goal: Goal, request: TurnRequest, thought: Thought, nothing: GoalReport, *, asked: bool
    ) -> GoalReport:
        """Told or waiting, remembered, and written down: in an order in which a kill loses nothing."""
        parts, made, answer = self._parts, thought.made, thought.answer
        run = replace(nothing.run, model_turns=thought.model_turns)
        report = replace(nothing, run=run, calls=made.calls)
        if thought.end is TurnEnd.OVERFLOW:
            return await self._stopped(goal, request, thought, report)
        if thought.end is not TurnEnd.ANSWERED:
            await self._note_calls(goal, Made())
            # What its tools found is told all the same: the model may be gone for days.
            (settled,) = await parts.telling.tell_held((goal,), request.cwd, asked=asked)
            run = replace(report.run, outcome=GoalOutcome.ERROR, why=thought.text)
            return settled.on(replace(report, run=run))
        settled = await parts.telling.tell(goal, answer, made.items, request.cwd, asked=asked)
        if answer.done and not (settled.waits or settled.told):
            # Nobody waits for ever for what has ended without a word.
            over = (over_item(goal, run.at, parts.texts),)
            settled = await parts.telling.tell(goal, GoalAnswer(done=True), over, request.cwd, asked=asked)
        # One that is reached and waits to be told is not over: its next turn asks once more, and ends it.
        # What the agent said in no form that is told would be lost if nothing had changed from now on.
        unsaid = not (answer.readable or made.items)
        await self._note_calls(goal, Made() if unsaid or (answer.done and settled.waits) else made)
        record = answer.record if made.calls and not settled.only_asks else ""
        if record:
            await parts.history.add_record(goal.goal_id, record)
        if answer.done and not settled.waits:
            await parts.book.change(goal.goal_id, lambda one: life.after(one, GoalCue.FINISH))
        run = replace(report.run, outcome=settled.outcome(GoalOutcome.NOTHING))
        return settled.on(replace(report, run=run, record=record))

    async def _stopped(
        self, goal: Goal, request: TurnRequest, thought: Thought, report: GoalReport
    ) -> GoalReport:
        """What the tools had to tell is told all the same."""
        await self._note_calls(goal, Made())
        rest = self._parts.budgets.stopped(goal, thought.text)
        settled = await self._rests(goal, rest, thought.made.items, request.cwd)
        run = replace(report.run, outcome=GoalOutcome.SKIPPED_BUDGET, why=rest.why)
        return settled.on(replace(report, run=run))

    async def _note_calls(self, goal: Goal, made: Made) -> None:
        """What the next turn calls ahead, and by what it knows that nothing has changed."""
        again = made.again if all(self._parts.runner().only_reads(one.name) for one in made.again) else ()
        mark = fingerprint(goal, again, made.results)
        calls = again if mark else ()
        await self._parts.book.change(goal.goal_id, lambda one: replace(one, last_calls=calls, seen=mark))

    def _request(self, goal: Goal, card: AgentCard, cwd: Path, records: Sequence[str]) -> TurnRequest:
        return TurnRequest(
            turn_id=TurnId(fresh_id()),
            session_id=SessionId(fresh_id()),
            agent_id=goal.agent_id,
            text=asking.question(goal, records),
            origin=Origin.GOAL,
            language=self._parts.texts.language,
            cwd=cwd,
            asked_at=self._parts.clock.now(),
            situation=Situation.GOAL,
            card=card,
        )
