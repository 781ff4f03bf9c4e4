"""From the text of a command, or of a script, to facts about it."""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from jarvis_desktop.core.items.path_facts import PathFact
from jarvis_desktop.core.items.shell_syntax import Construct, ParsedShell
from jarvis_desktop.core.policy.call_unroller import Unroller, loose_reading
from jarvis_desktop.core.policy.command_facts import CommandFacts, Obstacle, Script
from jarvis_desktop.core.policy.known_programs import SHELLS, family_name
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.policy.plain_reading import PlainCommand, read_plain
from jarvis_desktop.core.ports import ShellParser

MOST_CHARACTERS = 10_000
"""Longer commands are always asked about."""
MOST_READ = 12_000
"""Longer text is not even looked into: the grammar needs a second for the worst text of this length."""
MOST_SCRIPT = 20_000
"""Of a longer script only the beginning is looked into."""

# Control, format, private and odd blank characters, and letters that draw nothing.
_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffd"
    "\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)

_OBSTACLES = MappingProxyType(
    {
        Construct.SUBSTITUTION: Obstacle.SUBSTITUTION,
        Construct.PROCESS: Obstacle.SUBSTITUTION,
        Construct.BACKGROUND: Obstacle.BACKGROUND,
        Construct.FUNCTION: Obstacle.FUNCTION,
        Construct.HEREDOC: Obstacle.HEREDOC,
        Construct.ASSIGNMENT: Obstacle.ASSIGNMENT,
        Construct.DECLARATION: Obstacle.ASSIGNMENT,
        Construct.SUBSHELL: Obstacle.STRUCTURE,
        Construct.CONTROL: Obstacle.STRUCTURE,
        Construct.TEST: Obstacle.STRUCTURE,
    }
)


def odd_characters(text: str) -> bool:
    """Some character of ``text`` is invisible, reorders others or controls a terminal."""
    return _ODD.search(text) is not None


def check_command(text: str, parser: ShellParser, place: Place, *, tool: str = "bash") -> CommandFacts:
    """Facts about ``text``; disk facts are added afterwards with ``with_disk``."""
    if len(text) > MOST_READ:
        return CommandFacts(tool, text, place, (), (Obstacle.TOO_LONG,), (), ())
    parsed = parser.parse(text)
    plain = _agreed(text, parsed, place) if len(text) <= MOST_CHARACTERS else None
    reader = Unroller(parser, place)
    reader.read(parsed)
    if parsed.damaged:
        reader.read(loose_reading(text))
    obstacles = _obstacles(text, parsed, plain, overflowed=reader.overflowed)
    return CommandFacts(
        tool,
        text,
        place,
        plain or () if not obstacles else (),
        obstacles,
        tuple(reader.calls),
        tuple(reader.functions),
    )


def with_disk(
    facts: CommandFacts, paths: Mapping[str, PathFact], scripts: tuple[Script, ...]
) -> CommandFacts:
    """``facts`` together with what the disk says."""
    return replace(facts, paths=paths, scripts=scripts)


def check_script(path: str, text: str, parser: ShellParser, place: Place) -> Script:
    """Facts about a script; for the danger list only."""
    text = text[:MOST_SCRIPT]
    if is_shell_text(path, text):
        return Script(path, _script_facts(text, parser, place))
    reader = Unroller(parser, place)
    reader.read_foreign(text)
    return Script(path, CommandFacts("", text, place, (), (), tuple(reader.calls), tuple(reader.functions)))


def _script_facts(text: str, parser: ShellParser, place: Place) -> CommandFacts:
    parsed = parser.parse(text)
    reader = Unroller(parser, place)
    reader.read(parsed)
    return CommandFacts("", text, place, (), (), tuple(reader.calls), tuple(reader.functions))


def is_shell_text(path: str, text: str) -> bool:
    """The script is for a shell: its first line or its name says so, or nothing says otherwise."""
    first = text.partition("\n")[0]
    if first.startswith("#!"):
        words = first[2:].replace("/usr/bin/env", "").replace("-S", "").split()
        return bool(words) and family_name(words[0]) in SHELLS
    ending = path.rpartition("/")[2].rpartition(".")
    return not ending[1] or not ending[0] or ending[2] in ("sh", "bash", "zsh", "ksh", "command", "profile")


def _agreed(text: str, parsed: ParsedShell, place: Place) -> tuple[PlainCommand, ...] | None:
    """The strict reading, if the parser sees the very same words."""
    if parsed.damaged or parsed.constructs:
        return None
    plain = read_plain(text, place.home)
    if plain is None:
        return None
    seen = tuple(command.words for command in parsed.commands)
    return plain if seen == tuple(tuple(word.raw for word in one.words) for one in plain) else None


def _obstacles(
    text: str, parsed: ParsedShell, plain: tuple[PlainCommand, ...] | None, *, overflowed: bool
) -> tuple[Obstacle, ...]:
    found: list[Obstacle] = []
    if len(text) > MOST_CHARACTERS:
        found.append(Obstacle.TOO_LONG)
    if odd_characters(text):
        found.append(Obstacle.ODD_CHARACTERS)
    if parsed.damaged:
        found.append(Obstacle.SYNTAX)
    found.extend(sorted({_OBSTACLES[construct] for construct in parsed.constructs}))
    if overflowed:
        found.append(Obstacle.NESTED_TOO_DEEP)
    if plain == ():
        found.append(Obstacle.EMPTY)
    if plain is None and not found:
        found.append(Obstacle.NOT_LITERAL)
    return tuple(found)
