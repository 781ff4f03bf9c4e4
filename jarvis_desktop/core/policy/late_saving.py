"""A rule that is saved after its call was allowed: a spoken ALWAYS allows once, a second clear yes saves."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from jarvis_desktop.core.items.commands import DecideSaving
from jarvis_desktop.core.items.decisions import Question, Saved, Settled
from jarvis_desktop.core.items.events import SavingEnded, SavingOffered
from jarvis_desktop.core.policy.telling import Telling
from jarvis_desktop.core.ports import Clock, Emit

SAVE_WITHIN_S = 45.0
"""For reading the rule back, listening and recognising; whoever says nothing saves nothing."""

Remember: TypeAlias = Callable[[], Awaitable[Saved]]
"""Saves the rules of an offer. Must not raise."""
Kept: TypeAlias = Callable[[Question, Settled, Saved], Awaitable[None]]
"""Told what came of a late saving, for log and audit."""


@dataclass(frozen=True, slots=True)
class _Offer:
    question: Question
    settled: Settled
    remember: Remember


class LateSaving:
    """At most one rule waits for its second yes. Whatever happens to it is told once."""

    def __init__(self, clock: Clock, emit: Emit, kept: Kept) -> None:
        self._clock = clock
        self._tell_surely = Telling(emit)
        self._kept = kept
        self._open: _Offer | None = None
        self._timer: asyncio.Task[None] | None = None

    async def offer(self, question: Question, settled: Settled, remember: Remember) -> None:
        """The rule of ``question`` is read back, and can be saved for a while."""
        await self.end()
        self._open = _Offer(question, settled, remember)
        self._timer = asyncio.create_task(self._wait_out(self._open))
        await self._tell_surely(SavingOffered(question))

    async def decide(self, command: DecideSaving, *, shut_out: bool) -> bool:
        """Whether the rule was saved: the person wanted it, in time, and it is the one that was read back.

        shut_out: a yes on this road is none now, so that it saves nothing.
        """
        open_ = self._open
        if open_ is None or (command.question_id, command.digest) != (
            open_.question.question_id,
            open_.question.digest,
        ):
            return False
        if shut_out or not command.save:
            await self.end()
            return False
        self._close()
        saved = await open_.remember()
        await self._kept(open_.question, replace(open_.settled, by=command.by), saved)
        await self._over(open_, saved)
        return not saved.problem

    async def end(self) -> None:
        """The rule that waits, if one does, is not saved."""
        open_ = self._close()
        if open_ is not None:
            await self._over(open_, None)

    def _close(self) -> _Offer | None:
        """Nothing waits any more, and no time runs, though a rule may be on its way to the disk."""
        open_, self._open = self._open, None
        timer, self._timer = self._timer, None
        if timer is not None and timer is not asyncio.current_task():
            timer.cancel()
        return open_

    async def _over(self, offer: _Offer, saved: Saved | None) -> None:
        problem = saved.problem if saved is not None else ""
        done = saved is not None and not problem
        await self._tell_surely(SavingEnded(offer.question.question_id, saved=done, problem=problem))

    async def _wait_out(self, offer: _Offer) -> None:
        await self._clock.sleep(SAVE_WITHIN_S)
        if self._open is offer:  # pragma: no branch - who gave way is not waited for
            await self.end()
