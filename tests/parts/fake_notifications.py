"""A desktop's notification service, on a bus of the test's own."""

import queue
import socket
import threading
from dataclasses import dataclass, field
from typing import Any

from jeepney import DBusAddress, MessageType, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
from jeepney.low_level import HeaderFields, Message

NAME = "org.freedesktop.Notifications"
SERVICE = DBusAddress("/org/freedesktop/Notifications", interface=NAME)


@dataclass
class FakeNotifications:
    """Owns the service's name. Close it at the end."""

    bus: str
    capabilities: tuple[str, ...] = ("body", "body-markup", "actions")
    shown: "queue.Queue[tuple[Any, ...]]" = field(default_factory=queue.Queue)
    """Arguments of every Notify: app, replaces, icon, title, text, actions, hints, time."""
    closed: "queue.Queue[int]" = field(default_factory=queue.Queue)

    numbers: int = 0
    """The number that was given last."""
    odd: bool = False
    """It answers ``Notify`` with something that is no number."""

    def __post_init__(self) -> None:
        self._connection = open_dbus_connection(self.bus)
        self._connection.send_and_get_reply(message_bus.RequestName(NAME))
        self._thread = threading.Thread(target=self._serve, name="fake-notifications")
        self._thread.start()

    def press(self, number: int, key: str) -> None:
        """A person presses a button of a notification."""
        self._connection.send(new_signal(SERVICE, "ActionInvoked", "us", (number, key)))

    def dismiss(self, number: int) -> None:
        """A person closes a notification."""
        self._connection.send(new_signal(SERVICE, "NotificationClosed", "uu", (number, 2)))

    def close(self) -> None:
        """The service is gone."""
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
                self._answer(message)

    def _answer(self, message: Message) -> None:
        match message.header.fields[HeaderFields.member]:
            case "GetCapabilities":
                self._connection.send(new_method_return(message, "as", (list(self.capabilities),)))
            case "Notify":
                self.numbers += 1
                kinds, body = ("s", ("shown",)) if self.odd else ("u", (self.numbers,))
                self._connection.send(new_method_return(message, kinds, body))
                self.shown.put(message.body)
            case "CloseNotification":
                self._connection.send(new_method_return(message))
                self.closed.put(message.body[0])
