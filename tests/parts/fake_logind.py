"""systemd-logind's side of a sleep, on a bus of the test's own."""

import os
import select
import socket
import threading
from typing import Any

from jeepney import DBusAddress, MessageType, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
from jeepney.low_level import HeaderFields, Message

NAME = "org.freedesktop.login1"
MANAGER = DBusAddress("/org/freedesktop/login1", interface="org.freedesktop.login1.Manager")


class FakeLogind:
    """Owns logind's name; hands out sleep locks and announces sleeps. Close it at the end."""

    def __init__(self, bus: str) -> None:
        self._connection = open_dbus_connection(bus, enable_fds=True)
        self._connection.send_and_get_reply(message_bus.RequestName(NAME))
        self._locks: list[int] = []
        self.asked: list[tuple[str, ...]] = []
        """What every lock was asked for."""
        self.locked = threading.Semaphore(0)
        """Released whenever a lock was handed out."""
        self._thread = threading.Thread(target=self._serve, name="fake-logind")
        self._thread.start()

    def announce(self, *, begins: bool) -> None:
        """The machine is about to sleep, or awake again."""
        self._connection.send(new_signal(MANAGER, "PrepareForSleep", "b", (begins,)))

    def held(self) -> int:
        """How many locks are held now: a closed one can be read to its end."""
        readable, _, _ = select.select(self._locks, [], [], 0)
        return len(self._locks) - len(readable)

    def close(self) -> None:
        """Gone, as after a crash of logind."""
        self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._connection.close()
        for lock in self._locks:
            os.close(lock)
        self._locks.clear()

    def _serve(self) -> None:
        while True:
            try:
                message = self._connection.receive()
            except OSError:
                return
            if message.header.message_type is MessageType.method_call:
                self._answer(message)

    def _answer(self, message: Message) -> None:
        fields: dict[Any, Any] = message.header.fields
        assert fields[HeaderFields.member] == "Inhibit"
        self.asked.append(message.body)
        ours, theirs = os.pipe()
        self._locks.append(ours)
        self._connection.send(new_method_return(message, "h", (theirs,)))
        os.close(theirs)
        self.locked.release()
