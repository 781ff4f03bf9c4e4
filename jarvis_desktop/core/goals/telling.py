"""What of a turn is told: new keys only, five at most, with a head where there is more than questions."""

from collections.abc import Iterable, Mapping, Sequence

from jarvis_desktop.core.items.goals import GoalItem

MOST_AT_ONCE = 5
"""Decision 22; the rest comes with the next turn, without a model."""


def untold(items: Iterable[GoalItem], told: Mapping[str, str]) -> tuple[GoalItem, ...]:
    """The items whose key, in that version, was not told; the first of each key."""
    found: dict[str, GoalItem] = {}
    for one in items:
        if told.get(one.key) != one.version:
            found.setdefault(one.key, one)
    return tuple(found.values())


def said(head: str, items: Sequence[GoalItem], more: str = "") -> str:
    """The agent's words: its head, one line for each item, and how many wait.

    more: the sentence about those that wait; empty for none.
    """
    asks_only = all(one.asks for one in items)
    lines = [head] if head and not asks_only else []
    listed = [f"- {one.line}" if len(items) > 1 else one.line for one in items]
    return "\n\n".join(part for part in (*lines, "\n".join(listed), more) if part)
