"""Whoever can say on a desktop that the screen is locked, on a bus of the test's own."""

import socket
import threading
from collections.abc import Callable
from typing import Any

from jeepney import MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
from jeepney.low_level import HeaderFields, Message

LOGIND = "org.freedesktop.login1"
Answer = Callable[[Message], Message | None]
"""The reply to a call; None: there never is one."""


class FakeService:
    """Owns a name and answers calls. Close it at the end."""

    def __init__(self, bus: str, name: str, answer: Answer) -> None:
        self._answer = answer
        self._connection = open_dbus_connection(bus)
        self._connection.send_and_get_reply(message_bus.RequestName(name))
        self._thread = threading.Thread(target=self._serve, name="fake-lock")
        self._thread.start()

    def close(self) -> None:
        """It is gone."""
        self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._connection.close()

    def _serve(self) -> None:
        while True:
            try:
                message = self._connection.receive()
            except OSError:
                return
            if message.header.message_type is MessageType.method_call:
                reply = self._answer(message)
                if reply is not None:
                    self._connection.send(reply)


def screen_saver(bus: str, name: str, path: str, *, active: bool) -> FakeService:
    """A screen saver that answers at one path, as desktops differ in it."""

    def answer(message: Message) -> Message:
        if fields(message)[HeaderFields.path] != path:
            return new_error(message, "org.freedesktop.DBus.Error.UnknownObject")
        return new_method_return(message, "b", (active,))

    return FakeService(bus, name, answer)


def logind(bus: str, *, locked: bool, session: str = "", display: str = "/session/own") -> FakeService:
    """A logind that knows one session by name, and one as the person's display."""

    def answer(message: Message) -> Message:
        member, body = fields(message)[HeaderFields.member], message.body
        if member == "GetSession":
            if body[0] != session:
                return new_error(message, f"{LOGIND}.NoSuchSession")
            return new_method_return(message, "o", (display,))
        if member == "GetUser":
            return new_method_return(message, "o", ("/user/own",))
        if body[1] == "Display":
            return new_method_return(message, "v", (("(so)", ("1", display)),))
        assert body == (f"{LOGIND}.Session", "LockedHint")
        return new_method_return(message, "v", (("b", locked),))

    return FakeService(bus, LOGIND, answer)


def broken(bus: str, name: str, error: str | None) -> FakeService:
    """A service that answers everything with an error; None: that never answers."""
    return FakeService(bus, name, lambda message: None if error is None else new_error(message, error))


def fields(message: Message) -> dict[Any, Any]:
    """What the head of a message says."""
    known: dict[Any, Any] = message.header.fields
    return known
