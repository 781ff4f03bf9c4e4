"""Facts about tool calls that are no shell commands, and what the disk must be asked for either kind."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from jarvis_desktop.core.items.path_facts import PathFact
from jarvis_desktop.core.policy.command_facts import CommandFacts, Script
from jarvis_desktop.core.policy.interpreters import Source, program_of
from jarvis_desktop.core.policy.paths import Guarded, Place, absolute, guard_of

MOST_PATHS = 64
"""More words than this in one command are not looked up on the disk."""
_CODE_ENDINGS = (
    ".sh", ".bash", ".zsh", ".fish", ".ksh", ".command", ".py", ".pl", ".rb", ".js", ".mjs", ".ts", ".php",
    ".lua",
    ".ps1", ".bat", ".cmd", ".desktop", ".service", ".timer", ".plist", ".awk",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WriteFacts:
    """Facts about a call that writes one file."""

    tool: str
    path: str
    """As the call names it."""
    place: Place
    disk: PathFact | None
    """None when nobody looked; then no rule covers it."""
    content: Script | None = None
    """What would be written, when it goes to a program or start-up file."""
    two_readings: bool = False
    """Others read the path in another way than the tool does, so no rule covers it."""


@dataclass(frozen=True, slots=True)
class OtherFacts:
    """Facts about any other call."""

    tool: str
    place: Place
    paths: tuple[str, ...] = ()
    """Absolute paths that its arguments could name, as text and with their links followed."""


@dataclass(frozen=True, slots=True)
class ReadFacts:
    """Facts about a call that shows the model what is in a file or folder."""

    tool: str
    place: Place
    path: str
    """As the call names it."""
    real: str
    """Absolute, with its links followed as far as they could be."""


@dataclass(frozen=True, slots=True)
class WebFacts:
    """Facts about a call that asks a host of the web for a page."""

    tool: str
    place: Place
    host: str
    """As it will be asked; as written where it is no host."""
    trusted: bool
    """The person or a search named it, or nothing that a stranger wrote can have asked for it."""


@dataclass(frozen=True, slots=True)
class TaughtFacts:
    """Facts about a call that keeps something for all later turns."""

    tool: str
    place: Place
    trusted: bool
    """No stranger's text is in the conversation that may have asked for it."""


Facts: TypeAlias = CommandFacts | WriteFacts | OtherFacts | ReadFacts | WebFacts | TaughtFacts


def paths_wanted(facts: CommandFacts) -> tuple[str, ...]:
    """Absolute paths that the command names: operands, values of options, targets of redirections."""
    found = dict.fromkeys(_named(facts))
    return tuple(found)[:MOST_PATHS]


def scripts_wanted(facts: CommandFacts) -> tuple[str, ...]:
    """Absolute paths of script files that the command would run."""
    found: dict[str, None] = {}
    for call in facts.calls:
        if not call.argv or any(word.missing for word in call.argv[:1]):
            continue
        words = [word.text for word in call.argv]
        program = program_of(words)
        if program is not None and program.source is Source.FILE:
            found[absolute(program.name, call.cwd or facts.place.cwd)] = None
        elif "/" in words[0]:
            found[absolute(words[0], call.cwd or facts.place.cwd)] = None
    return tuple(found)[:MOST_PATHS]


def is_code(path: str, content: str, disk: PathFact | None, place: Place) -> bool:
    """What is written to ``path`` can be run later without another question."""
    if (
        content.startswith("#!")
        or path.casefold().endswith(_CODE_ENDINGS)
        or (disk is not None and disk.executable)
    ):
        return True
    return guard_of(absolute(path, place.cwd), place) in (Guarded.STARTUP, Guarded.AUTOSTART, Guarded.GIT)


def _named(facts: CommandFacts) -> Iterator[str]:
    for call in facts.calls:
        cwd = call.cwd or facts.place.cwd
        for opened in call.redirects:
            if opened.target.text and opened.operator[:2] != "<<":
                yield absolute(opened.target.text, cwd)
        for word in call.argv[1:]:
            text = word.text.partition("=")[2] if "=" in word.text else word.text
            if (
                text
                and not text.startswith("-")
                and len(text) < 4096
                and "\0" not in text
                and "\n" not in text
            ):
                yield absolute(text, cwd)
