"""In which room an allowed command runs."""

import pytest

from jarvis_desktop.core.items.decisions import Allowed, Answer
from jarvis_desktop.core.items.room import PERSONS_ROOM, Room, RoomKind
from jarvis_desktop.core.policy.sandbox import still_stands
from tests.fakes.reading import World
from tests.unit.policy.test_deciding import bash, decided

LOCAL = Room(RoomKind.CLOSED, network=False)


async def room_of(command: str, *rules: str) -> Room:
    """The room of a command that these rules cover."""
    world = World()
    for rule in rules:
        world.rules.add("bash", rule)
    decision, _ = await decided(world, bash(command))
    assert isinstance(decision, Allowed)
    return decision.allow.room


async def test_a_command_that_a_person_allowed_gets_the_persons_room() -> None:
    decision, _ = await decided(World(), bash("make test"), Answer.ALLOW)
    assert isinstance(decision, Allowed)
    assert decision.allow.room == PERSONS_ROOM


@pytest.mark.parametrize("command", ["ls -l src", "wc -l notes.txt", "ls -l src && wc -l notes.txt"])
async def test_a_covered_command_known_to_be_local_has_no_network(command: str) -> None:
    assert await room_of(command, "ls -l", "wc -l") == LOCAL


@pytest.mark.parametrize("command", ["make test", "ls -l src && make test"])
async def test_any_other_covered_command_has_a_network_of_its_own(command: str) -> None:
    assert await room_of(command, "ls -l", "make test") == Room(RoomKind.CLOSED, network=True)


async def test_git_may_write_its_own_settings_and_asks_others_only_where_it_must() -> None:
    assert await room_of("git status", "git status") == Room(RoomKind.CLOSED, network=False, git=True)
    assert await room_of("git fetch", "git fetch") == Room(RoomKind.CLOSED, network=True, git=True)
    assert await room_of("git status && ls -l", "git status", "ls -l") == LOCAL


async def test_a_sandbox_that_is_lost_before_the_launch_voids_the_decision() -> None:
    world = World()
    world.rules.add("bash", "make test")
    about = bash("make test")
    decision, _ = await decided(world, about)
    assert isinstance(decision, Allowed)
    assert await still_stands(about, decision, world.reading)
    world.sandbox.ready = False
    assert not await still_stands(about, decision, world.reading)
