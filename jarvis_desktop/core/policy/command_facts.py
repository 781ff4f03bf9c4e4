"""Facts about a shell command: one value that verdict, danger list, proposals, dialog and audit share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from jarvis_desktop.core.items.path_facts import PathFact
from jarvis_desktop.core.items.shell_syntax import FunctionBody
from jarvis_desktop.core.policy.command_words import Expanded
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.policy.plain_reading import PlainCommand


class Obstacle(StrEnum):
    """Why no rule can cover a command, whatever its words are."""

    EMPTY = "empty"
    TOO_LONG = "too-long"
    ODD_CHARACTERS = "odd-characters"
    SYNTAX = "syntax"
    SUBSTITUTION = "substitution"
    BACKGROUND = "background"
    FUNCTION = "function"
    HEREDOC = "heredoc"
    ASSIGNMENT = "assignment"
    STRUCTURE = "structure"
    NOT_LITERAL = "not-literal"
    NESTED_TOO_DEEP = "nested-too-deep"


@dataclass(frozen=True, slots=True)
class Opened:
    """A redirection with its target worked out."""

    operator: str
    target: Expanded
    descriptor: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One program that would run, however it is wrapped. For the danger list."""

    argv: tuple[Expanded, ...]
    redirects: tuple[Opened, ...] = ()
    cwd: str | None = None
    """None when a ``cd`` before it cannot be followed."""
    group: int = -1
    """Calls of one pipeline share it."""
    stage: int = 0
    fed: tuple[Expanded, ...] | None = None
    """Words from standard input, where they are known; empty when they are not; None when none come."""
    drawn: frozenset[int] = frozenset()
    """Indexes of words that hold what a download printed; -1 for a redirection."""
    foreign: str = ""
    """Program text in another language than shell; ``argv`` is empty then."""

    name: str = ""
    """Name of the program, without its folder; empty without one."""


@dataclass(frozen=True, slots=True)
class CommandFacts:
    """Everything about one command that a decision may rest on."""

    tool: str
    text: str
    place: Place
    plain: tuple[PlainCommand, ...]
    """The simple commands, when both readers see nothing else; empty otherwise."""
    obstacles: tuple[Obstacle, ...]
    calls: tuple[Call, ...]
    functions: tuple[FunctionBody, ...]
    paths: Mapping[str, PathFact] = field(default_factory=dict)
    """By absolute path; a path that is absent here was not looked at."""
    scripts: tuple["Script", ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """A script that the command would run, or that a tool would write."""

    path: str
    inside: CommandFacts
