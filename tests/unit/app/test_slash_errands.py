"""Errands: commands of other programs, answered to them as well as shown."""

import asyncio

from jarvis_desktop.app.instance import Obeyed
from jarvis_desktop.app.slash_errands import SlashErrands
from jarvis_desktop.core.items.commands import Command, SubmitTurn
from jarvis_desktop.core.items.events import Event, RequestRefused
from jarvis_desktop.core.items.ids import SessionId, TurnId
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.turn import Origin
from tests.fakes.clock import START


def answered(errand: str, *, well: bool = True) -> SlashAnswered:
    turn_id, session_id = TurnId("c"), SessionId("s")
    return SlashAnswered(turn_id, session_id, "/x", "done", Origin.TYPED, START, well, errand=errand)


class Door:
    """Errands with both ends in a list."""

    def __init__(self) -> None:
        self.shown: list[Event] = []
        self.posted: list[Command] = []
        self.errands = SlashErrands(self.shown.append, self.posted.append)

    async def bring(self, text: str) -> tuple["asyncio.Task[Obeyed | None]", str]:
        """The errand on its way, and its name."""
        task = asyncio.create_task(self.errands.obey(text))
        await asyncio.sleep(0)
        (command,) = self.posted
        assert isinstance(command, SubmitTurn)
        assert (command.text, command.origin) == (text, Origin.COMMAND_LINE)
        return task, command.errand


async def test_the_answer_goes_to_who_asked_and_to_the_window() -> None:
    door = Door()
    task, errand = await door.bring("/mute")
    others = [answered(""), answered("another")]
    for event in (*others, answered(errand)):
        door.errands.deliver(event)
    assert await task == Obeyed("done", well=True)
    assert door.shown == [*others, answered(errand)]


async def test_a_refusal_is_an_answer_too() -> None:
    door = Door()
    task, errand = await door.bring("/hlep")
    door.errands.deliver(RequestRefused("/hlep", "no such command", errand))
    assert await task == Obeyed("no such command", well=False)


async def test_what_is_no_command_is_never_posted() -> None:
    door = Door()
    for text in ("delete my files", "/etc/hosts", "//quit", " /quit", ""):
        assert await door.errands.obey(text) is None
    assert door.posted == []


async def test_an_answer_after_the_asker_has_gone_is_only_shown() -> None:
    door = Door()
    task, errand = await door.bring("/mute")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    door.errands.deliver(answered(errand))
    assert door.shown == [answered(errand)]
