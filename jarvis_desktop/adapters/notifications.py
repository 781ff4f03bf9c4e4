"""Messages through the desktop's notification service (org.freedesktop.Notifications)."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from jeepney import DBusAddress, MatchRule, Message, new_method_call

from jarvis_desktop.adapters.desktop_entry import APP_ID, icons_dir
from jarvis_desktop.adapters.message_bus import BusError, MessageBus, member_of, sender_of
from jarvis_desktop.core.items.notice import OPEN, Notice

log = logging.getLogger(__name__)

WAITING = 20
"""More than these wait for no bus: the oldest is old news."""
_NAME = "org.freedesktop.Notifications"
_SERVICE = DBusAddress("/org/freedesktop/Notifications", bus_name=_NAME, interface=_NAME)
_BY_THE_DESKTOP = -1
_NORMAL, _CRITICAL = 1, 2


@dataclass(frozen=True, slots=True)
class _Shown:
    """Where a notice went."""

    server: str
    """Unique name of who shows it; only that one can say what became of it."""
    number: int
    notice: Notice


class Notifications:
    """Fills ``Notices``. Nothing is opened before the first one; where no service is, nothing happens."""

    def __init__(self, chosen: Callable[[Notice, str], None], address: str = "SESSION") -> None:
        self._chosen = chosen
        """Told on the core's thread which key of a notice was pressed."""
        self._address = address
        self._orders: deque[Notice | str] = deque(maxlen=WAITING)
        """Notices to show, names of those to withdraw."""
        self._news = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bus: MessageBus | None = None
        self._listening: asyncio.Task[None] | None = None
        self._shown: dict[str, _Shown] = {}

    def show(self, notice: Notice) -> None:
        """The person may see it soon; any thread."""
        self._order(notice)

    def withdraw(self, notice_id: str) -> None:
        """It is of no use any more; any thread."""
        self._order(notice_id)

    def _order(self, order: Notice | str) -> None:
        self._orders.append(order)
        loop = self._loop
        if loop is None:
            return  # ``run`` looks when it begins
        try:
            loop.call_soon_threadsafe(self._news.set)
        except RuntimeError:  # the loop is closed: the program is ending
            return

    async def run(self) -> None:
        """Pass notices on until cancelled."""
        self._loop = asyncio.get_running_loop()
        self._news.set()
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                while self._orders:
                    await self._obey(self._orders.popleft())
        finally:
            self._loop = None
            if self._bus is not None:
                self._bus.close()
            if self._listening is not None:
                self._listening.cancel()

    async def _obey(self, order: Notice | str) -> None:
        try:
            if isinstance(order, Notice):
                await self._show(order)
            else:
                await self._withdraw(order)
        except BusError as error:
            log.info("no notification was shown", extra={"error": str(error)})

    async def _show(self, notice: Notice) -> None:
        bus = await self._connected()
        able = await bus.call(new_method_call(_SERVICE, "GetCapabilities"))
        # Some desktops read markup in the text, others would show how it was escaped.
        text = escape(notice.text, quote=False) if "body-markup" in able.body[0] else notice.text
        before = self._shown.get(notice.notice_id)
        replaces = before.number if before is not None and before.server == sender_of(able) else 0
        keys = [word for action in ((OPEN, "Jarvis"), *notice.actions) for word in action]
        hints = {
            "urgency": ("y", _CRITICAL if notice.urgent else _NORMAL),
            "desktop-entry": ("s", APP_ID),
        }
        icon = str(icons_dir() / "jarvis-48.png")
        content = ("Jarvis", replaces, icon, notice.title, text, keys, hints, _BY_THE_DESKTOP)
        answer = await bus.call(new_method_call(_SERVICE, "Notify", "susssasa{sv}i", content))
        self._shown[notice.notice_id] = _Shown(sender_of(answer), answer.body[0], notice)

    async def _withdraw(self, notice_id: str) -> None:
        shown = self._shown.pop(notice_id, None)
        if shown is not None:
            bus = await self._connected()
            await bus.call(new_method_call(_SERVICE, "CloseNotification", "u", (shown.number,)))

    async def _connected(self) -> MessageBus:
        if self._bus is None or self._bus.closed:
            self._shown.clear()
            bus = await MessageBus.open(self._address)
            self._bus = bus
            self._listening = asyncio.create_task(self._listen(bus))
            for member in ("ActionInvoked", "NotificationClosed"):
                await bus.listen(MatchRule(type="signal", sender=_NAME, member=member))
        return self._bus

    async def _listen(self, bus: MessageBus) -> None:
        async for signal in bus.signals():
            self._take(signal)

    def _take(self, signal: Message) -> None:
        if member_of(signal) not in ("ActionInvoked", "NotificationClosed"):
            return
        number, key = signal.body
        found = next(
            (one for one in self._shown.values() if (one.server, one.number) == (sender_of(signal), number)),
            None,
        )
        if found is None:
            return  # another program's notice, or somebody who only says that he is the service
        if member_of(signal) == "NotificationClosed":
            del self._shown[found.notice.notice_id]
        elif key in (OPEN, *(offered for offered, _ in found.notice.actions)):
            self._chosen(found.notice, key)
