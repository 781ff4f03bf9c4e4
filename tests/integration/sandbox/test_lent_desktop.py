"""A command reaches display, session bus and sound only where a person lent it the desktop (decision 37)."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jarvis_desktop.core.items.room import DESKTOP_ROOM, PERSONS_ROOM, Room, RoomKind
from tests.integration.sandbox.test_rooms import House
from tests.parts.screen import Screen

CLOSED = Room(RoomKind.CLOSED, network=False)
SEES_THE_SCREEN = "xdotool getdisplaygeometry"
SEES_THE_BUS = "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId"


@pytest.fixture
async def house(tmp_path: Path, screen: Screen) -> AsyncIterator[House]:
    """A person's files beside a real display and a real session bus."""
    folder = tmp_path / "house"
    folder.mkdir()
    house = House(folder, DISPLAY=screen.display, DBUS_SESSION_BUS_ADDRESS=screen.bus, XAUTHORITY="")
    await house.sandbox.try_out()
    assert house.sandbox.rooms, "bubblewrap must work here"
    yield house
    await house.sandbox.close()


async def test_only_a_command_that_was_lent_the_desktop_reaches_the_display(
    house: House, screen: Screen
) -> None:
    assert await house.run(SEES_THE_SCREEN, DESKTOP_ROOM) == "1280 800\n"
    for room in (PERSONS_ROOM, CLOSED):
        assert "1280" not in await house.run(f"DISPLAY={screen.display} {SEES_THE_SCREEN}", room)


async def test_only_a_command_that_was_lent_the_desktop_reaches_the_session_bus(
    house: House, screen: Screen
) -> None:
    assert "string" in await house.run(SEES_THE_BUS, DESKTOP_ROOM)
    for room in (PERSONS_ROOM, CLOSED):
        said = await house.run(f"export DBUS_SESSION_BUS_ADDRESS='{screen.bus}'; {SEES_THE_BUS}", room)
        assert "string" not in said


async def test_a_lent_desktop_opens_the_session_and_nothing_else(house: House) -> None:
    """Sound is there, our own files and other programs' sockets are not."""
    runtime = house.home.parent / "runtime"
    (runtime / "keyring").mkdir()
    (runtime / "keyring/control").write_text("stands for a keyring\n")
    said = await house.run(
        "cat ../../sound/native $XDG_RUNTIME_DIR/bus; "
        "cat $XDG_RUNTIME_DIR/keyring/control ../../tmux; ls -A ~/.jarvis",
        DESKTOP_ROOM,
    )
    assert said.count("way to the session") == 1
    assert "session bus" in said
    assert "keyring\n" not in said
    assert "approvals" not in said
    assert "Read-only" in await house.run("touch $XDG_RUNTIME_DIR/new", DESKTOP_ROOM)
