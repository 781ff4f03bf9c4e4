"""Goals on disk: what people gave as files, and what grows with them in the database."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from jarvis_desktop.core.items.goal_notices import GoalNews
from jarvis_desktop.core.items.goals import (
    Goal,
    GoalCue,
    GoalId,
    GoalItem,
    GoalRun,
    GoalSpoke,
    GoalsRead,
    Spent,
)
from jarvis_desktop.core.items.ids import AgentId


class GoalBook(Protocol):
    """Goals as their files say at the moment of each call."""

    async def look(self) -> GoalsRead:
        """All of them, and the files that do not count."""

    async def find(self, goal_id: GoalId) -> Goal | None:
        """That goal; None where there is none, or none that can be read."""

    async def give(self, goal: Goal) -> tuple[Goal, bool]:
        """The goal as it is kept, and whether it is a new one; one that was there is active again.

        Raises:
            StorageError: it is not kept.
        """

    async def change(self, goal_id: GoalId, edit: Callable[[Goal], Goal]) -> Goal | None:
        """The goal after ``edit``; None where there is none.

        Raises:
            StorageError: it is as it was.
        """


@dataclass(frozen=True, slots=True)
class Delivery:
    """Items of one goal on their way into a conversation of its agent."""

    goal: Goal
    items: tuple[GoalItem, ...]
    text: Callable[[Sequence[GoalItem]], str]
    """What the agent says, given the items among them that nobody was told before."""
    cwd: Path
    """Where a conversation works that has to be begun for it."""


class GoalHistory(Protocol):
    """What grows with goals. Raises StorageError."""

    async def told(self, goal_id: GoalId) -> Mapping[str, str]:
        """The keys that were told, each with the version that was."""

    async def first_seen(self, goal_id: GoalId) -> Mapping[str, datetime]:
        """When each key was seen for the first time."""

    async def saw(self, goal_id: GoalId, keys: Sequence[str]) -> None:
        """These keys are there now, told or not."""

    async def deliver(self, delivery: Delivery) -> GoalSpoke | None:
        """What now stands in a conversation, or None when all of it was told before; all or nothing."""

    async def hold(self, goal_id: GoalId, items: Sequence[GoalItem]) -> None:
        """They wait to be told, but those that were; a newer line of a key takes an older one's place."""

    async def held(self, goal_id: GoalId) -> tuple[GoalItem, ...]:
        """What waits to be told, the oldest first."""

    async def notice(self, goal_id: GoalId, items: Sequence[GoalItem]) -> None:
        """People were told of them by a notification: they count as told, and are still to be shown."""

    async def to_show(self, goal_id: GoalId) -> tuple[GoalItem, ...]:
        """What people were told of outside, and is to be shown in the conversation; the oldest first."""

    async def mute(self, goal_id: GoalId, key: str, *, on: bool) -> bool:
        """Nobody is told of that key any more, or is again; False where the goal never had it."""

    async def muted(self, goal_id: GoalId) -> Mapping[str, str]:
        """The keys that nobody is told of, each with the line that waits, or an empty one."""

    async def waiting(self) -> tuple[GoalId, ...]:
        """The goals of which something waits to be told, or to be shown."""

    async def add_record(self, goal_id: GoalId, text: str) -> None:
        """One more line for the turns to come."""

    async def records(self, goal_id: GoalId, limit: int) -> tuple[str, ...]:
        """The last ``limit`` lines, oldest first."""

    async def add_run(self, run: GoalRun) -> None:
        """One more row of the history."""

    async def runs(self, goal_id: GoalId, limit: int) -> tuple[GoalRun, ...]:
        """The last ``limit`` rows, the newest first."""


class Outside(Protocol):
    """Where people are told who look at no conversation."""

    async def tell(self, news: tuple[GoalNews, ...]) -> bool:
        """Whether somebody was told: a notification was shown, another device took it, or it was seen."""


class GoalCosts(Protocol):
    """What goals have cost, as their history says. Raises StorageError."""

    async def spent(self, since: datetime, goal_id: GoalId | None = None) -> Spent:
        """What turns have cost that began since then: those of one goal, or of all."""

    async def renew(self, goal_id: GoalId) -> None:
        """A person lets it go on: what it cost and failed at before does not count any more."""

    async def renewed_at(self, goal_id: GoalId) -> datetime | None:
        """When a person last did that."""

    async def asked(self, item: GoalItem) -> bool:
        """Some goal has told an item of that key and version, or is about to."""


class GoalShelf(Protocol):
    """Goals as people, and agents for them, give and change them. Raises UserFixableError."""

    @property
    def looks_now(self) -> bool:
        """Turns of goals begin in this program; else they wait for one that stays."""

    async def look(self) -> GoalsRead:
        """All of them as they are now, and the files that do not count."""

    async def give(self, agent_id: AgentId, sentence: str, cron: str = "") -> tuple[Goal, bool]:
        """The goal, and whether it is a new one; its first turn begins at once where turns can."""

    async def cue(self, goal: Goal, cue: GoalCue, until: datetime | None = None) -> Goal:
        """The goal after that."""

    async def edit(self, goal: Goal, sentence: str) -> Goal:
        """The same goal in other words; what was told stays told."""

    async def runs(self, goal: Goal, limit: int) -> tuple[GoalRun, ...]:
        """Its history, the newest first."""

    async def mute(self, goal: Goal, key: str, *, on: bool) -> None:
        """Nobody is told of that key any more; or, not ``on``, is told again."""

    async def keys(self, goal: Goal) -> Sequence[str]:
        """The keys of everything that it ever had to tell, the newest first."""

    async def muted(self, goal: Goal) -> Mapping[str, str]:
        """The keys that nobody is told of, each with the line that waits, or an empty one."""

    def begin(self, goal_id: GoalId) -> None:
        """A turn of it begins now; nothing happens in a program that does not stay."""
