"""The life of a goal as a table: which state follows on which cue."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from jarvis_desktop.core.items.goals import Goal, GoalCue, GoalState

_ENDED = (GoalState.DONE, GoalState.STOPPED)
_ALIVE = tuple(state for state in GoalState if state not in _ENDED)

NEXT: Mapping[tuple[GoalState, GoalCue], GoalState] = MappingProxyType(
    {
        **{(state, GoalCue.GIVE): GoalState.ACTIVE for state in GoalState},
        **{(state, GoalCue.RESUME): GoalState.ACTIVE for state in GoalState},  # a stop can be taken back
        **{(state, GoalCue.STOP): GoalState.STOPPED for state in GoalState},
        **{(state, GoalCue.PAUSE): GoalState.PAUSED for state in _ALIVE},
        **{(state, GoalCue.SNOOZE): GoalState.SNOOZED for state in _ALIVE},
        (GoalState.SNOOZED, GoalCue.WAKE): GoalState.ACTIVE,
        # A person may pause it while the turn runs that reaches it.
        **{(state, GoalCue.FINISH): GoalState.DONE for state in (*_ALIVE, GoalState.DONE)},
    }
)
"""What is not in the table changes nothing."""


def after(goal: Goal, cue: GoalCue, until: datetime | None = None) -> Goal:
    """The goal after ``cue``; the same one where the cue means nothing to it.

    until: the end of a snooze, for ``SNOOZE`` only.
    """
    state = NEXT.get((goal.state, cue))
    if state is None:
        return goal
    return replace(goal, state=state, snoozed_until=until if state is GoalState.SNOOZED else None)


def at(goal: Goal, now: datetime) -> Goal:
    """The goal as it is now: a snooze whose time is over has ended."""
    over = goal.snoozed_until is None or goal.snoozed_until <= now
    return after(goal, GoalCue.WAKE) if over else goal


def runs(goal: Goal, now: datetime) -> bool:
    """It has its turns now."""
    return at(goal, now).state is GoalState.ACTIVE


def is_open(goal: Goal) -> bool:
    """It is neither reached nor stopped."""
    return goal.state not in _ENDED
