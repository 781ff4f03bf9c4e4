"""What of a turn is told: new keys only, five at most, with a head where there is more than questions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from jarvis_desktop.core.items.goals import GoalItem

MOST_AT_ONCE = 5
"""Decision 22; the rest comes with the next turn, without a model."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What is to be told now, and what later."""

    head: str
    now: tuple[GoalItem, ...]
    later: tuple[GoalItem, ...]

    @property
    def only_asks(self) -> bool:
        """There is something, and all of it asks the person."""
        return bool(self.now) and all(one.asks for one in self.now)


def untold(items: Iterable[GoalItem], told: Mapping[str, str]) -> tuple[GoalItem, ...]:
    """The items whose key, in that version, was not told; the first of each key."""
    found: dict[str, GoalItem] = {}
    for one in items:
        if told.get(one.key) != one.version:
            found.setdefault(one.key, one)
    return tuple(found.values())


def telling(
    head: str, items: Sequence[GoalItem], held: Sequence[GoalItem], told: Mapping[str, str]
) -> Telling:
    """What to tell of the items that there are now and of those that have waited, which come first.

    items: with the newer line of a key that has waited, that line is told.
    """
    newer = {one.key: one for one in items}
    waiting = [newer.get(one.key, one) for one in held]
    fresh = untold([*waiting, *items], told)
    return Telling(head, fresh[:MOST_AT_ONCE], fresh[MOST_AT_ONCE:])


def said(head: str, items: Sequence[GoalItem], more: str = "") -> str:
    """The agent's words: its head, one line for each item, and how many wait.

    more: the sentence about those that wait; empty for none.
    """
    asks_only = all(one.asks for one in items)
    lines = [head] if head and not asks_only else []
    listed = [f"- {one.line}" if len(items) > 1 else one.line for one in items]
    return "\n\n".join(part for part in (*lines, "\n".join(listed), more) if part)
