"""The memory's desk: does what the memory page asks for, and forgets what is due."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Protocol, TypeAlias

from jarvis_desktop.adapters.sqlite_memory import SqliteMemory
from jarvis_desktop.app.task_desk import TaskDesk
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.goals import GoalId
from jarvis_desktop.core.items.ids import AgentId, TurnId
from jarvis_desktop.core.items.memory_desk import (
    ChangeEpisode,
    ChangePattern,
    EpisodeChanged,
    Erased,
    ForgetBegun,
    ForgetEpisode,
    ForgetEverything,
    ForgetPattern,
    ForgetUndone,
    LookAtMemory,
    MemoryCommand,
    MemoryLooked,
    MemoryWishRefused,
    PatternChanged,
    UndoForget,
)
from jarvis_desktop.core.ports import Clock, Emit, InterruptedTurn, Texts
from jarvis_desktop.core.settings import MemorySettings

log = logging.getLogger(__name__)

UNDO_S = 10
"""How long forgetting can be taken back; then it is done."""
LOOK_S = 6 * 3600
"""How often turns are looked for that are older than the person wants."""

Forgettable: TypeAlias = ForgetEpisode | ForgetPattern


class Talk(Protocol):
    """The open conversations, as far as forgetting reaches them."""

    async def quiet(self) -> None:
        """No turn runs or waits any more; what waited is dropped."""

    async def forget(self, turn_ids: frozenset[TurnId] | None) -> None:
        """Neither windows nor models know these turns any more; None for all."""


class GoalWork(Protocol):
    """Goals, as far as forgetting reaches them; they themselves are orders, and stay."""

    async def ids_of(self, agent_id: AgentId | None) -> tuple[GoalId, ...]:
        """Those of that agent; None for all."""

    async def forget_turns(self, agent_id: AgentId | None) -> None:
        """Their files hold nothing of what their turns did. Raises StorageError."""


@dataclass(frozen=True, slots=True)
class MemoryDeskParts:
    """What the desk works with."""

    memory: SqliteMemory
    settings: Callable[[], MemorySettings]
    """Asked every time."""
    names: Callable[[Sequence[AgentId]], Mapping[AgentId, str]]
    """What people call agents; one that is there no more keeps its id."""
    clock: Clock
    texts: Texts
    emit: Emit
    one_goal: bool = False
    """One turn of a goal is all, maybe at another time than the machine's: nothing is too old by it."""


class MemoryDesk(TaskDesk[MemoryCommand]):
    """Obeys ``MemoryCommand``s."""

    def __init__(self, parts: MemoryDeskParts) -> None:
        super().__init__()
        self._parts = parts
        self._talk: Talk | None = None
        self._goals: GoalWork | None = None
        self._beside = False
        self._leaving: dict[Forgettable, asyncio.Future[None]] = {}
        """What can still be taken back, and what waits until it cannot."""

    @property
    def memory(self) -> SqliteMemory:
        """What is looked at without a page."""
        return self._parts.memory

    def attach(self, talk: Talk, goals: GoalWork | None = None, *, beside: bool = False) -> None:
        """What is erased from now on leaves these conversations too.

        beside: another program has the same home open, and looks after what is due.
        """
        self._talk, self._goals, self._beside = talk, goals, beside

    async def run(self, interrupted: Sequence[InterruptedTurn] = ()) -> None:
        """Finish what an earlier start had begun; then forget what grows too old.

        interrupted: the turns that the end of that start had cut off.
        """
        if self._beside:
            return
        memory, cut = self._parts.memory, [turn.turn_id for turn in interrupted]
        await self._told(memory.index_anew)
        await self._told(lambda: memory.remember_interrupted(cut))
        if self._parts.one_goal:
            return
        await self._told(self._erase_due)
        await self._told_alone(memory.remember_past)
        while True:
            await self._parts.clock.sleep(LOOK_S)
            await self._told(self._erase_due)

    async def close(self) -> None:
        """Everything that was asked for is done; what was let go here is erased now rather than later."""
        let_go = bool(self._leaving)
        for waiting in self._leaving.values():
            waiting.cancel()
        self._leaving.clear()
        await super().close()
        if let_go:
            await self._told(self._erase_leaving)

    def forget_old(self) -> None:
        """Turns that are too old by now go at once; returns before that."""
        if not self._parts.one_goal:
            self._begin(self._told(self._erase_old))

    # --- what a person asks for ---------------------------------------------------------------

    async def _do(self, command: MemoryCommand) -> None:
        await self._told(lambda: self._obeyed(command))

    async def _obeyed(self, command: MemoryCommand) -> None:
        match command:
            case LookAtMemory():
                await self._look(command)
            case ChangeEpisode() | ChangePattern():
                await self._change(command)
            case ForgetEpisode() | ForgetPattern():
                await self._forget(command)
            case UndoForget(wish):
                await self._undo(wish)
            case ForgetEverything(agent_id):
                await self._forget_everything(agent_id)

    async def _look(self, wish: LookAtMemory) -> None:
        parts, wanted = self._parts, wish.wanted
        if wish.within_s:
            wanted = replace(wanted, since=parts.clock.now() - timedelta(seconds=wish.within_s))
        found, settings = await parts.memory.look(wanted), parts.settings()
        names = parts.names(found.agents)
        told = MemoryLooked(wish.number, found, settings.enabled, settings.retention_days, names)
        await parts.emit(told)

    async def _change(self, command: ChangeEpisode | ChangePattern) -> None:
        event: EpisodeChanged | PatternChanged | None
        if isinstance(command, ChangeEpisode):
            event = await self._changed_episode(command)
        else:
            event = await self._changed_pattern(command)
        await self._parts.emit(event or self._gone())

    async def _changed_episode(self, wish: ChangeEpisode) -> EpisodeChanged | None:
        kept = await self._parts.memory.change_episode(wish.number, wish.request, wish.reply)
        return None if kept is None else EpisodeChanged(kept)

    async def _changed_pattern(self, wish: ChangePattern) -> PatternChanged | None:
        memory, pattern = self._parts.memory, wish.pattern
        if pattern.number:
            kept = await memory.change_pattern(pattern)
        else:
            kept = await memory.teach(replace(pattern, taught_at=self._parts.clock.now()))
        return None if kept is None else PatternChanged(kept)

    async def _forget(self, wish: Forgettable) -> None:
        alone = isinstance(wish, ForgetPattern) and not wish.with_turn
        if not await self._parts.memory.let_go(_table(wish), wish.number, alone=alone):
            await self._parts.emit(self._gone())
            return
        await self._parts.emit(ForgetBegun(wish, UNDO_S))
        waiting = self._begin(self._erase_later(wish))
        self._leaving[wish] = waiting

    async def _undo(self, wish: Forgettable) -> None:
        waiting = self._leaving.pop(wish, None)
        if waiting is not None:
            waiting.cancel()
        if await self._parts.memory.let_go(_table(wish), wish.number, on=False):
            await self._parts.emit(ForgetUndone(wish))
        else:
            await self._parts.emit(self._gone())

    # --- forgetting for good ------------------------------------------------------------------

    async def _erase_later(self, wish: Forgettable) -> None:
        await self._parts.clock.sleep(UNDO_S)
        await self._told(lambda: self._erase_one(wish))

    async def _erase_one(self, wish: Forgettable) -> None:
        # Taken back while this waited for its turn.
        if self._leaving.pop(wish, None) is not None:
            only = _table(wish), wish.number
            await self._erase(lambda: self._parts.memory.erase_leaving(only), (wish,))

    async def _erase_due(self) -> None:
        await self._parts.memory.scrub()
        await self._erase_leaving()
        await self._erase_old()

    async def _erase_leaving(self) -> None:
        if not self._leaving:
            await self._erase(self._parts.memory.erase_leaving)

    async def _erase_old(self) -> None:
        await self._erase(lambda: self._parts.memory.erase_older(self._parts.settings().retention_days))

    async def _forget_everything(self, agent_id: AgentId | None) -> None:
        if self._talk is not None:
            await self._talk.quiet()
        ids = await self._goals.ids_of(agent_id) if self._goals is not None else ()
        gone = await self._parts.memory.erase_everything(agent_id, ids)
        if self._goals is not None:
            await self._goals.forget_turns(agent_id)
        log.info("everything was forgotten", extra={"agents": "all" if agent_id is None else "one"})
        await self._finish(Erased(gone, everything=agent_id is None))

    async def _erase(
        self,
        work: Callable[[], Awaitable[tuple[TurnId, ...] | None]],
        wishes: tuple[Forgettable, ...] = (),
    ) -> None:
        gone = await work()
        if gone is not None:
            log.info("turns were forgotten", extra={"turns": len(gone)})
            await self._finish(Erased(gone, wishes))

    async def _finish(self, event: Erased) -> None:
        """What is in no table any more is shown no more, and then in no file."""
        if self._talk is not None:
            # A turn that runs keeps what it knows to its end, which nobody here waits for.
            self._begin(self._talk.forget(None if event.everything else frozenset(event.turn_ids)))
        await self._parts.memory.scrub()
        await self._parts.emit(event)

    async def _told(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do it, or tell why it was not done."""
        try:
            async with self._changing:
                await work()
        except StorageError as error:
            log.warning("memory was not changed", extra={"error": type(error).__name__})
            await self._parts.emit(MemoryWishRefused(str(error)))

    async def _told_alone(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do it beside everything else, or tell why it was not done."""
        try:
            await work()
        except StorageError as error:
            await self._parts.emit(MemoryWishRefused(str(error)))

    def _gone(self) -> MemoryWishRefused:
        return MemoryWishRefused(self._parts.texts("That is no longer there; it was forgotten meanwhile."))


def _table(wish: Forgettable) -> str:
    return "episodes" if isinstance(wish, ForgetEpisode) else "patterns"
