"""A shell command as a parser reads it: plain values, no tree."""

from dataclasses import dataclass
from enum import StrEnum


class Construct(StrEnum):
    """What a command is made of besides simple commands. Each one has to be asked about."""

    SUBSTITUTION = "substitution"
    PROCESS = "process"
    """Process substitution, ``<(…)``."""
    BACKGROUND = "background"
    FUNCTION = "function"
    HEREDOC = "heredoc"
    ASSIGNMENT = "assignment"
    SUBSHELL = "subshell"
    CONTROL = "control"
    """Loops, branches, cases, groups."""
    TEST = "test"
    """``[ … ]``, ``[[ … ]]``, ``(( … ))``."""
    DECLARATION = "declaration"
    """``export``, ``declare``, ``unset`` and their like."""


@dataclass(frozen=True, slots=True)
class Nest:
    """One construct around a simple command."""

    kind: Construct
    number: int
    """Tells two constructs of one command apart."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """One redirection."""

    operator: str
    target: str
    """Raw text of the target; the body of a here document; empty when there is none."""
    descriptor: str = ""


@dataclass(frozen=True, slots=True)
class Assignment:
    """``name=value``, before a command or on its own."""

    name: str
    value: str
    """Raw text."""


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """One program with its words, wherever in the text it stands."""

    words: tuple[str, ...]
    """Raw text of each word, quotes and all; empty when the command only assigns or redirects."""
    assignments: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    nest: tuple[Nest, ...] = ()
    """Outermost first."""
    pipeline: int = -1
    """Commands of one pipeline share a number; -1 when it stands alone."""
    stage: int = 0
    """Place in the pipeline."""


@dataclass(frozen=True, slots=True)
class FunctionBody:
    """A function that the command defines."""

    name: str
    body: str


@dataclass(frozen=True, slots=True)
class ParsedShell:
    """What one text holds."""

    commands: tuple[SimpleCommand, ...]
    """In the order of the text; a substitution stands before the command that uses it."""
    constructs: frozenset[Construct]
    functions: tuple[FunctionBody, ...]
    damaged: bool
    """The parser found an error somewhere, so nothing here is certain."""
