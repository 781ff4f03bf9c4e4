"""What a verdict needs to know about a call, read once, before anything is judged."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from os import fspath
from typing import Protocol, TypeVar

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.decisions import Shown
from jarvis_desktop.core.items.extensions import Added
from jarvis_desktop.core.items.goals import GOAL_TOOL
from jarvis_desktop.core.items.memory import TEACHING_TOOL
from jarvis_desktop.core.items.turn import Message, Role, TurnRequest
from jarvis_desktop.core.items.web_address import WebAddressError, web_address
from jarvis_desktop.core.policy.call_facts import (
    MOST_PATHS,
    Facts,
    OtherFacts,
    ReadFacts,
    TaughtFacts,
    WebFacts,
    WriteFacts,
    is_code,
    paths_wanted,
    scripts_wanted,
)
from jarvis_desktop.core.policy.call_texts import commands_in, paths_in, read_paths_in
from jarvis_desktop.core.policy.command_check import check_command, check_script, with_disk
from jarvis_desktop.core.policy.command_facts import CommandFacts, Script
from jarvis_desktop.core.policy.confinement import closed_room
from jarvis_desktop.core.policy.danger import DangerList, danger_list
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.policy.paths import absolute as normal
from jarvis_desktop.core.policy.rules import PATH_TOOLS, SHELL_TOOL, RuleSet, rule_set
from jarvis_desktop.core.policy.web_trail import WEB_FETCH, WebTrail, trail_of
from jarvis_desktop.core.ports import (
    HeldRules,
    NoSandbox,
    PathLookup,
    RuleBook,
    Sandbox,
    ShellParser,
)
from jarvis_desktop.core.settings import EVERY_TOOL, SecuritySettings
from jarvis_desktop.core.tool_text import absolute

QUICK_CHARACTERS = 500
"""Longer text is read in a thread: the worst text of 12,000 characters takes the grammar a second."""
T = TypeVar("T")


class Exhibit(Protocol):
    """What a person is shown of a call; a tool's preview is one."""

    @property
    def shown(self) -> Shown:
        """How the detail is to be drawn."""

    @property
    def detail(self) -> str:
        """The command, the diff or the arguments, in full."""

    @property
    def snapshot(self) -> str:
        """Digest of the files that the call would change."""


class SecuritySource(Protocol):
    """The security settings, which a person may change at any time."""

    def known(self) -> SecuritySettings:
        """As last read."""

    async def fresh(self) -> SecuritySettings:
        """As they are now; asked at every decision. Never raises."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Through what the world is read for a decision."""

    parser: ShellParser
    lookup: PathLookup
    rules: RuleBook
    security: SecuritySource
    place: Place
    """With any working directory; each call brings its own."""
    sandbox: Sandbox = field(default_factory=NoSandbox)


@dataclass(frozen=True, slots=True)
class Matter:
    """A call that is to be decided."""

    call: ToolCall
    """With its arguments checked and completed: exactly what would run."""
    request: TurnRequest
    exhibit: Callable[[], Awaitable[Exhibit]]
    """Reads what a person would be shown now; called only when somebody is asked."""
    read_only: bool = False
    """The tool changes nothing, so it may be pointed at any path."""
    said: Sequence[Message] = ()
    """What the model may have read before it made this call."""
    added: Added | None = None
    """Where the tool comes from when it is none of ours."""
    needs_approval: bool = False
    """A person is asked first, whatever the settings list."""
    strangers: bool = False
    """Strangers describe a tool that the model may call: their words are in every turn."""

    @property
    def tool(self) -> str:
        """What facts and rules call the tool. One in place of a built-in one is looked at as that one."""
        name, added = self.call.name, self.added
        return name if added is None or added.stands_in else added.rule_name(name)

    @property
    def stands_in(self) -> bool:
        """It is a person's own in the place of a built-in one."""
        return self.added is not None and self.added.stands_in


@dataclass(frozen=True, slots=True)
class Known:
    """Everything that a verdict is worked out from."""

    facts: tuple[Facts, ...]
    """One value for each thing that the call would do; the strictest verdict counts."""
    rules: RuleSet
    danger: DangerList
    needs_approval: bool
    """By name, so a tool that stands in for a built-in one keeps its need (T-054)."""
    unconfined: bool = False
    """It is a shell command that could not be confined now."""
    network: bool = True
    """Commands that a rule covers may have a network."""
    stands_in: bool = False
    """The tool is in a built-in one's place: rules were made for that one and cover nothing here."""
    redefined: bool = False
    """Rules were made for this tool when it was another one; they cover nothing any more."""


async def gather(matter: Matter, reading: Reading) -> Known:
    """What is known about one call now. Whatever has to be read from the world is read here."""
    security = await reading.security.fresh()
    held = await reading.rules.load(matter.request.agent_id)
    facts = await _facts(matter, reading)
    network = security.sandbox_network != "off"
    return Known(
        facts=facts,
        rules=arranged(held),
        danger=listed(security.dangerous_commands),
        needs_approval=matter.needs_approval
        or bool({matter.call.name, EVERY_TOOL} & {*security.require_approval_for}),
        unconfined=any([await _unconfined(one, reading.sandbox, network=network) for one in facts]),
        network=network,
        stands_in=matter.stands_in,
        redefined=_redefined(matter, held),
    )


def _redefined(matter: Matter, held: HeldRules) -> bool:
    if matter.added is None or matter.added.stands_in:
        return False
    names = {rule.line.tool for rule in held.rules}
    return matter.tool not in names and any(name.startswith(f"{matter.call.name}@") for name in names)


async def _unconfined(facts: Facts, sandbox: Sandbox, *, network: bool) -> bool:
    if not isinstance(facts, CommandFacts) or facts.tool != SHELL_TOOL:
        return False
    return not await sandbox.holds(facts.place.cwd, closed_room(facts, network=network))


@lru_cache(maxsize=32)
def arranged(held: HeldRules) -> RuleSet:
    """The rules in the form in which they are looked up; worked out once per state of the files."""
    return rule_set(held.rules)


@lru_cache(maxsize=8)
def listed(entries: tuple[str, ...]) -> DangerList:
    """The danger list that the setting means."""
    return danger_list(entries)


async def _facts(matter: Matter, reading: Reading) -> tuple[Facts, ...]:
    tool, arguments = matter.tool, matter.call.arguments
    place = replace(reading.place, cwd=normal(fspath(matter.request.cwd), "/"))
    path = arguments.get("path")
    found: list[Facts] = [
        await _command(command, tool, place, reading) for command in commands_in(tool, arguments)
    ]
    if tool in PATH_TOOLS and isinstance(path, str):
        found.append(await _write(matter, path, place, reading))
    reads = read_paths_in(tool, arguments, stands_in=matter.stands_in)
    found += [await _read(one, matter, place, reading) for one in reads[:MOST_PATHS]]
    return tuple(found) or (await _other(matter, place, reading),)


async def _command(text: str, tool: str, place: Place, reading: Reading) -> CommandFacts:
    facts = await _aside(len(text), lambda: check_command(text, reading.parser, place, tool=tool))
    paths = await reading.lookup.facts(paths_wanted(facts))
    texts = await reading.lookup.scripts(scripts_wanted(facts))
    scripts = [await _script(path, content, place, reading) for path, content in texts.items()]
    return with_disk(facts, paths, tuple(scripts))


async def _write(matter: Matter, path: str, place: Place, reading: Reading) -> WriteFacts:
    # Read as the tool will read it, and looked up as the system will: ".." after a link leads elsewhere
    # than the text says.
    target = fspath(absolute(path, matter.request.cwd))
    # "~" means home to us and a file's name to others: a rule never covers a path that is read in two ways.
    disk = (await reading.lookup.facts((target,))).get(target)
    text = await _text(matter, disk.real if disk is not None else target, reading)
    code = is_code(target, text, disk, place)
    content = await _script(target, text, place, reading) if code else None
    return WriteFacts(
        matter.call.name, target if path else "", place, disk, content, two_readings=path.startswith("~")
    )


async def _text(matter: Matter, real: str, reading: Reading) -> str:
    """What the file would hold afterwards."""
    arguments = matter.call.arguments
    content, old, new = (arguments.get(name) for name in ("content", "old_string", "new_string"))
    if isinstance(content, str):
        return content
    if not isinstance(new, str):
        return ""
    before = (await reading.lookup.scripts((real,))).get(real, "")
    return before.replace(old, new) if isinstance(old, str) and old and old in before else new


async def _other(matter: Matter, place: Place, reading: Reading) -> Facts:
    if matter.tool == WEB_FETCH:
        return _web(matter, place)
    if matter.tool in (TEACHING_TOOL, GOAL_TOOL):
        # What they keep is at work in later turns: strangers must not be able to write there.
        return TaughtFacts(matter.call.name, place, trusted=not _trail(matter).foreign)
    if matter.read_only:
        return OtherFacts(matter.tool, place)
    named = dict.fromkeys(paths_in(dict(matter.call.arguments)))
    paths = [fspath(absolute(text, matter.request.cwd)) for text in named][:MOST_PATHS]
    found = await reading.lookup.facts(paths)
    real = (found[path].real for path in paths if path in found)
    return OtherFacts(matter.tool, place, tuple(dict.fromkeys((*paths, *real))))


async def _read(path: str, matter: Matter, place: Place, reading: Reading) -> Facts:
    target = fspath(absolute(path, matter.request.cwd))
    disk = (await reading.lookup.facts((target,))).get(target)
    return ReadFacts(matter.call.name, place, target, disk.real if disk is not None else target)


def _web(matter: Matter, place: Place) -> WebFacts:
    written = str(matter.call.arguments.get("url", ""))
    trail = _trail(matter)
    try:
        address = web_address(written)
    except WebAddressError:  # nothing will be asked
        return WebFacts(matter.call.name, place, written[:60], trusted=not trail.foreign)
    return WebFacts(matter.call.name, place, address.host, trusted=trail.trusts(address))


def _trail(matter: Matter) -> WebTrail:
    trail = trail_of(heard(matter.request, matter.said))
    return replace(trail, foreign=True) if matter.strangers else trail


def heard(request: TurnRequest, said: Sequence[Message]) -> tuple[Message, ...]:
    """All that a call may have been chosen from, the messages of persons and of nobody else as theirs.

    What one agent asks of another was written by a model, which may have read a stranger's wish.
    """
    if request.errand is None:
        return (Message(Role.USER, request.text, typed=request.typed), *said)
    return (*request.errand.heard, *(message for message in said if message.role is not Role.USER))


async def _script(path: str, text: str, place: Place, reading: Reading) -> Script:
    return await _aside(len(text), lambda: check_script(path, text, reading.parser, place))


async def _aside(size: int, work: Callable[[], T]) -> T:
    return work() if size <= QUICK_CHARACTERS else await asyncio.to_thread(work)
