"""``/goal mute`` and ``unmute``: what of a goal a person wants to hear no more of."""

import re

from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.goals import Goal
from jarvis_desktop.core.slash.command import Said
from jarvis_desktop.core.slash.markup import code, listed, plain
from jarvis_desktop.core.slash.world import World

MOST_KEYS = 10
_ID = re.compile(r"[0-9a-f]{16}(-\d+)?")


def parted(part: str) -> tuple[str, str]:
    """The part of the goal's sentence, and the key behind it; the key is empty where there is one word.

    Behind an id, as our own lines have it, all is the key: keys may hold blanks.
    """
    first, _, rest = part.strip().partition(" ")
    if _ID.fullmatch(first):
        return first, rest.strip()
    words, _, key = part.strip().rpartition(" ")
    return (words.strip(), key) if words else (key, "")


async def muted(goal: Goal, key: str, world: World, *, on: bool) -> Said:
    """Nobody is told of that key any more, or is again; without a key, which there are."""
    texts = world.texts
    if not key:
        return Said(await _keys(goal, world, on=on), well=False)
    try:
        await world.goals.mute(goal, key, on=on)
    except UserFixableError as error:
        return Said(f"{plain(str(error), 300)}\n\n{await _keys(goal, world, on=on)}", well=False)
    shown = {"key": code(key), "goal": f"“{plain(goal.sentence, 200)}”"}
    if not on:
        return Said(texts("{key} of {goal} is told again.").format(**shown))
    back = texts("{command} takes that back.").format(command=code(f"/goal unmute {goal.goal_id} {key}"))
    return Said(f"{texts('{key} of {goal} is told no more.').format(**shown)} {back}")


async def unheard(goal: Goal, world: World) -> str:
    """What nobody is told of, as the log shows it; empty where there is nothing."""
    found = await world.goals.muted(goal)
    if not found:
        return ""
    lines = [f"{code(key)} {plain(line, 200)}".strip() for key, line in found.items()]
    return "\n\n" + world.texts("Told no more, as you wished:") + "\n\n" + listed(lines)


async def _keys(goal: Goal, world: World, *, on: bool) -> str:
    texts = world.texts
    unheard_keys = await world.goals.muted(goal)
    if on:
        keys = [key for key in await world.goals.keys(goal) if key not in unheard_keys]
    else:
        keys = list(unheard_keys)
    if not keys:
        return texts("There is nothing to mute in it.") if on else texts("Nothing in it is muted.")
    word = "mute" if on else "unmute"
    lines = [code(f"/goal {word} {goal.goal_id} {key}") for key in keys[:MOST_KEYS]]
    return texts("Say the key behind it. The newest are:") + "\n\n" + listed(lines)
