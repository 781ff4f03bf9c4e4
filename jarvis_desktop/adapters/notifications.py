"""Messages through the desktop's notification service (org.freedesktop.Notifications)."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import TypeVar

from jeepney import DBusAddress, MatchRule, Message, new_method_call
from jeepney.bus_messages import message_bus

from jarvis_desktop.adapters.desktop_entry import APP_ID, icons_dir
from jarvis_desktop.adapters.message_bus import BusError, MessageBus, member_of, sender_of
from jarvis_desktop.core.items.notice import SEEN_S, Notice, NoticePress

log = logging.getLogger(__name__)
T = TypeVar("T")

WAITING = 20
"""More than these wait for no bus: the oldest is old news. So many withdrawn ones are remembered, too."""
GOODBYE_S = 0.5
"""For taking questions off the screen when the program ends."""
_NAME = "org.freedesktop.Notifications"
_PATH = "/org/freedesktop/Notifications"
_SERVICE = DBusAddress(_PATH, bus_name=_NAME, interface=_NAME)
_BY_THE_DESKTOP = -1
_NORMAL, _CRITICAL = 1, 2


@dataclass(slots=True)
class _Shown:
    """Where a notice went."""

    server: str
    """Unique name of who shows it, never given to anybody else; only that one can say what became of it."""
    number: int
    notice: Notice
    seen: bool = False

    @property
    def place(self) -> tuple[str, int]:
        """One place on the screen; a service uses its numbers again."""
        return self.server, self.number


class Notifications:
    """Fills ``Notices``. Nothing is opened before the first one.

    The callbacks are called on the core's thread. ``pressed``: also for a notice that was withdrawn while
    the press was on its way. ``lost``: no service showed this one; ``shown``: one took it.
    """

    def __init__(
        self,
        pressed: Callable[[NoticePress], None],
        lost: Callable[[Notice], None],
        address: str = "SESSION",
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        *,
        shown: Callable[[Notice], None] = lambda _: None,
    ) -> None:
        self._pressed = pressed
        self._lost, self._taken = lost, shown
        self._address = address
        self._sleep = sleep
        self._orders: deque[Notice | str] = deque(maxlen=WAITING)
        """Notices to show, names of those to withdraw."""
        self._news = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bus: MessageBus | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._shown: dict[str, _Shown] = {}
        self._withdrawn: deque[_Shown] = deque(maxlen=WAITING)

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
        """Pass notices on until cancelled; then nothing stays on the screen that can be answered."""
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
            await self._leave()

    async def _leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._bus is None:
            return
        answerable = [one for one in self._shown.values() if one.notice.digest]
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                await asyncio.gather(*(_close(self._bus, one) for one in answerable), return_exceptions=True)
        self._bus.close()

    async def _obey(self, order: Notice | str) -> None:
        try:
            if isinstance(order, Notice):
                await self._show(order)
            else:
                await self._withdraw(order)
        except BusError as error:
            log.info("no notification was shown", extra={"error": str(error)})
            if isinstance(order, Notice):
                self._lost(order)

    async def _show(self, notice: Notice) -> None:
        bus = await self._connected()
        answer = await bus.call(new_method_call(_SERVICE, "GetCapabilities"))
        # From here on this very service: another one that takes its name may be able to do other things.
        server, able = sender_of(answer), _said(answer, list)
        before = self._shown.get(notice.notice_id)
        replaces = before.number if before is not None and before.server == server else 0
        content = _content(notice, able, replaces)
        answer = await bus.call(new_method_call(_at(server), "Notify", "susssasa{sv}i", content))
        shown = _Shown(server, _said(answer, int), notice)
        self._withdrawn = deque((one for one in self._withdrawn if one.place != shown.place), WAITING)
        self._shown[notice.notice_id] = shown
        self._taken(notice)
        self._behind(self._see(bus, shown))

    async def _see(self, bus: MessageBus, shown: _Shown) -> None:
        await self._sleep(SEEN_S)
        # Where this program hung, an early press waits to be read. It lies before the answer to this.
        with suppress(BusError):
            await bus.call(message_bus.GetId())
            shown.seen = True
            log.debug("a notification was there for a second", extra={"notice": shown.notice.notice_id})

    async def _withdraw(self, notice_id: str) -> None:
        shown = self._shown.pop(notice_id, None)
        if shown is None or self._bus is None or self._bus.closed:
            return  # it went with its bus
        self._withdrawn.append(shown)
        await _close(self._bus, shown)

    async def _connected(self) -> MessageBus:
        if self._bus is not None and not self._bus.closed:
            return self._bus
        self._shown.clear()
        self._withdrawn.clear()
        bus = await MessageBus.open(self._address)
        try:
            for member in ("ActionInvoked", "NotificationClosed"):
                await bus.listen(MatchRule(type="signal", sender=_NAME, member=member))
        except BusError:
            bus.close()
            raise
        self._bus = bus
        self._behind(self._listen(bus))
        return bus

    def _behind(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self, bus: MessageBus) -> None:
        async for signal in bus.signals():
            self._take(signal)

    def _take(self, signal: Message) -> None:
        member, body = member_of(signal), signal.body
        if member not in ("ActionInvoked", "NotificationClosed") or len(body) != 2:
            return
        # Another program's notice, or somebody who only says that he is the service, is none of ours.
        place = (sender_of(signal), body[0])
        found = next((one for one in (*self._shown.values(), *self._withdrawn) if one.place == place), None)
        if found is None:
            return
        notice, key = found.notice, body[1]
        if member == "NotificationClosed":
            self._forget(found)
        elif any(key == offered for offered, _ in notice.actions):
            self._pressed(NoticePress(notice, key, found.seen))

    def _forget(self, closed: _Shown) -> None:
        if self._shown.get(closed.notice.notice_id) is closed:
            del self._shown[closed.notice.notice_id]
        elif closed in self._withdrawn:
            self._withdrawn.remove(closed)


def _at(server: str) -> DBusAddress:
    return DBusAddress(_PATH, bus_name=server, interface=_NAME)


def _said(answer: Message, kind: type[T]) -> T:
    """The one value of an answer.

    Raises:
        BusError: the service answered something else.
    """
    if len(answer.body) != 1 or not isinstance(answer.body[0], kind):
        raise BusError("not an answer")
    return answer.body[0]


def _sayable(text: str) -> str:
    """``text`` without what no message on a bus can hold; a bus ends the connection over it."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


async def _close(bus: MessageBus, shown: _Shown) -> None:
    # By the unique name: a service that came instead may have given the number to somebody else.
    await bus.call(new_method_call(_at(shown.server), "CloseNotification", "u", (shown.number,)))


def _content(notice: Notice, able: Sequence[str], replaces: int) -> tuple[object, ...]:
    """Arguments of ``Notify``."""
    buttons = "actions" in able
    text = notice.text if buttons else notice.instead or notice.text
    # Some desktops read markup in the text, others would show how it was escaped.
    text = escape(text, quote=False) if "body-markup" in able else text
    keys = [_sayable(word) for action in notice.actions for word in action] if buttons else []
    hints = {
        "urgency": ("y", _CRITICAL if notice.urgent else _NORMAL),
        "desktop-entry": ("s", APP_ID),
        "transient": ("b", notice.fleeting),
    }
    icon = str(icons_dir() / "jarvis-48.png")
    ends_ms = _BY_THE_DESKTOP if notice.lasts_s is None else max(1, round(notice.lasts_s * 1000))
    return ("Jarvis", replaces, icon, _sayable(notice.title), _sayable(text), keys, hints, ends_ms)
