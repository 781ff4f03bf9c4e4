"""``/help``: what can be typed."""

from collections.abc import Sequence

from jarvis_desktop.core.items.skills import SkillShow
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.helping import CommandHelp
from jarvis_desktop.core.slash.markup import code, listed, plain
from jarvis_desktop.core.slash.parsing import SLASHES, folded
from jarvis_desktop.core.slash.world import World


class HelpCommand(SlashCommand):
    """Say which commands there are and how one is typed.

    /help: all commands
    /help NAME: the ways to type that one
    """

    name = "help"
    also = ("도움말", "도움", "commands", "?")

    async def run(self, rest: str, world: World) -> Said:
        """A list, or one command in full."""
        texts, commands = world.texts, world.commands()
        show = await world.skills.look()
        if not rest:
            return Said(_all(commands, show, texts))
        word = folded(rest.lstrip(SLASHES))
        found = next((one for one in commands if word in one.names), None)
        skill = show.find(word)
        if found is None and skill is not None:
            text = texts("your skill in {file}; {command} shows its text.")
            said = text.format(file=code(skill.file), command=code(f"/skills {skill.name}"))
            return Said(f"{code(f'/{skill.name}')} — {plain(skill.purpose)}\n\n{said}")
        if found is None:
            text = texts("There is no command {name}. {help} lists them all.")
            return Said(text.format(name=code(f"/{word}"), help=code("/help")), well=False)
        return Said(_one(found, texts))

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """The names of all commands."""
        del typed
        skills = (await world.skills.look()).skills
        commands = [Value(one.name, one.purpose) for one in world.commands()]
        return [*commands, *(Value(one.name, one.purpose) for one in skills)]


def _all(commands: Sequence[CommandHelp], show: SkillShow, texts: Texts) -> str:
    lines = [f"{code(f'/{one.name}')} — {one.purpose}" for one in commands]
    own = [f"{code(f'/{one.name}')} — {plain(one.purpose)}" for one in show.skills]
    skills = (texts("Your skills, which go to the model:"), listed(own)) if own else ()
    return "\n\n".join(
        (
            listed(lines),
            *skills,
            texts("{help} says how that one is typed. A command never goes to the model.").format(
                help=code(texts("/help NAME"))
            ),
            texts(
                "To send a text that begins with a slash, put a blank or a second slash before it: {example}"
            ).format(example=code("//help")),
        )
    )


def _one(command: CommandHelp, texts: Texts) -> str:
    parts = [f"{code(f'/{command.name}')} — {command.purpose}"]
    if command.usages:
        parts.append(listed([f"{code(usage.typed)} — {usage.help}" for usage in command.usages]))
    if command.also:
        names = ", ".join(code(f"/{name}") for name in command.also)
        parts.append(texts("Also: {names}").format(names=names))
    return "\n\n".join(parts)
