"""Whether the screen is locked, as the session and the desktop's screen saver say it over D-Bus."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from jeepney import DBusAddress, new_method_call
from jeepney.bus_messages import message_bus
from jeepney.wrappers import Properties

from jarvis_desktop.adapters.message_bus import BusError, MessageBus

log = logging.getLogger(__name__)

LIMIT_S = 1.0
"""A person who said yes waits for it; whoever has not answered by then may be hiding a locked screen."""
_LOGIND = "org.freedesktop.login1"
_SAVERS = (
    ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
    ("org.freedesktop.ScreenSaver", "/ScreenSaver"),
    ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
    ("org.cinnamon.ScreenSaver", "/org/cinnamon/ScreenSaver"),
    ("org.mate.ScreenSaver", "/org/mate/ScreenSaver"),
)
"""Names and places of the same call; KDE answers at the second."""
_UNKNOWN_THINGS = frozenset(
    f"org.freedesktop.DBus.Error.{name}"
    for name in ("UnknownObject", "UnknownMethod", "UnknownInterface", "ServiceUnknown", "NameHasNoOwner")
) | {"org.freedesktop.DBus.Error.NotSupported"}
"""Errors of services that cannot say it at all, as old ones; that is no sign of a lock."""


@dataclass(frozen=True, slots=True)
class ScreenLock:
    """Asked anew every time: a lock that was missed would let a stranger allow."""

    session_bus: str = "SESSION"
    system_bus: str = "SYSTEM"

    async def locked(self) -> bool:
        """Somebody says so, or somebody who would know does not answer. Never raises.

        Where nobody is who could lock a screen, none is locked.
        """
        try:
            async with asyncio.timeout(LIMIT_S):
                answers = await asyncio.gather(
                    _asked(self.system_bus, (_session_locked,)),
                    _asked(self.session_bus, [_saver(name, path) for name, path in _SAVERS]),
                )
        except TimeoutError:
            log.warning("nobody says whether the screen is locked")
            return True
        return any(answers)


async def _asked(address: str, questions: Sequence[Callable[[MessageBus], Awaitable[bool]]]) -> bool:
    try:
        bus = await MessageBus.open(address)
    except BusError:
        return False  # no bus, so nobody on it
    with closing(bus):
        for locked in questions:
            try:
                if await locked(bus):
                    return True
            except BusError as error:
                if str(error) not in _UNKNOWN_THINGS:
                    log.warning("the screen's lock is not known", extra={"error": str(error)})
                    return True
    return False


async def _owned(bus: MessageBus, name: str) -> bool:
    answer = await bus.call(message_bus.NameHasOwner(name))
    return bool(answer.body[0])


def _saver(name: str, path: str) -> Callable[[MessageBus], Awaitable[bool]]:
    async def active(bus: MessageBus) -> bool:
        # Only who runs already: a service that is started for the question knows nothing.
        if not await _owned(bus, name):
            return False
        address = DBusAddress(path, bus_name=name, interface=name)
        answer = await bus.call(new_method_call(address, "GetActive"))
        return bool(answer.body[0])

    return active


async def _session_locked(bus: MessageBus) -> bool:
    if not await _owned(bus, _LOGIND):
        return False
    manager = DBusAddress("/org/freedesktop/login1", bus_name=_LOGIND, interface=f"{_LOGIND}.Manager")
    path = await _session_path(bus, manager)
    if path is None:
        return False
    session = DBusAddress(path, bus_name=_LOGIND, interface=f"{_LOGIND}.Session")
    answer = await bus.call(Properties(session).get("LockedHint"))
    return bool(answer.body[0][1])


async def _session_path(bus: MessageBus, manager: DBusAddress) -> str | None:
    """Our own session, else the one in which this person's desktop is; None when logind knows neither."""
    name = os.environ.get("XDG_SESSION_ID")
    if name:
        try:
            answer = await bus.call(new_method_call(manager, "GetSession", "s", (name,)))
            return str(answer.body[0])
        except BusError as error:
            if str(error) != f"{_LOGIND}.NoSuchSession":
                raise
    # Started by the person's manager and not in a session, as many desktops do it.
    try:
        answer = await bus.call(new_method_call(manager, "GetUser", "u", (os.getuid(),)))
    except BusError as error:
        if str(error) != f"{_LOGIND}.NoSuchUser":
            raise
        return None
    user = DBusAddress(answer.body[0], bus_name=_LOGIND, interface=f"{_LOGIND}.User")
    answer = await bus.call(Properties(user).get("Display"))
    path = str(answer.body[0][1][1])
    return None if path == "/" else path
