"""``/patterns``: ways of working that a person has taught."""

from collections.abc import Sequence

from jarvis_desktop.core.items.memory import Recall, TaskPattern
from jarvis_desktop.core.items.memory_desk import ForgetPattern
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.forgetting import FORGET, KEEP, Forgotten, with_state
from jarvis_desktop.core.slash.markup import code, listed, plain, whole
from jarvis_desktop.core.slash.near import nearest
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.world import World

SHOW = frozenset({"show", "보기"})


class PatternsCommand(SlashCommand):
    """Show the ways of working that you have taught this agent, and have it forget one.

    /patterns: all of them
    /patterns show NAME: that one in full
    /patterns forget NAME: that one is forgotten, and the turn in which it was taught
    /patterns keep: what was forgotten last stays after all
    """

    name = "patterns"
    also = ("방법", "패턴")

    def __init__(self) -> None:
        self._forgotten = Forgotten()

    async def run(self, rest: str, world: World) -> Said:
        """A list, one in full, or one less."""
        first, _, name = rest.partition(" ")
        word, name = folded(first), name.strip()
        if word in KEEP and not name:
            return self._forgotten.take_back(world)
        patterns = await _patterns(world)
        if not word:
            return Said(with_state(_list(patterns, world), world), quotes=bool(patterns))
        known = word in SHOW or word in FORGET
        found = _named(name if known else rest, patterns)
        if found is None:
            return Said(_unknown(name if known else rest, patterns, world), quotes=True, well=False)
        if word not in FORGET:
            return Said(_whole(found, world), quotes=True)
        text = world.texts("The pattern is forgotten, and the turn in which it was taught.")
        return self._forgotten.begin(ForgetPattern(found.number), text, "/patterns keep", world)

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """What can be shown and forgotten, by name."""
        word = typed.partition(" ")[0]
        if folded(word) in {*SHOW, *FORGET}:
            return [Value(f"{word} {one.name}", one.when) for one in await _patterns(world)]
        texts = world.texts
        keep = [Value("keep", texts("what was forgotten last stays"))] if self._forgotten else []
        return [
            Value("show", texts("one of them in full"), goes_on=True),
            Value("forget", texts("forget one of them"), goes_on=True),
            *keep,
        ]


async def _patterns(world: World) -> tuple[TaskPattern, ...]:
    agent_id = world.conversation().agent_id
    found = await world.memory.look(Recall(agent_id=agent_id, limit=1))
    return found.patterns


def _named(name: str, patterns: Sequence[TaskPattern]) -> TaskPattern | None:
    wanted = folded(name)
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(patterns):
        return patterns[int(wanted) - 1]
    return next((one for one in patterns if folded(one.name) == wanted), None)


def _list(patterns: Sequence[TaskPattern], world: World) -> str:
    texts = world.texts
    if not patterns:
        return texts("This agent was taught no ways of working yet. Tell it how you want something done.")
    lines = [f"{number}. {code(one.name)} — {plain(one.when, 160)}" for number, one in enumerate(patterns, 1)]
    show, forget = code(texts("/patterns show NAME")), code(texts("/patterns forget NAME"))
    return "\n".join(
        (*lines, "", texts("{show} shows one in full, {forget} forgets it.").format(show=show, forget=forget))
    )


def _whole(pattern: TaskPattern, world: World) -> str:
    texts = world.texts
    facts = [
        f"{texts('For')}: {plain(pattern.when, 300)}",
        f"{texts('Words')}: {', '.join(code(word) for word in pattern.keywords)}",
        f"{texts('Taught')}: {pattern.taught_at.astimezone():%Y-%m-%d %H:%M}",
    ]
    return "\n\n".join((f"**{plain(pattern.name)}**", listed(facts), whole(pattern.content)))


def _unknown(name: str, patterns: Sequence[TaskPattern], world: World) -> str:
    near = nearest(name, [one.name for one in patterns])
    text = world.texts("There is no pattern {name}.").format(name=code(name) or "?")
    if near:
        text += " " + world.texts("Did you mean {name}?").format(name=code(near))
    return f"{text}\n\n{_list(patterns, world)}"
