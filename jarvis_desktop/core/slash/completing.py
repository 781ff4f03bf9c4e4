"""What may be typed next in a line that begins with a slash."""

import re
from collections.abc import Sequence

from jarvis_desktop.core.items.skills import SkillHint
from jarvis_desktop.core.items.slash import Choice
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.command import SlashCommand, Value
from jarvis_desktop.core.slash.helping import CommandHelp, Usage
from jarvis_desktop.core.slash.parsing import SLASHES, Slash, folded, read
from jarvis_desktop.core.slash.world import World

MOST_VALUES = 50
_WORDLESS = re.compile(rf"[\s{SLASHES}]")
"""In a line that is no longer only a name."""


def skill_help(skill: SkillHint, texts: Texts) -> CommandHelp:
    """A skill as commands are described: any text may stand behind its name."""
    return CommandHelp(skill.name, (), skill.purpose, (Usage(f"/{skill.name} {texts('TEXT')}", ""),))


def name_choices(line: str, commands: Sequence[CommandHelp]) -> tuple[Choice, ...]:
    """Commands whose name begins as ``line`` does; none once something stands behind the name."""
    if line[:1] not in SLASHES or not line or _WORDLESS.search(line[1:]):
        return ()
    typed = folded(line[1:])
    exact: list[Choice] = []
    begun: list[Choice] = []
    for command in commands:
        if typed in command.names:
            exact.append(_of_command(typed, command))
            continue
        name = next((name for name in command.names if name.startswith(typed)), None)
        if name is not None:
            begun.append(_of_command(name, command))
    return (*exact, *begun)


def _of_command(name: str, command: CommandHelp) -> Choice:
    label = f"/{name}" if name == command.name else f"/{name} = /{command.name}"
    if command.arguments:
        label = f"{label} {command.arguments}"
    return Choice(f"/{name}", label, command.purpose, goes_on=bool(command.arguments))


def behind_a_name(line: str) -> bool:
    """Something may be typed behind a command's name now."""
    return isinstance(read(line), Slash) and any(sign.isspace() for sign in line)


async def value_choices(line: str, command: SlashCommand, world: World) -> tuple[Choice, ...]:
    """What may stand behind the command's name, as far as it goes with what stands there."""
    first, *rest = line.split(maxsplit=1)
    typed = "".join(rest)
    wanted = folded(typed)
    begins: list[Value] = []
    holds: list[Value] = []
    for value in await command.values(typed, world):
        text = folded(value.text)
        if text.startswith(wanted):
            begins.append(value)
        elif wanted in text:
            holds.append(value)
    return tuple(
        Choice(f"{first} {value.text}", value.text, value.help, value.goes_on)
        for value in (*begins, *holds)[:MOST_VALUES]
    )
