"""Whether the screen is locked, asked of services on a bus of the test's own."""

from collections.abc import Callable
from contextlib import closing

import pytest

from jarvis_desktop.adapters.screen_lock import ScreenLock
from tests.parts.fake_locks import LOGIND, FakeService, broken, logind, screen_saver

NOWHERE = "unix:path=/nonexistent/bus"
FREEDESKTOP = "org.freedesktop.ScreenSaver"


@pytest.fixture(autouse=True)
def _no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_SESSION_ID", raising=False)


@pytest.mark.parametrize("active", [True, False])
@pytest.mark.parametrize(
    ("name", "path"),
    [
        (FREEDESKTOP, "/org/freedesktop/ScreenSaver"),
        (FREEDESKTOP, "/ScreenSaver"),
        ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
        ("org.mate.ScreenSaver", "/org/mate/ScreenSaver"),
    ],
)
async def test_the_desktops_own_screen_saver_says_it(
    private_bus: str, name: str, path: str, *, active: bool
) -> None:
    with closing(screen_saver(private_bus, name, path, active=active)):
        assert await ScreenLock(private_bus, NOWHERE).locked() is active


@pytest.mark.parametrize("locked", [True, False])
@pytest.mark.parametrize("session", ["", "7"])
async def test_the_session_says_it_by_name_or_as_the_persons_display(
    private_bus: str, monkeypatch: pytest.MonkeyPatch, session: str, *, locked: bool
) -> None:
    if session:
        monkeypatch.setenv("XDG_SESSION_ID", session)
    with closing(logind(private_bus, locked=locked, session=session)):
        assert await ScreenLock(NOWHERE, private_bus).locked() is locked


async def test_a_session_that_ended_is_looked_for_anew(
    private_bus: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_SESSION_ID", "gone")
    with closing(logind(private_bus, locked=True, session="7")):
        assert await ScreenLock(NOWHERE, private_bus).locked()


async def test_a_person_without_a_desktop_session_has_no_lock(private_bus: str) -> None:
    with closing(logind(private_bus, locked=True, display="/")):
        assert not await ScreenLock(NOWHERE, private_bus).locked()


async def test_one_that_says_locked_is_enough(private_bus: str) -> None:
    free = screen_saver(private_bus, FREEDESKTOP, "/ScreenSaver", active=False)
    with closing(free), closing(logind(private_bus, locked=True)):
        assert await ScreenLock(private_bus, private_bus).locked()


async def test_where_nobody_could_lock_a_screen_none_is_locked(private_bus: str) -> None:
    assert not await ScreenLock(private_bus, private_bus).locked()
    assert not await ScreenLock(NOWHERE, NOWHERE).locked()


@pytest.mark.parametrize(
    "made",
    [
        lambda bus: broken(bus, LOGIND, "org.freedesktop.DBus.Error.AccessDenied"),
        lambda bus: broken(bus, FREEDESKTOP, "org.freedesktop.DBus.Error.Failed"),
        lambda bus: broken(bus, FREEDESKTOP, None),
    ],
    ids=["refused", "failed", "silent"],
)
async def test_who_would_know_and_does_not_say_counts_as_locked(
    private_bus: str, made: Callable[[str], FakeService]
) -> None:
    with closing(made(private_bus)):
        assert await ScreenLock(private_bus, private_bus).locked()


async def test_a_service_that_cannot_say_it_at_all_is_no_lock(private_bus: str) -> None:
    with closing(broken(private_bus, FREEDESKTOP, "org.freedesktop.DBus.Error.UnknownMethod")):
        assert not await ScreenLock(private_bus, NOWHERE).locked()
