"""``/memory``: what is remembered of earlier turns, and forgetting it."""

from collections.abc import Sequence
from datetime import datetime

from jarvis_desktop.core.items.memory import Episode, Recall
from jarvis_desktop.core.items.memory_desk import ForgetEpisode
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.forgetting import FORGET, KEEP, Forgotten, with_state
from jarvis_desktop.core.slash.markup import code, plain
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.world import World

SHOWN = 10


class MemoryCommand(SlashCommand):
    """Look into what Jarvis remembers of earlier turns, and have it forget one.

    /memory: the newest turns that this agent remembers
    /memory WORDS: those that fit these words best
    /memory forget N: number N of the list is forgotten, also in its conversation
    /memory keep: what was forgotten last stays after all
    """

    name = "memory"
    also = ("기억",)

    def __init__(self) -> None:
        self._shown: tuple[Episode, ...] = ()
        """The list that a person has read; numbers mean its lines."""
        self._forgotten = Forgotten()

    async def run(self, rest: str, world: World) -> Said:
        """A list, or one turn less."""
        first, _, number = rest.partition(" ")
        if folded(first) in KEEP and not number:
            return self._forgotten.take_back(world)
        if folded(first) in FORGET:
            return await self._forget(number.strip(), world)
        self._shown = await _found(rest, world)
        return Said(with_state(_list(self._shown, rest, world), world), quotes=bool(self._shown))

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """What can be forgotten, by number."""
        word = typed.partition(" ")[0]
        if folded(word) not in FORGET:
            keep = [Value("keep", world.texts("what was forgotten last stays"))] if self._forgotten else []
            return [Value("forget", world.texts("forget one of the list"), goes_on=True), *keep]
        self._shown = self._shown or await _found("", world)
        return [Value(f"{word} {number}", _title(one)) for number, one in enumerate(self._shown, 1)]

    async def _forget(self, number: str, world: World) -> Said:
        shown = self._shown or await _found("", world)
        if not (number.isascii() and number.isdigit() and 1 <= int(number) <= len(shown)):
            text = world.texts("There is no turn {number} in the list. {command} shows the list.")
            return Said(text.format(number=code(number) or "?", command=code("/memory")), well=False)
        self._shown = ()
        wish = ForgetEpisode(shown[int(number) - 1].number)
        text = world.texts(
            "The turn is forgotten: the memory of it, its place in the conversation, and the text of its "
            "decisions."
        )
        return self._forgotten.begin(wish, text, "/memory keep", world)


async def _found(words: str, world: World) -> tuple[Episode, ...]:
    agent_id = world.conversation().agent_id
    return (await world.memory.look(Recall(text=words, agent_id=agent_id, limit=SHOWN))).episodes


def _list(shown: Sequence[Episode], words: str, world: World) -> str:
    texts = world.texts
    if not shown and words:
        return texts("Nothing that fits is remembered: {words}").format(words=code(words))
    if not shown:
        return texts("Nothing is remembered yet.")
    lines = [f"{number}. {_title(one)} — {_when(one.at)}" for number, one in enumerate(shown, 1)]
    hint = texts(
        "{command} forgets one. The settings window (Ctrl+Alt+,) shows all, and how long it is kept."
    )
    return "\n".join((*lines, "", hint.format(command=code(texts("/memory forget N")))))


def _title(episode: Episode) -> str:
    return plain(str(episode.request), 70)


def _when(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"
