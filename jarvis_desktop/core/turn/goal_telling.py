"""What a goal's turn tells: into the conversation at once, or kept until it can be (decision 23)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jarvis_desktop.core.goals.answer import GoalAnswer, merged
from jarvis_desktop.core.goals.telling import Telling, said, telling
from jarvis_desktop.core.items.goals import (
    Goal,
    GoalItem,
    GoalOutcome,
    GoalReport,
    HeldItem,
    HeldWhy,
)
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.ports import Emit, Texts
from jarvis_desktop.core.ports.goals import Delivery, GoalHistory

NO_ANSWER = GoalAnswer()


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a turn's items."""

    told: tuple[GoalItem, ...] = ()
    text: str = ""
    held: tuple[HeldItem, ...] = ()
    only_asks: bool = False
    """There were items, and all of them ask."""

    @property
    def waits(self) -> bool:
        """Something is still to be told."""
        return any(one.why is not HeldWhy.TOLD_BEFORE for one in self.held)

    def outcome(self, otherwise: GoalOutcome) -> GoalOutcome:
        """The row of the history; ``otherwise`` where nothing was to be told."""
        if self.told:
            return GoalOutcome.ASKED if all(one.asks for one in self.told) else GoalOutcome.TOLD
        return GoalOutcome.UNDELIVERED if self.waits else otherwise

    def on(self, report: GoalReport) -> GoalReport:
        """The report with it."""
        run = replace(report.run, told=len(self.told))
        return replace(report, run=run, told=self.told, text=self.text, held=self.held)


class GoalTelling:
    """Tells what is new."""

    def __init__(
        self, history: GoalHistory, takes: Callable[[AgentId], bool], texts: Texts, emit: Emit
    ) -> None:
        """takes: whether the agent's conversation can be spoken into now."""
        self._history, self._takes, self._texts, self._emit = history, takes, texts, emit

    async def tell(self, goal: Goal, answer: GoalAnswer, made: Sequence[GoalItem], cwd: Path) -> Settled:
        """What is new of all that the model said and the tools made; the rest is kept.

        Everything new waits on disk before anything is told, so that a kill at any point loses none of it.
        """
        history, items = self._history, merged(answer.items, made)
        held, told = await history.held(goal.goal_id), await history.told(goal.goal_id)
        await history.saw(goal.goal_id, [one.key for one in items])
        plan = telling(answer.head, items, held, told)
        if answer.done:  # no turn comes behind it
            plan = Telling(plan.head, (*plan.now, *plan.later), ())
        await history.hold(goal.goal_id, (*plan.now, *plan.later))
        new = {one.key for one in (*plan.now, *plan.later)}
        before = tuple(HeldItem(one, HeldWhy.TOLD_BEFORE) for one in items if one.key not in new)
        settled = await self._deliver(goal, plan, cwd)
        asks = bool(items) and all(one.asks for one in items)
        return replace(settled, held=(*before, *settled.held), only_asks=asks)

    async def tell_held(self, goal: Goal, cwd: Path) -> Settled:
        """What has waited, without any model."""
        held = await self._history.held(goal.goal_id)
        if not held:
            return Settled()
        plan = telling("", (), held, await self._history.told(goal.goal_id))
        return await self._deliver(goal, plan, cwd)

    async def _deliver(self, goal: Goal, plan: Telling, cwd: Path) -> Settled:
        later = tuple(HeldItem(one, HeldWhy.TOO_MANY) for one in plan.later)
        if not plan.now:
            return Settled(held=later)
        if not self._takes(goal.agent_id):
            busy = tuple(HeldItem(one, HeldWhy.BUSY) for one in plan.now)
            return Settled(held=(*busy, *later))
        more = ""
        if plan.later:
            more = self._texts.plural(
                "{count} more comes with the next turn.",
                "{count} more come with the next turn.",
                len(plan.later),
            ).format(count=len(plan.later))

        def text(fresh: Sequence[GoalItem]) -> str:
            return said(plan.head, fresh, more)

        spoke = await self._history.deliver(Delivery(goal, plan.now, text, cwd))
        if spoke is None:
            return Settled(held=later)
        await self._emit(spoke)
        return Settled(plan.now, spoke.text, later)
