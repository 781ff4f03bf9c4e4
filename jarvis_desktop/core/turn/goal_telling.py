"""What a goal's turn tells: into the conversation at once, or kept until it can be (decision 23)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jarvis_desktop.core.goals.answer import GoalAnswer, merged
from jarvis_desktop.core.goals.telling import MOST_AT_ONCE, said, untold
from jarvis_desktop.core.items.calls import ToolResult
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.goal_notices import GoalNews
from jarvis_desktop.core.items.goals import (
    Goal,
    GoalId,
    GoalItem,
    GoalOutcome,
    GoalReport,
    GoalSpoke,
    GoalState,
    HeldItem,
    HeldWhy,
)
from jarvis_desktop.core.items.ids import SessionId
from jarvis_desktop.core.ports import Emit, Texts
from jarvis_desktop.core.ports.goals import Delivery, GoalHistory, Outside
from jarvis_desktop.core.turn.goal_calls import items_of

log = logging.getLogger(__name__)


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
        return any(one.why not in (HeldWhy.TOLD_BEFORE, HeldWhy.MUTED) for one in self.held)

    def outcome(self, otherwise: GoalOutcome) -> GoalOutcome:
        """The row of the history; ``otherwise`` where nothing was to be told."""
        if self.told:
            return GoalOutcome.ASKED if all(one.asks for one in self.told) else GoalOutcome.TOLD
        return GoalOutcome.UNDELIVERED if self.waits else otherwise

    def on(self, report: GoalReport) -> GoalReport:
        """The report with it."""
        run = replace(report.run, told=len(self.told))
        return replace(report, run=run, told=self.told, text=self.text, held=self.held)


@dataclass(frozen=True, slots=True)
class _Batch:
    """What there is to tell of one goal."""

    goal: Goal
    head: str
    now: tuple[GoalItem, ...]
    later: tuple[GoalItem, ...]
    seen: tuple[GoalItem, ...]
    """People were told of them outside; in the conversation they can ask on."""
    unheard: tuple[HeldItem, ...]

    def news(self, items: tuple[GoalItem, ...], session_id: SessionId | None = None) -> GoalNews:
        """That of it which nobody knows."""
        return GoalNews(self.goal.goal_id, self.goal.agent_id, self.goal.sentence, items, session_id)

    def told(self, items: tuple[GoalItem, ...] = (), text: str = "") -> Settled:
        """So much was told, in a conversation with this text, or outside."""
        later = tuple(HeldItem(one, HeldWhy.TOO_MANY) for one in self.later)
        return Settled(items, text, (*later, *self.unheard))

    def held(self, why: HeldWhy) -> Settled:
        """It waits."""
        now = tuple(HeldItem(one, why) for one in self.now)
        later = tuple(HeldItem(one, HeldWhy.TOO_MANY) for one in self.later)
        return Settled(held=(*now, *later, *self.unheard))


@dataclass(frozen=True, slots=True)
class TellingParts:
    """What is told with."""

    history: GoalHistory
    takes: Callable[[bool], bool]
    """Whether conversations can be spoken into now; given: a person waits for it, whether or not in focus."""
    is_quiet: Callable[[], bool]
    """Quiet hours: nobody is told what came by itself."""
    find: Callable[[GoalId], Awaitable[Goal | None]]
    """The goal as its file says now: a person may have ended it while its turn ran."""
    aloud: Callable[[], bool]
    """What is told in a conversation is read out, too."""
    outside: Outside
    texts: Texts
    emit: Emit


class GoalTelling:
    """Tells what is new, one after another: nothing is told twice because two ways were open at once."""

    def __init__(self, parts: TellingParts) -> None:
        self._parts = parts
        self._one_by_one = asyncio.Lock()

    async def found(self, goal: Goal, result: ToolResult) -> None:
        """What a tool wants to be told waits on disk from now on, whatever becomes of the turn."""
        items = items_of(result)
        if not items:
            return
        try:
            await self._parts.history.hold(goal.goal_id, items)
        except StorageError as error:  # tried again when the turn has ended, and then it counts
            log.warning("what a tool found could not be kept", extra={"error": type(error).__name__})

    async def tell(
        self, goal: Goal, answer: GoalAnswer, made: Sequence[GoalItem], cwd: Path, *, asked: bool = False
    ) -> Settled:
        """What is new of all that the model said and the tools made; the rest is kept.

        Everything new waits on disk before anything is told, so that a kill at any point loses none of it.
        asked: a person waits for it, also in quiet hours.
        """
        history, items = self._parts.history, merged(answer.items, made)
        async with self._one_by_one:
            await history.saw(goal.goal_id, [one.key for one in items])
            fresh = untold(items, await history.told(goal.goal_id))
            await history.hold(goal.goal_id, fresh)
            new = {one.key for one in fresh}
            before = tuple(HeldItem(one, HeldWhy.TOLD_BEFORE) for one in items if one.key not in new)
            # No turn comes behind one that has reached its goal.
            batch = await self._batch(goal, answer.head, None if answer.done else MOST_AT_ONCE)
            (settled,) = await self._tell((batch,), cwd, asked=asked)
        asks = bool(items) and all(one.asks for one in items)
        return replace(settled, held=(*before, *settled.held), only_asks=asks)

    async def tell_held(
        self, goals: Sequence[Goal], cwd: Path, *, asked: bool = False
    ) -> tuple[Settled, ...]:
        """What has waited, without any model; in the order of ``goals``, and outside in one message."""
        async with self._one_by_one:
            batches = [await self._batch(goal, "", MOST_AT_ONCE) for goal in goals]
            return await self._tell(batches, cwd, asked=asked)

    async def _batch(self, goal: Goal, head: str, most: int | None) -> _Batch:
        history = self._parts.history
        muted = await history.muted(goal.goal_id)
        held = await history.held(goal.goal_id)
        if await self._ended(goal):
            return _Batch(goal, "", (), (), (), tuple(HeldItem(one, HeldWhy.ENDED) for one in held))
        heard = tuple(one for one in held if one.key not in muted)
        unheard = tuple(HeldItem(one, HeldWhy.MUTED) for one in held if one.key in muted)
        seen = tuple(one for one in await history.to_show(goal.goal_id) if one.key not in muted)
        return _Batch(goal, head, heard[:most], heard[most:] if most else (), seen, unheard)

    async def _ended(self, goal: Goal) -> bool:
        """It was ended meanwhile. One that was over before is looked at because a person wants it."""
        now = await self._parts.find(goal.goal_id)
        return now is not None and now.state is GoalState.STOPPED and goal.state is not GoalState.STOPPED

    async def _tell(self, batches: Sequence[_Batch], cwd: Path, *, asked: bool) -> tuple[Settled, ...]:
        """Into the conversations that take it; of all that is new people are told outside, in one message."""
        parts = self._parts
        quiet = parts.is_quiet()
        if quiet and not asked:
            return tuple(one.held(HeldWhy.QUIET) for one in batches)
        ways = [await self._in_talk(one, cwd, asked=asked) for one in batches]
        settled = [one for one, _ in ways]
        news = tuple(one for _, one in ways if one is not None)
        if not quiet and news and await parts.outside.tell(news):
            for index, batch in enumerate(batches):
                if any(one.why is HeldWhy.BUSY for one in settled[index].held):
                    await parts.history.notice(batch.goal.goal_id, batch.now)
                    settled[index] = batch.told(batch.now)
        return tuple(settled)

    async def _in_talk(self, batch: _Batch, cwd: Path, *, asked: bool) -> tuple[Settled, GoalNews | None]:
        """What came of it in the conversation, and what of it is news outside."""
        if not self._parts.takes(asked):
            return batch.held(HeldWhy.BUSY), batch.news(batch.now) if batch.now else None
        spoke = await self._speak(batch, cwd)
        if spoke is None:
            return batch.told(), None
        told = batch.told(spoke.news, spoke.text)
        return told, batch.news(spoke.news, spoke.session_id) if spoke.news else None

    async def _speak(self, batch: _Batch, cwd: Path) -> GoalSpoke | None:
        more = ""
        if batch.later:
            more = self._parts.texts.plural(
                "{count} more comes with the next turn.",
                "{count} more come with the next turn.",
                len(batch.later),
            ).format(count=len(batch.later))

        def text(fresh: Sequence[GoalItem]) -> str:
            return said(batch.head, fresh, more)

        items = (*batch.seen, *batch.now)
        if not items:
            return None
        spoke = await self._parts.history.deliver(Delivery(batch.goal, items, text, cwd))
        if spoke is not None:
            aloud = bool(spoke.news) and self._parts.aloud()
            await self._parts.emit(replace(spoke, aloud=said(batch.head, spoke.news) if aloud else ""))
        return spoke
