"""Which room a command that a rule allowed runs in."""

from dataclasses import replace

from jarvis_desktop.core.items.room import Room, RoomKind
from jarvis_desktop.core.policy.command_facts import CommandFacts
from jarvis_desktop.core.policy.known_programs import DELETERS, READERS, names, program_name
from jarvis_desktop.core.policy.paths import (
    HOME_GUARDS,
    Place,
    folded_homes,
    guard_of,
    is_inside,
    is_secret,
)
from jarvis_desktop.core.policy.plain_reading import PlainCommand

LOCAL_GIT = names(
    "add am apply blame branch cat-file checkout cherry-pick clean commit count-objects describe diff "
    "diff-tree for-each-ref format-patch fsck gc grep init log ls-files ls-tree merge merge-base mv "
    "name-rev notes range-diff rebase reflog reset restore rev-list rev-parse revert rm shortlog show "
    "show-ref sparse-checkout stash status switch symbolic-ref tag whatchanged worktree"
)
"""Subcommands that ask no other machine. ``remote`` and ``submodule`` may."""
SHARED_SCRATCH = frozenset({"/tmp", "/var/tmp"})  # noqa: S108 - it is refused
"""Everybody's files are in there, those of running programs too."""
LOCAL = (READERS - names("git man lsof")) | DELETERS | names("mkdir touch")


def closed_room(facts: CommandFacts, *, network: bool) -> Room:
    """The room for a command that no person has looked at.

    network: rooms may have one; a command that is known to be local has none either way.
    """
    programs = [program_name(command.argv[0]) for command in facts.plain]
    return Room(
        RoomKind.CLOSED,
        network=network and not all(_is_local(command) for command in facts.plain),
        git=bool(programs) and set(programs) == {"git"},
    )


def may_be_closed(cwd: str, place: Place) -> bool:
    """A closed room may have ``cwd``, a real path, to write in.

    Not the home folder or what is above it, nor any other folder in or below which things lie that start by
    themselves or that no rule may cover: whoever writes there gets out of the room with the next start.
    """
    folded = cwd.casefold()
    homes = {place.home.casefold(), (place.real_home or place.home).casefold()}
    guarded = {*homes, *folded_homes(place), *(f"{home}/{name}" for home in homes for name in HOME_GUARDS)}
    if folded in SHARED_SCRATCH or any(is_inside(one, folded) for one in guarded):
        return False
    here = replace(place, cwd="/")
    return guard_of(cwd, here) is None and not is_secret(cwd, here)


def _is_local(command: PlainCommand) -> bool:
    program = program_name(command.argv[0])
    if program == "git":
        return len(command.argv) > 1 and command.argv[1] in LOCAL_GIT
    return program in LOCAL
