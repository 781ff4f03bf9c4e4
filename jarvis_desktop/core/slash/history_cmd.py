"""``/history``: earlier conversations, and going on with one."""

from collections.abc import Sequence
from datetime import datetime

from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.slash import OpenStored, StoredConversation
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code, plain
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.world import World

SHOWN = 10
MOST_SHOWN = 200
OPEN = frozenset({"open", "열기"})


class HistoryCommand(SlashCommand):
    """Show earlier conversations, find one by words, and go on with it.

    /history: the last ten
    /history N: the last N
    /history WORDS: those in which these words were said
    /history open N: go on with number N of the list
    """

    name = "history"
    also = ("기록", "대화기록", "이전대화")

    def __init__(self) -> None:
        self._shown: tuple[StoredConversation, ...] = ()
        """The list that a person has read; numbers mean its lines."""

    async def run(self, rest: str, world: World) -> Said:
        """A list, or another conversation."""
        first, _, more = rest.partition(" ")
        if folded(first) in OPEN:
            return await self._open(more.strip(), world)
        number = int(rest) if rest.isascii() and rest.isdigit() else 0
        words = "" if number else rest
        limit = min(number or SHOWN, MOST_SHOWN)
        self._shown = await world.chats.conversations(words, limit)
        return Said(_list(self._shown, words, world), quotes=bool(self._shown))

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """What can be opened, by number."""
        if folded(typed.partition(" ")[0]) not in OPEN:
            return [Value("open", world.texts("go on with one of the list"), goes_on=True)]
        shown = self._shown or await world.chats.conversations("", SHOWN)
        self._shown = shown
        word = typed.partition(" ")[0]
        return [Value(f"{word} {number}", _title(one, world)) for number, one in enumerate(shown, 1)]

    async def _open(self, number: str, world: World) -> Said:
        texts = world.texts
        shown = self._shown or await world.chats.conversations("", SHOWN)
        if not (number.isascii() and number.isdigit() and 1 <= int(number) <= len(shown)):
            text = texts("There is no conversation {number} in the list. {command} shows the list.")
            return Said(text.format(number=code(number) or "?", command=code("/history")), well=False)
        wanted = shown[int(number) - 1]
        if wanted.session_id == world.conversation().session_id:
            return Said(texts("This conversation is the one that is open."))
        said = [texts("Going on with “{title}”.").format(title=plain(wanted.title))]
        if world.running() and wanted.agent_id == world.conversation().agent_id:
            said.append(texts("The request that was running is stopped."))
        self._shown = ()
        return Said(" ".join(said), quotes=True, then=OpenStored(wanted.session_id))


def _list(shown: Sequence[StoredConversation], words: str, world: World) -> str:
    texts, own = world.texts, world.conversation().session_id
    if not shown and words:
        return texts("In no conversation that is kept were these words said: {words}").format(
            words=code(words)
        )
    if not shown:
        return texts("No conversations are kept yet.")
    lines = []
    for number, one in enumerate(shown, 1):
        count = texts.plural("{count} request", "{count} requests", one.requests).format(count=one.requests)
        here = f" · **{texts('open')}**" if one.session_id == own else ""
        lines.append(f"{number}. {_title(one, world)} — {_when(one.last_at)}, {count}{here}")
    hint = texts("{command} goes on with one.").format(command=code(texts("/history open N")))
    return "\n".join((*lines, "", hint))


def _title(one: StoredConversation, world: World) -> str:
    card = world.team.find(one.agent_id) if one.agent_id != MAIN_AGENT else None
    agent = f"{plain(card.name)}: " if card is not None else ""
    return f"{agent}{plain(one.title, 70)}"


def _when(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"
