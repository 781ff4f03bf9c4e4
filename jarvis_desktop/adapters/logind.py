"""The machine's sleep as systemd-logind announces it, with a moment to get ready before."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Coroutine
from contextlib import closing

from jeepney import DBusAddress, MatchRule, Message, new_method_call
from jeepney.fds import FileDescriptor

from jarvis_desktop.adapters.message_bus import BusError, MessageBus, member_of, sender_of

log = logging.getLogger(__name__)

_NAME = "org.freedesktop.login1"
_MANAGER = DBusAddress("/org/freedesktop/login1", bus_name=_NAME, interface="org.freedesktop.login1.Manager")
_WHY = ("sleep", "Jarvis Desktop", "The microphone is closed before the sleep", "delay")


class _Held:
    """Our word in the machine's way to sleep; it waits a few seconds for it at most."""

    def __init__(self) -> None:
        self._lock: FileDescriptor | None = None
        self.logind = ""
        """Who gave it; only that one's announcements count."""

    async def take(self, bus: MessageBus) -> None:
        """Held, where logind lets us."""
        self.give_back()
        try:
            answer = await _kept(bus.call(new_method_call(_MANAGER, "Inhibit", "ssss", _WHY)))
        except BusError as error:
            log.info("no sleep announcements", extra={"error": str(error)})
            self.logind = ""
            return
        self._lock, self.logind = answer.body[0], sender_of(answer)
        # It came open for every program that we start, which would hold the machine's sleep up, too.
        os.set_inheritable(self._lock.fileno(), False)

    def give_back(self) -> None:
        """The machine need not wait for us."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


async def _kept(call: Coroutine[None, None, Message]) -> Message:
    """The answer; when we are cancelled while it comes, the lock in it is given back instead of lost."""
    asking = asyncio.create_task(call)
    try:
        return await asyncio.shield(asking)
    except asyncio.CancelledError:
        asking.add_done_callback(_given_back)
        raise


def _given_back(asking: "asyncio.Task[Message]") -> None:
    if not asking.cancelled() and asking.exception() is None:
        asking.result().body[0].close()


async def sleep_changes(address: str = "SYSTEM") -> AsyncIterator[bool]:
    """True when the machine is about to sleep, False when it is awake again.

    The sleep waits until the next item is asked for, within logind's own limit (usually 5 s). Ends where
    there is no system bus.
    """
    try:
        bus = await MessageBus.open(address)
    except BusError as error:
        log.info("no system bus", extra={"error": str(error)})
        return
    held = _Held()
    with closing(bus):
        try:
            await _begin(bus, held)
            async for signal in bus.signals():
                if _is_new_logind(signal):
                    await held.take(bus)
                elif member_of(signal) == "PrepareForSleep" and sender_of(signal) == held.logind:
                    begins = bool(signal.body[0])
                    yield begins
                    if begins:
                        held.give_back()
                    else:
                        await held.take(bus)
        except BusError as error:
            log.info("system bus lost", extra={"error": str(error)})
        finally:
            held.give_back()


async def _begin(bus: MessageBus, held: _Held) -> None:
    await bus.listen(MatchRule(type="signal", sender=_NAME, member="PrepareForSleep"))
    changes = MatchRule(type="signal", sender="org.freedesktop.DBus", member="NameOwnerChanged")
    changes.add_arg_condition(0, _NAME)
    await bus.listen(changes)
    await held.take(bus)


def _is_new_logind(signal: Message) -> bool:
    return (
        member_of(signal) == "NameOwnerChanged"
        and sender_of(signal) == "org.freedesktop.DBus"
        and signal.body[0] == _NAME
        and bool(signal.body[2])
    )
