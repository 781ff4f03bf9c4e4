"""How commands are described to people."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """One way to type a command."""

    typed: str
    """``/rules revoke N``; words in capitals stand for what a person puts there."""
    help: str


@dataclass(frozen=True, slots=True)
class CommandHelp:
    """One command, in the app's language."""

    name: str
    also: tuple[str, ...]
    purpose: str
    usages: tuple[Usage, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All names, the main one first."""
        return (self.name, *self.also)

    @property
    def arguments(self) -> str:
        """What may stand behind the name, all ways in one line; empty when nothing may."""
        behind = (usage.typed.partition(" ")[2] for usage in self.usages)
        return " | ".join(dict.fromkeys(filter(None, behind)))
