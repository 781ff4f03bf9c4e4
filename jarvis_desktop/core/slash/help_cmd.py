"""``/help``: what can be typed."""

from collections.abc import Sequence

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.helping import CommandHelp
from jarvis_desktop.core.slash.markup import code, listed
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
        if not rest:
            return Said(_all(commands, texts))
        word = folded(rest.lstrip(SLASHES))
        found = next((one for one in commands if word in one.names), None)
        if found is None:
            text = texts("There is no command {name}. {help} lists them all.")
            return Said(text.format(name=code(f"/{word}"), help=code("/help")), well=False)
        return Said(_one(found, texts))

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """The names of all commands."""
        del typed
        return [Value(one.name, one.purpose) for one in world.commands()]


def _all(commands: Sequence[CommandHelp], texts: Texts) -> str:
    lines = [f"{code(f'/{one.name}')} — {one.purpose}" for one in commands]
    return "\n\n".join(
        (
            listed(lines),
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
