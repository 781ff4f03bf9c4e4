"""What the model says in a goal's turn, within the turn's budget and time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from jarvis_desktop.core.goals import asking
from jarvis_desktop.core.goals.answer import GoalAnswer, read_answer
from jarvis_desktop.core.items.calls import ToolResult
from jarvis_desktop.core.items.errors import ModelTrouble
from jarvis_desktop.core.items.goals import Goal, GoalReport
from jarvis_desktop.core.items.ids import SessionId, TurnId, fresh_id
from jarvis_desktop.core.items.turn import TurnBudget, TurnEnd, TurnRequest
from jarvis_desktop.core.turn.delegation import DelegateRecord, DelegateTurns
from jarvis_desktop.core.turn.goal_budgets import GoalBudgets
from jarvis_desktop.core.turn.goal_calls import Ahead, Made, made_in
from jarvis_desktop.core.turn.turn_notes import TurnNotes, TurnOutcome

UNREACHED = frozenset(
    {ModelTrouble.NO_SERVER, ModelTrouble.NO_MODEL, ModelTrouble.TOO_OLD, ModelTrouble.REMOTE_UNASKED}
)
"""Troubles in which no model was put to work: they are none of the goal's own."""


class QuietTurns(Protocol):
    """Keeps what turns say that no window shows from being taken for an answer to the person."""

    def begin(self, turn_id: TurnId, finished: Callable[[ToolResult], Awaitable[None]]) -> None:
        """From now on this turn is quiet.

        finished: called with what each of its calls came to, before the model reads that.
        """

    def over(self, turn_id: TurnId) -> None:
        """Nothing more comes of it."""


@dataclass(frozen=True, slots=True)
class ThinkingParts:
    """What the model is asked with."""

    turns: Callable[[], DelegateTurns]
    record: DelegateRecord
    quiet: Callable[[], QuietTurns]
    found: Callable[[Goal, ToolResult], Awaitable[None]]
    """Told of what each call of a turn came to."""
    budgets: GoalBudgets
    patience: Callable[[float], Awaitable[None]]
    """Returns when so many seconds have passed in which the person wanted nothing."""


@dataclass(slots=True)
class Taken:
    """What a turn has taken so far; whoever holds it still has it when the turn is interrupted."""

    tokens: int = 0
    model_turns: int = 0
    turn: "asyncio.Task[GoalReport] | None" = None


@dataclass(frozen=True, slots=True)
class Thought:
    """What the model was asked and answered."""

    end: TurnEnd
    """``OVERFLOW`` where the turn has used up its budget."""
    text: str
    made: Made
    """All calls of the turn, those that were made ahead first."""
    model_turns: int
    """0 where it could not be reached."""

    @property
    def answer(self) -> GoalAnswer:
        """Its parts."""
        return read_answer(self.text)


class GoalThinking:
    """Asks the model of a goal."""

    def __init__(self, parts: ThinkingParts) -> None:
        self._parts = parts

    async def thought(self, goal: Goal, request: TurnRequest, ahead: Ahead | None, taken: Taken) -> Thought:
        """What it says; without any tool it is asked once more, with no records to trust (G-030)."""
        thought = await self._asked(goal, request, ahead, taken)
        left = _left(request.budget, taken)
        if thought.made.calls or thought.end is not TurnEnd.ANSWERED or left is None:
            return thought
        again = replace(
            request,
            turn_id=TurnId(fresh_id()),
            session_id=SessionId(fresh_id()),
            text=asking.question(goal, ()),
            budget=left,
        )
        return replace(await self._asked(goal, again, None, taken), model_turns=2)

    async def _asked(self, goal: Goal, request: TurnRequest, ahead: Ahead | None, taken: Taken) -> Thought:
        parts, notes = self._parts, TurnNotes()
        if ahead is not None:
            notes.given, notes.results = ahead.messages, ahead.results
        await parts.record.begin_turn(request)
        parts.quiet().begin(request.turn_id, partial(parts.found, goal))
        try:
            outcome = await self._in_time(request, notes)
        finally:
            taken.tokens += notes.tokens
            taken.model_turns += notes.trouble not in UNREACHED
            parts.quiet().over(request.turn_id)
            await asyncio.shield(parts.record.keep_messages(request.turn_id, notes.messages))
        worked = 0 if notes.trouble in UNREACHED else 1
        return Thought(outcome.end, outcome.text, made_in(notes.messages, ahead), worked)

    async def _in_time(self, request: TurnRequest, notes: TurnNotes) -> TurnOutcome:
        """How the turn ended; one that takes too long is stopped, which uses up its budget."""
        parts, turns = self._parts, self._parts.turns()
        turn = asyncio.ensure_future(turns.run(request, (), turns.style(request.agent), notes))
        late = asyncio.ensure_future(parts.patience(parts.budgets.turn_s))
        try:
            await asyncio.wait({turn, late}, return_when=asyncio.FIRST_COMPLETED)
            if turn.done():
                return turn.result()
            return TurnOutcome(TurnEnd.OVERFLOW, parts.budgets.took_too_long(), ())
        finally:
            for task in (turn, late):
                task.cancel()
            await asyncio.gather(turn, late, return_exceptions=True)


def _left(budget: TurnBudget | None, taken: Taken) -> TurnBudget | None:
    """What is left of it; None for nothing."""
    if budget is None or not budget.tokens:
        return budget
    return replace(budget, tokens=budget.tokens - taken.tokens) if taken.tokens < budget.tokens else None
