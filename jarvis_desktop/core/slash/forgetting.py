"""Forgetting by a slash command: it begins at once, and can be taken back for some seconds."""

from datetime import datetime, timedelta

from jarvis_desktop.core.items.memory_desk import ForgetEpisode, ForgetPattern, UndoForget
from jarvis_desktop.core.slash.command import Said
from jarvis_desktop.core.slash.markup import code
from jarvis_desktop.core.slash.world import World

FORGET = frozenset({"forget", "잊기", "잊어"})
KEEP = frozenset({"keep", "undo", "되돌리기"})


class Forgotten:
    """What a command has forgotten last, as long as that can be taken back."""

    def __init__(self) -> None:
        self._last: tuple[ForgetEpisode | ForgetPattern, datetime] | None = None

    def __bool__(self) -> bool:
        return self._last is not None

    def begin(self, wish: ForgetEpisode | ForgetPattern, text: str, back: str, world: World) -> Said:
        """Forget; ``text`` says so, and ``back`` is the command that takes it back."""
        if not world.stays:
            return Said(text, then=wish)
        seconds = world.memory.undo_s
        self._last = wish, world.clock.now() + timedelta(seconds=seconds)
        undo = world.texts("For {seconds} seconds {command} takes that back.")
        return Said(f"{text} {undo.format(seconds=seconds, command=code(back))}", then=wish)

    def take_back(self, world: World) -> Said:
        """Keep it after all, unless it is too late."""
        last, self._last = self._last, None
        if last is None or world.clock.now() >= last[1]:
            text = world.texts("There is nothing that could be taken back: what was forgotten is gone.")
            return Said(text, well=False)
        return Said(world.texts("It stays."), then=UndoForget(last[0]))


def with_state(text: str, world: World) -> str:
    """``text``, and a word about memory that is switched off: what is there can be looked at all the same."""
    if world.settings.now.memory.enabled:
        return text
    off = world.texts("Memory is switched off: nothing is added or used until it is on again.")
    return f"{text}\n\n{off}"
