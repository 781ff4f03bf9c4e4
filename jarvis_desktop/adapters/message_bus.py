"""A connection to a D-Bus bus that the core's loop reads: no thread, no Qt."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

from jeepney import HeaderFields, MatchRule, Message, MessageType
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from jarvis_desktop.adapters.daemon_call import in_daemon

log = logging.getLogger(__name__)

ANSWER_S = 5.0
"""A service that has not answered by then counts as absent."""


class BusError(Exception):
    """No bus, no such service, or it refused; the text is for the log."""


def sender_of(message: Message) -> str:
    """Unique name of who sent it, as the bus itself wrote it: nobody can lie about that."""
    return str(message.header.fields.get(HeaderFields.sender, ""))


def member_of(message: Message) -> str:
    """Name of the signal or call."""
    return str(message.header.fields.get(HeaderFields.member, ""))


class MessageBus:
    """An open connection; use it from one loop."""

    def __init__(self, connection: DBusConnection) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._signals: asyncio.Queue[Message | None] = asyncio.Queue()
        self._open = True
        self._loop.add_reader(connection.sock, self._read)

    @classmethod
    async def open(cls, address: str) -> "MessageBus":
        """A connection to ``SESSION``, ``SYSTEM`` or the bus at an address.

        Raises:
            BusError: nobody answers there.
        """
        # Connecting waits for the bus, so it has a thread; a bus that hangs keeps only that one.
        attempt = in_daemon(lambda: open_dbus_connection(address, enable_fds=True), "bus-open")
        try:
            async with asyncio.timeout(ANSWER_S):
                return cls(await asyncio.shield(attempt))
        except (OSError, KeyError, ValueError, RuntimeError, StopIteration) as error:
            attempt.add_done_callback(_close_late)
            raise BusError(type(error).__name__) from error
        except asyncio.CancelledError:
            attempt.add_done_callback(_close_late)
            raise

    @property
    def closed(self) -> bool:
        """Nothing can be sent any more."""
        return not self._open

    async def call(self, message: Message) -> Message:
        """The answer to a call.

        Raises:
            BusError: it is an error, does not come in time, or the bus went away.
        """
        if not self._open:
            raise BusError("closed")
        serial = next(self._connection.outgoing_serial)
        answer = self._waiting[serial] = self._loop.create_future()
        try:
            self._connection.send(message, serial=serial)
            # Not wait_for: until Python 3.12 it forgets a cancellation that comes together with the answer.
            async with asyncio.timeout(ANSWER_S):
                reply = await answer
        except OSError as error:  # a timeout is one, too
            raise BusError(type(error).__name__) from error
        finally:
            self._waiting.pop(serial, None)
        if reply.header.message_type is MessageType.error:
            raise BusError(str(reply.header.fields.get(HeaderFields.error_name)))
        return reply

    async def listen(self, rule: MatchRule) -> None:
        """Signals that fit ``rule`` come from now on; others may come too, from whoever knows our name.

        Raises:
            BusError: as in ``call``.
        """
        await self.call(message_bus.AddMatch(rule))

    async def signals(self) -> AsyncIterator[Message]:
        """Signals as they come, until the bus goes away or ``close``."""
        while (signal := await self._signals.get()) is not None:
            yield signal

    def close(self) -> None:
        """The connection is closed; whoever waits is told."""
        if not self._open:
            return
        self._open = False
        self._loop.remove_reader(self._connection.sock)
        self._connection.close()
        self._signals.put_nowait(None)
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(ConnectionResetError("the bus went away"))

    def _read(self) -> None:
        while self._open:
            try:
                message = self._connection.receive(timeout=0)
            except TimeoutError:
                return
            except (OSError, RuntimeError, ValueError) as error:
                log.info("bus connection lost", extra={"error": type(error).__name__})
                self.close()
                return
            self._take(message)

    def _take(self, message: Message) -> None:
        kind = message.header.message_type
        if kind is MessageType.signal:
            self._signals.put_nowait(message)
        elif kind in (MessageType.method_return, MessageType.error):
            serial: Any = message.header.fields.get(HeaderFields.reply_serial)
            answer = self._waiting.get(serial)
            if answer is not None and not answer.done():
                answer.set_result(message)


def _close_late(attempt: asyncio.Future[DBusConnection]) -> None:
    """Nobody waits for this connection any more."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().close()
