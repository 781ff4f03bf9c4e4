"""Which room a command that a rule allowed runs in."""

from jarvis_desktop.core.items.room import Room, RoomKind
from jarvis_desktop.core.policy.command_facts import CommandFacts
from jarvis_desktop.core.policy.known_programs import DELETERS, READERS, names, program_name
from jarvis_desktop.core.policy.plain_reading import PlainCommand

LOCAL_GIT = names(
    "add am apply blame branch cat-file checkout cherry-pick clean commit count-objects describe diff "
    "diff-tree for-each-ref format-patch fsck gc grep init log ls-files ls-tree merge merge-base mv "
    "name-rev notes range-diff rebase reflog reset restore rev-list rev-parse revert rm shortlog show "
    "show-ref sparse-checkout stash status switch symbolic-ref tag whatchanged worktree"
)
"""Subcommands that ask no other machine. ``remote`` and ``submodule`` may."""
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


def _is_local(command: PlainCommand) -> bool:
    program = program_name(command.argv[0])
    if program == "git":
        return len(command.argv) > 1 and command.argv[1] in LOCAL_GIT
    return program in LOCAL
