"""What a slash command is: names, help out of its docstring, and what it does."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.helping import CommandHelp, Usage
from jarvis_desktop.core.slash.world import World


@dataclass(frozen=True, slots=True)
class Said:
    """What came of a command."""

    text: str
    """Markdown for the conversation, in the app's language."""
    well: bool = True
    """False: nothing was done, and the text says why."""
    quotes: bool = False
    """It repeats what was said elsewhere, which a person may forget; so it is shown and not stored."""
    aloud: str = ""
    """To be spoken; empty for most, since what is typed is read."""
    then: Command | None = None
    """Posted once the answer is stored."""
    tell: Event | None = None
    """Told once the answer is stored."""


@dataclass(frozen=True, slots=True)
class Value:
    """Something that may stand behind a command's name."""

    text: str
    help: str = ""
    goes_on: bool = False


class SlashCommand(ABC):
    """Base of all: the class docstring of each is its help.

    Its first line says what the command is for. Every further line is one way to type it, a colon, and what
    that does. All these lines are texts with translations (``.ci/texts.py`` collects them).
    """

    name: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()
    """Other names, Korean ones among them."""
    waits: ClassVar[bool] = False
    """It tells what people added: all of that has begun, or is not waited for any longer, before it runs."""

    @abstractmethod
    async def run(self, rest: str, world: World) -> Said:
        """Do it; ``rest`` is what stands behind the name, without blank ends.

        Raises:
            JarvisError: it could not be done; the text says why and what to do.
        """

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """What may stand behind the name, all of it; ``typed`` is what stands there already."""
        del typed, world
        return ()

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """All names, the main one first."""
        return (cls.name, *cls.also)

    @classmethod
    def described(cls, texts: Texts) -> CommandHelp:
        """The command in words."""
        purpose, *usages = (texts(line) for line in doc_lines(cls))
        pairs = (usage.partition(": ") for usage in usages)
        return CommandHelp(cls.name, cls.also, purpose, tuple(Usage(typed, text) for typed, _, text in pairs))


def doc_lines(command: type[SlashCommand]) -> list[str]:
    """The lines of a command's help, in English."""
    return [line for line in inspect.cleandoc(command.__doc__ or "").splitlines() if line]
