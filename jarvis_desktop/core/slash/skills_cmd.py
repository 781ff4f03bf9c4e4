"""``/skills``: the texts of one's own that ``/name`` becomes."""

from collections.abc import Sequence

from jarvis_desktop.core.items.skills import Skill, SkillShow
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code, listed, plain, whole
from jarvis_desktop.core.slash.near import nearest
from jarvis_desktop.core.slash.parsing import SLASHES, folded
from jarvis_desktop.core.slash.world import World

LONGEST_PURPOSE = 160


class SkillsCommand(SlashCommand):
    """Show your skills: texts of your own that are called by a slash and a name.

    /skills: all of them, with their files and what is wrong with any
    /skills NAME: the whole text of that one
    """

    name = "skills"
    also = ("스킬",)

    async def run(self, rest: str, world: World) -> Said:
        """A list, or one text."""
        show = await world.skills.look()
        if not rest:
            return Said(_list(show, world))
        word = folded(rest.lstrip(SLASHES))
        skill, fault = show.find(word), show.fault(word)
        if skill is not None:
            return Said(_one(skill))
        if fault is not None:
            return Said(plain(fault.text, len(fault.text)), well=False)
        return Said(_unknown(word, show, world), well=False)

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """The names of all skills."""
        del typed
        return [Value(one.name, one.purpose) for one in (await world.skills.look()).skills]


def _list(show: SkillShow, world: World) -> str:
    texts, folder = world.texts, code(str(world.skills.folder))
    parts = []
    if show.skills:
        lines = [
            f"{code(f'/{one.name}')} — {plain(one.purpose, LONGEST_PURPOSE)} ({code(one.file)})"
            for one in show.skills
        ]
        hint = texts("{command} shows the text of one. The files lie in {folder}.")
        parts += [listed(lines), hint.format(command=code(texts("/skills NAME")), folder=folder)]
    else:
        text = texts(
            "There are no skills yet. One is a text file {example} in {folder}; {name} becomes its text."
        )
        parts.append(text.format(example=code("name.md"), folder=folder, name=code("/name")))
    if show.faults:
        wrong = [plain(one.text, len(one.text)) for one in show.faults]
        parts.append(f"{texts('These files are no skills until they are mended:')}\n\n{listed(wrong)}")
    return "\n\n".join(parts)


def _one(skill: Skill) -> str:
    purpose = plain(skill.purpose, LONGEST_PURPOSE)
    return f"{code(f'/{skill.name}')} — {purpose} ({code(skill.file)})\n\n{whole(skill.body)}"


def _unknown(word: str, show: SkillShow, world: World) -> str:
    near = nearest(word, (one.name for one in show.skills))
    text = world.texts("There is no skill {name}.").format(name=code(word))
    if near:
        text += " " + world.texts("Did you mean {name}?").format(name=code(f"/skills {near}"))
    return f"{text}\n\n{_list(show, world)}"
