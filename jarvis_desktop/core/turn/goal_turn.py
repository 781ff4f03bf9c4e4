"""One turn of a goal: its tools are called ahead, and the model is asked where they say something new."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from jarvis_desktop.core.goals import asking, life
from jarvis_desktop.core.goals.answer import GoalAnswer, read_answer
from jarvis_desktop.core.goals.fingerprint import fingerprint
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.goals import (
    Goal,
    GoalAdvanced,
    GoalCue,
    GoalId,
    GoalOutcome,
    GoalReport,
    GoalRun,
)
from jarvis_desktop.core.items.ids import SessionId, TurnId, fresh_id
from jarvis_desktop.core.items.schedule import RunEnd, RunResult
from jarvis_desktop.core.items.turn import Origin, Situation, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import CallStyle, Clock, Emit, Team, Texts
from jarvis_desktop.core.ports.goals import GoalBook, GoalHistory
from jarvis_desktop.core.turn.delegation import DelegateRecord, DelegateTurns
from jarvis_desktop.core.turn.goal_calls import Ahead, Made, called_ahead, made_in
from jarvis_desktop.core.turn.goal_telling import GoalTelling
from jarvis_desktop.core.turn.tool_runner import ToolRunner
from jarvis_desktop.core.turn.turn_notes import TurnNotes

log = logging.getLogger(__name__)


class QuietTurns(Protocol):
    """Keeps what turns say that no window shows from being taken for an answer to the person."""

    def begin(self, turn_id: TurnId) -> None:
        """From now on this turn is quiet."""

    def over(self, turn_id: TurnId) -> None:
        """Nothing more comes of it."""


@dataclass(frozen=True, slots=True)
class GoalParts:
    """What goals are advanced with."""

    book: GoalBook
    history: GoalHistory
    team: Callable[[], Team]
    turns: Callable[[], DelegateTurns]
    """Asked when a turn begins, like ``runner``: both are made of tools, and one of these gives goals."""
    runner: Callable[[], ToolRunner]
    record: DelegateRecord
    quiet: Callable[[], QuietTurns]
    telling: GoalTelling
    folder: Callable[[], Awaitable[Path]]
    """Where its turns work."""
    clock: Clock
    texts: Texts
    emit: Emit


@dataclass(frozen=True, slots=True)
class _Thought:
    """What the model was asked and answered."""

    end: TurnEnd
    text: str
    made: Made
    """All calls of the turn, those that were made ahead first."""
    model_turns: int
    tokens: int

    @property
    def answer(self) -> GoalAnswer:
        """Its parts."""
        return read_answer(self.text)


class GoalTurns:
    """Fills ``GoalRunner``."""

    def __init__(self, parts: GoalParts) -> None:
        self._parts = parts
        self._going: set[GoalId] = set()

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
            only_read = all(self._parts.runner().only_reads(one.call.name) for one in report.calls)
            return RunResult(RunEnd.FAILED, report.run.why, again=only_read)
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
        self._going.add(goal_id)
        began, began_s = self._parts.clock.now(), self._parts.clock.monotonic_s()
        try:
            report = await self._advance(goal, began, by_hand=by_hand)
        except asyncio.CancelledError:
            cut = GoalRun(goal_id, began, GoalOutcome.INTERRUPTED)
            await asyncio.shield(self._parts.history.add_run(cut))
            raise
        finally:
            self._going.discard(goal_id)
        run = replace(report.run, took_s=round(self._parts.clock.monotonic_s() - began_s, 3))
        report = replace(report, run=run)
        await self._parts.history.add_run(run)
        await self._parts.emit(GoalAdvanced(report))
        return report

    async def _awake(self, goal_id: GoalId) -> Goal | None:
        now = self._parts.clock.now()
        goal = await self._parts.book.find(goal_id)
        if goal is None or life.at(goal, now) == goal:
            return goal
        return await self._parts.book.change(goal_id, lambda one: life.at(one, now))

    async def _advance(self, goal: Goal, began: datetime, *, by_hand: bool) -> GoalReport:
        parts = self._parts
        nothing = GoalReport(GoalRun(goal.goal_id, began, GoalOutcome.NOTHING))
        team = parts.team()
        await team.look()
        card = team.find(goal.agent_id)
        if card is None:
            why = parts.texts("There is no agent called {agent} any more.").format(agent=goal.agent_id)
            return replace(nothing, run=replace(nothing.run, outcome=GoalOutcome.ERROR, why=why))
        records = await parts.history.records(goal.goal_id, asking.MOST_RECORDS)
        request = self._request(goal, card, await parts.folder(), records)
        ahead = await self._ahead(goal, request)
        mark = fingerprint(goal, goal.last_calls, ahead.results) if ahead is not None else ""
        if mark and mark == goal.seen and not by_hand:
            (settled,) = await parts.telling.tell_held((goal,), request.cwd)
            unchanged = replace(nothing.run, outcome=settled.outcome(GoalOutcome.SKIPPED_UNCHANGED))
            return settled.on(replace(nothing, run=unchanged, calls=ahead.calls if ahead else ()))
        given = ahead if mark else None  # what a tool failed at is asked again
        thought = await self._thought(goal, request, given)
        return await self._settled(goal, request, thought, nothing, asked=by_hand)

    async def _ahead(self, goal: Goal, request: TurnRequest) -> Ahead | None:
        """The calls of the last turn, made again; None where one of them may not be."""
        self._parts.quiet().begin(request.turn_id)
        try:
            return await called_ahead(goal.last_calls, request, self._parts.runner())
        finally:
            self._parts.quiet().over(request.turn_id)

    async def _thought(self, goal: Goal, request: TurnRequest, ahead: Ahead | None) -> _Thought:
        """What the model says; without any tool it is asked once more, with no records to trust (G-030)."""
        thought = await self._asked(request, ahead)
        if thought.made.calls or thought.end is not TurnEnd.ANSWERED:
            return thought
        again = replace(
            request,
            turn_id=TurnId(fresh_id()),
            session_id=SessionId(fresh_id()),
            text=asking.question(goal, ()),
        )
        second = await self._asked(again, None)
        return replace(second, model_turns=2, tokens=thought.tokens + second.tokens)

    async def _asked(self, request: TurnRequest, ahead: Ahead | None) -> _Thought:
        parts, notes = self._parts, TurnNotes()
        if ahead is not None:
            notes.given, notes.results = ahead.messages, ahead.results
        turns = parts.turns()
        await parts.record.begin_turn(request)
        parts.quiet().begin(request.turn_id)
        try:
            style: CallStyle = turns.style(request.agent)
            outcome = await turns.run(request, (), style, notes)
        finally:
            parts.quiet().over(request.turn_id)
            await asyncio.shield(parts.record.keep_messages(request.turn_id, notes.messages))
        return _Thought(outcome.end, outcome.text, made_in(notes.messages, ahead), 1, notes.tokens)

    async def _settled(
        self, goal: Goal, request: TurnRequest, thought: _Thought, nothing: GoalReport, *, asked: bool
    ) -> GoalReport:
        """Told or waiting, remembered, and written down: in an order in which a kill loses nothing."""
        parts, made, answer = self._parts, thought.made, thought.answer
        run = replace(nothing.run, model_turns=thought.model_turns, tokens=thought.tokens)
        report = replace(nothing, run=run, calls=made.calls)
        if thought.end is not TurnEnd.ANSWERED:
            await self._note_calls(goal, Made())
            run = replace(report.run, outcome=GoalOutcome.ERROR, why=thought.text)
            return replace(report, run=run)
        settled = await parts.telling.tell(goal, answer, made.items, request.cwd, asked=asked)
        # One that is reached and waits to be told is not over: its next turn asks once more, and ends it.
        await self._note_calls(goal, Made() if answer.done and settled.waits else made)
        record = answer.record if made.calls and not settled.only_asks else ""
        if record:
            await parts.history.add_record(goal.goal_id, record)
        if answer.done and not settled.waits:
            await parts.book.change(goal.goal_id, lambda one: life.after(one, GoalCue.FINISH))
        run = replace(report.run, outcome=settled.outcome(GoalOutcome.NOTHING))
        return settled.on(replace(report, run=run, record=record))

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
