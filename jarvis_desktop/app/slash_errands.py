"""Slash commands that other programs of the person bring, answered to them as well as in the window."""

import asyncio
from collections.abc import Callable

from jarvis_desktop.app.instance import Obeyed
from jarvis_desktop.core.items.commands import Command, SubmitTurn
from jarvis_desktop.core.items.events import Event, RequestRefused
from jarvis_desktop.core.items.ids import fresh_id
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.turn import Origin
from jarvis_desktop.core.slash.parsing import Slash, read


class SlashErrands:
    """Looks at events on their way to a front end. Everything runs on the core's loop."""

    def __init__(self, deliver: Callable[[Event], None], post: Callable[[Command], None]) -> None:
        self._deliver, self._post = deliver, post
        self._waiting: dict[str, asyncio.Future[Obeyed]] = {}

    def deliver(self, event: Event) -> None:
        """Whoever waits for it is told, then it is handed on."""
        match event:
            case SlashAnswered(errand=errand) if errand:
                self._tell(errand, Obeyed(event.answer, event.well))
            case RequestRefused(errand=errand) if errand:
                self._tell(errand, Obeyed(event.reason, well=False))
            case _:
                pass
        self._deliver(event)

    async def obey(self, text: str) -> Obeyed | None:
        """What came of the command; None for a text that is none, which is not worked on."""
        if not isinstance(read(text), Slash):
            return None
        errand = fresh_id()
        self._waiting[errand] = asyncio.get_running_loop().create_future()
        self._post(SubmitTurn(text, Origin.COMMAND_LINE, errand))
        try:
            return await self._waiting[errand]
        finally:
            del self._waiting[errand]

    def _tell(self, errand: str, obeyed: Obeyed) -> None:
        waiting = self._waiting.get(errand)
        if waiting is not None and not waiting.done():
            waiting.set_result(obeyed)
