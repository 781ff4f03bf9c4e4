"""Tells people outside the conversation: by a notification of the front end, and on other devices."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from jarvis_desktop.core.items.goal_notices import GoalNews, GoalNotice, NoticeFate, SettleNotice
from jarvis_desktop.core.items.ids import fresh_id
from jarvis_desktop.core.ports import Clock, Emit

Push: TypeAlias = Callable[[tuple[GoalNews, ...]], Awaitable[bool]]
"""To the person's other devices; whether one of them took it."""
ANSWER_S = 10.0
"""A front end that has said nothing for so long shows nothing."""


class GoalOutside:
    """Fills ``Outside``."""

    def __init__(self, emit: Emit, clock: Clock, push: Push, *, windowed: bool) -> None:
        """windowed: the front end shows notices. Another one is a terminal, on which conversations appear."""
        self._emit, self._clock, self._push, self._windowed = emit, clock, push, windowed
        self._fates: dict[str, asyncio.Future[NoticeFate]] = {}

    async def tell(self, news: tuple[GoalNews, ...]) -> bool:
        """Whether people were told; see ``Outside``."""
        fate = await self._fate(news)
        if fate is NoticeFate.SEEN:
            return True
        return await self._push(news) or fate is NoticeFate.SHOWN

    def settle(self, order: SettleNotice) -> None:
        """The front end says what became of a notice; late or twice, it changes nothing."""
        waiting = self._fates.get(order.notice_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(order.fate)

    async def _fate(self, news: tuple[GoalNews, ...]) -> NoticeFate:
        if not self._windowed:
            told = all(one.session_id is not None for one in news)
            return NoticeFate.SEEN if told else NoticeFate.LOST
        notice = GoalNotice(fresh_id(), news)
        fate = self._fates[notice.notice_id] = asyncio.get_running_loop().create_future()
        patience = asyncio.ensure_future(self._clock.sleep(ANSWER_S))
        try:
            await self._emit(notice)
            await asyncio.wait({fate, patience}, return_when=asyncio.FIRST_COMPLETED)
            return fate.result() if fate.done() else NoticeFate.LOST
        finally:
            patience.cancel()
            del self._fates[notice.notice_id]
