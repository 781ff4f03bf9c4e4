"""What a screen reader finds in a window: names, texts and places, by AT-SPI on plain D-Bus."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeAlias

from jeepney import DBusAddress, MessageType, Properties, new_method_call
from jeepney.io.blocking import open_dbus_connection

from tests.e2e.waiting import eventually

Ref: TypeAlias = tuple[str, str]
"""Bus name and path of one thing on the screen."""

ACCESSIBLE = "org.a11y.atspi.Accessible"
COMPONENT = "org.a11y.atspi.Component"
TEXT = "org.a11y.atspi.Text"
ACTION = "org.a11y.atspi.Action"
ROOT: Ref = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
DEEPEST = 24
ANSWER_S = 3.0


class GoneError(Exception):
    """The thing that was asked is not there any more."""


class ScreenReader:
    """Reads the windows of one program."""

    def __init__(self, env: Mapping[str, str], program: str = "Jarvis") -> None:
        with open_dbus_connection(bus=env["DBUS_SESSION_BUS_ADDRESS"]) as session:
            where = DBusAddress("/org/a11y/bus", bus_name="org.a11y.Bus", interface="org.a11y.Bus")
            address = session.send_and_get_reply(new_method_call(where, "GetAddress"), timeout=ANSWER_S).body[
                0
            ]
        self._bus = open_dbus_connection(bus=address)
        self._program = program

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bus.close()

    @property
    def ready(self) -> bool:
        """The registry of programs answers."""
        try:
            self._property(ROOT, "Name")
        except GoneError:
            return False
        return True

    def centre(self, identifier: str, within_s: float = 10.0) -> tuple[int, int]:
        """The middle of a thing on the screen, by its accessible identifier."""
        found = eventually(lambda: self.find(identifier), f"{identifier} is on the screen", within_s)
        x, y, width, height = self._call(found, COMPONENT, "GetExtents", "u", (0,))[0]
        return x + width // 2, y + height // 2

    def press(self, identifier: str) -> None:
        """Press a button as a screen reader does, without any pointer."""
        self._call(self.found(identifier), ACTION, "DoAction", "i", (0,))

    def found(self, identifier: str, within_s: float = 10.0) -> Ref:
        """The thing with this identifier, as soon as it is there."""
        return eventually(lambda: self.find(identifier), f"{identifier} is on the screen", within_s)

    def find(self, identifier: str) -> Ref | None:
        """The thing with this accessible identifier; None when no window has it."""
        for ref in self._everything():
            with suppress(GoneError):
                if self._property(ref, "AccessibleId") == identifier:
                    return ref
        return None

    def places(self, name: str) -> tuple[tuple[int, int], ...]:
        """The middles of all things with this name that have a size on the screen."""
        found: list[tuple[int, int]] = []
        for ref in self._everything():
            with suppress(GoneError):
                if self._property(ref, "Name") == name:
                    x, y, width, height = self._call(ref, COMPONENT, "GetExtents", "u", (0,))[0]
                    if width > 1 and height > 1:
                        found.append((x + width // 2, y + height // 2))
        return tuple(found)

    def texts(self) -> tuple[str, ...]:
        """All that is written in the program's windows: names of things, and texts in them."""
        written: list[str] = []
        for ref in self._everything():
            with suppress(GoneError):
                written.append(self._property(ref, "Name"))
                if TEXT in self._call(ref, ACCESSIBLE, "GetInterfaces")[0]:
                    written.append(self._call(ref, TEXT, "GetText", "ii", (0, -1))[0])
        return tuple(text for text in written if text)

    def _everything(self) -> Iterator[Ref]:
        for program in self._children(ROOT):
            with suppress(GoneError):
                if self._property(program, "Name") == self._program:
                    yield from self._below(program, DEEPEST)

    def _below(self, ref: Ref, depth: int) -> Iterator[Ref]:
        yield ref
        if depth:
            for child in self._children(ref):
                yield from self._below(child, depth - 1)

    def _children(self, ref: Ref) -> tuple[Ref, ...]:
        try:
            return tuple((name, path) for name, path in self._call(ref, ACCESSIBLE, "GetChildren")[0])
        except GoneError:
            return ()

    def _property(self, ref: Ref, name: str) -> str:
        where = DBusAddress(ref[1], bus_name=ref[0], interface=ACCESSIBLE)
        return str(self._answer(Properties(where).get(name))[0][1])

    def _call(
        self, ref: Ref, interface: str, method: str, kinds: str = "", body: tuple[Any, ...] = ()
    ) -> Any:
        where = DBusAddress(ref[1], bus_name=ref[0], interface=interface)
        return self._answer(new_method_call(where, method, kinds or None, body))

    def _answer(self, message: Any) -> Any:
        try:
            reply = self._bus.send_and_get_reply(message, timeout=ANSWER_S)
        except TimeoutError as error:
            raise GoneError from error
        if reply.header.message_type is MessageType.error:
            raise GoneError(str(reply.body))
        return reply.body
