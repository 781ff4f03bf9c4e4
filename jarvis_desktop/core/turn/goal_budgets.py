"""Goals within their budgets: what a turn may take, and what is asked when a goal has to rest."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from jarvis_desktop.core.goal_settings import GoalSettings
from jarvis_desktop.core.goals import life
from jarvis_desktop.core.goals.budget import Budget, Limit, day_of, turn_budget, used_up
from jarvis_desktop.core.items.goals import (
    OWN_ASKING,
    Goal,
    GoalCue,
    GoalItem,
    GoalOutcome,
    GoalRun,
    GoalState,
)
from jarvis_desktop.core.items.turn import TurnBudget
from jarvis_desktop.core.ports import Clock, Texts
from jarvis_desktop.core.ports.goals import GoalCosts, GoalHistory

BUDGET_KEY, ALL_BUDGET_KEY = f"{OWN_ASKING}budget", f"{OWN_ASKING}budget-of-all"
FAILING_KEY = f"{OWN_ASKING}failing"
RESTING_KEYS = frozenset({BUDGET_KEY, ALL_BUDGET_KEY, FAILING_KEY})
"""Each asks whether a goal that rests may go on."""
MOST_FAILURES = 5
"""In a row; then the goal is paused."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Why a goal has no turns for now, and what is asked about it."""

    why: str
    """For the history."""
    asks: tuple[GoalItem, ...]
    """Empty where it was asked before."""
    until: datetime | None
    """None: until a person resumes it."""

    def of(self, goal: Goal) -> Goal:
        """The goal while it rests; what a person ended, paused or let rest for longer stays so."""
        if self.until is None:
            return life.after(goal, GoalCue.PAUSE)
        longer = goal.snoozed_until is not None and goal.snoozed_until > self.until
        if longer or goal.state not in (GoalState.ACTIVE, GoalState.SNOOZED):
            return goal
        return life.after(goal, GoalCue.SNOOZE, self.until)


@dataclass(frozen=True, slots=True)
class BudgetParts:
    """What budgets are kept with."""

    costs: GoalCosts
    history: GoalHistory
    settings: Callable[[], GoalSettings]
    """Asked every time: a changed budget counts at once."""
    zone: Callable[[], tzinfo]
    """Where the machine is: there the day begins."""
    clock: Clock
    texts: Texts


class GoalBudgets:
    """Says before a turn what it may take, and after one whether the goal has to rest."""

    def __init__(self, parts: BudgetParts) -> None:
        self._parts = parts
        self.asking = asyncio.Lock()
        """Held from ``before`` until what it asks waits on disk: two goals do not ask the same."""

    @property
    def turn_s(self) -> float:
        """Seconds that one turn may take."""
        return self._parts.settings().turn_minutes * 60.0

    async def before(self, goal: Goal, *, by_hand: bool = False) -> TurnBudget | Rest:
        """What the turn that is due may take, or why it is skipped.

        by_hand: a person wants it now, which no budget of a day forbids.
        """
        parts, settings = self._parts, self._parts.settings()
        began, ends = day_of(parts.clock.now(), parts.zone())
        since = await self._since(goal, began)
        own, together = await parts.costs.spent(since, goal.goal_id), await parts.costs.spent(since)
        limit = None if by_hand else used_up(settings, own, together)
        if limit is None:
            return turn_budget(settings, own, together)
        key = ALL_BUDGET_KEY if limit.budget.of_all else BUDGET_KEY
        version = (began if limit.budget.of_all else since).isoformat(timespec="seconds")
        item = GoalItem(key, self._question(goal, limit), version)
        asks = () if await parts.costs.asked(item) else (item,)
        return Rest(self._used(limit), asks, ends)

    def stopped(self, goal: Goal, why: str) -> Rest:
        """The turn that now ended took all that one turn may."""
        parts = self._parts
        now = parts.clock.now()
        text = parts.texts(
            "A turn of “{goal}” was stopped. {why} It rests until tomorrow. Go on now? {command}"
        )
        line = text.format(goal=goal.sentence, why=why, command=_command(goal))
        item = GoalItem(BUDGET_KEY, line, now.isoformat(timespec="seconds"))
        return Rest(why, (item,), day_of(now, parts.zone())[1])

    def took_too_long(self) -> str:
        """What is said of a turn that time has run out for."""
        minutes = self._parts.settings().turn_minutes
        return self._parts.texts.plural(
            "I stopped because one turn may take {count} minute.",
            "I stopped because one turn may take {count} minutes.",
            minutes,
        ).format(count=minutes)

    def without_agent(self, goal: Goal, why: str) -> Rest:
        """Nobody is there to advance it, and nobody will be until a person does something."""
        return self._failing(goal, why, self._parts.clock.now())

    async def after_failure(self, goal: Goal, run: GoalRun) -> Rest | None:
        """Why the goal rests when ``run``, which is on disk, was one failure too many."""
        parts = self._parts
        since = await parts.costs.renewed_at(goal.goal_id)
        began, _ = day_of(parts.clock.now(), parts.zone())
        rows = await parts.history.runs(goal.goal_id, MOST_FAILURES)
        failed = [one for one in rows if _counts(one) and (since is None or one.at > since)]
        if len(failed) < MOST_FAILURES:
            return None
        # Once a day where it cannot be paused, and again after a person let it go on.
        rest = self._failing(goal, run.why, max(began, since or began))
        return replace(rest, asks=()) if await parts.costs.asked(rest.asks[0]) else rest

    def _failing(self, goal: Goal, why: str, at: datetime) -> Rest:
        text = self._parts.texts("“{goal}” fails again and again, so it is paused. {why} Go on? {command}")
        line = text.format(goal=goal.sentence, why=why, command=_command(goal))
        return Rest(why, (GoalItem(FAILING_KEY, line, at.isoformat(timespec="seconds")),), None)

    async def _since(self, goal: Goal, began: datetime) -> datetime:
        """From when on it counts: the day's beginning, or since a person let it go on today."""
        renewed = await self._parts.costs.renewed_at(goal.goal_id)
        return began if renewed is None else max(began, renewed)

    def _used(self, limit: Limit) -> str:
        texts = self._parts.texts
        text = {
            Budget.DAY_TOKENS: texts("It has used its {count} tokens of today."),
            Budget.DAY_TURNS: texts("It has used its {count} turns of today."),
            Budget.ALL_DAY_TOKENS: texts("All goals together have used their {count} tokens of today."),
            Budget.ALL_DAY_TURNS: texts("All goals together have used their {count} turns of today."),
        }[limit.budget]
        return text.format(count=f"{limit.most:,}")

    def _question(self, goal: Goal, limit: Limit) -> str:
        texts = self._parts.texts
        text = texts(
            "“{goal}” has reached its budget for today. {used} It rests until tomorrow. Go on now? {command}"
        )
        if limit.budget.of_all:
            text = texts(
                "Your goals have reached their budget for today. {used} They rest until tomorrow. "
                "Go on now with “{goal}”? {command}"
            )
        return text.format(goal=goal.sentence, used=self._used(limit), command=_command(goal))


def _counts(run: GoalRun) -> bool:
    """A failure in which the model was put to work: one that cannot be reached costs nothing."""
    return run.outcome is GoalOutcome.ERROR and run.model_turns > 0


def _command(goal: Goal) -> str:
    return f"`/goal resume {goal.goal_id}`"


def over_item(goal: Goal, at: datetime, texts: Texts) -> GoalItem:
    """Says that a goal has ended, where its agent said so and nothing else."""
    text = texts(
        "“{goal}” is reached, says its agent, so this goal is over. Not yet? {command} goes on with it."
    )
    line = text.format(goal=goal.sentence, command=_command(goal))
    return GoalItem("jarvis-over", line, at.isoformat(timespec="seconds"))
