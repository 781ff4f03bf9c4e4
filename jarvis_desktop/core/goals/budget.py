"""What goals may cost: which budget is used up, and what is left for a turn."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from enum import StrEnum

from jarvis_desktop.core.goal_settings import GoalSettings
from jarvis_desktop.core.items.goals import Spent
from jarvis_desktop.core.items.turn import TurnBudget


class Budget(StrEnum):
    """A budget that can be used up before a turn begins."""

    DAY_TOKENS = "day_tokens"
    DAY_TURNS = "day_turns"
    ALL_DAY_TOKENS = "all_day_tokens"
    ALL_DAY_TURNS = "all_day_turns"

    @property
    def of_all(self) -> bool:
        """It is that of all goals together."""
        return self in {Budget.ALL_DAY_TOKENS, Budget.ALL_DAY_TURNS}


@dataclass(frozen=True, slots=True)
class Limit:
    """A budget as it is set."""

    budget: Budget
    most: int
    """0: no limit."""


def used_up(settings: GoalSettings, own: Spent, together: Spent) -> Limit | None:
    """The budget that leaves no turn to a goal; None where all leave one.

    own: what the goal has used today; together: what all goals have.
    """
    spent = (
        (Limit(Budget.DAY_TOKENS, settings.day_tokens), own.tokens),
        (Limit(Budget.DAY_TURNS, settings.day_turns), own.turns),
        (Limit(Budget.ALL_DAY_TOKENS, settings.all_day_tokens), together.tokens),
        (Limit(Budget.ALL_DAY_TURNS, settings.all_day_turns), together.turns),
    )
    return next((limit for limit, used in spent if 0 < limit.most <= used), None)


def turn_budget(settings: GoalSettings, own: Spent, together: Spent) -> TurnBudget:
    """What one turn may take: no more tokens than are left of the day."""
    left = (
        (settings.turn_tokens, 0),
        (settings.day_tokens, own.tokens),
        (settings.all_day_tokens, together.tokens),
    )
    tokens = min((most - used for most, used in left if most > used), default=0)
    return TurnBudget(settings.turn_steps, tokens)


def day_of(now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """When the day began there, and when the next one does."""
    today = now.astimezone(zone).date()
    return (
        datetime.combine(today, time(), zone),
        datetime.combine(today + timedelta(days=1), time(), zone),
    )
