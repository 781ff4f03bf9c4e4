"""One virtual screen for the tests of global keys."""

import os
import subprocess
from collections.abc import Iterator

import pytest

from tests.integration.desktop.waiting import needed
from tests.parts.screen import Screen


@pytest.fixture(scope="module")
def keyboard_screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """An X server and a session bus; each test leaves the keyboard as it found it."""
    for program in ("Xvfb", "xdotool", "setxkbmap", "dbus-daemon"):
        needed(program)
    made = Screen(tmp_path_factory.mktemp("screen"))
    with pytest.MonkeyPatch.context() as patch:
        # Without this, python-xlib reads the machine's own key to its screen.
        patch.setenv("XAUTHORITY", "/dev/null")
        yield made
    made.close()


@pytest.fixture
def private_bus() -> Iterator[str]:
    """The address of a bus that nobody else is on."""
    needed("dbus-daemon")
    read, write = os.pipe()
    with subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", f"--print-address={write}"],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(write,),
    ) as daemon:
        os.close(write)
        with os.fdopen(read) as pipe:
            address = pipe.readline().strip()
        yield address
        daemon.terminate()
