"""Messages to a person's other devices, through the services that the library apprise knows."""

import asyncio
import logging
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

log = logging.getLogger(__name__)

PUSH_S = 20.0
"""An address that has not answered by then has not taken the message; the others are not kept waiting."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]{0,19})://", re.IGNORECASE)


class ApprisePush:
    """Fills ``Push``. Every address has a try of its own: one that fails or hangs stops no other."""

    def __init__(self, limit_s: float = PUSH_S) -> None:
        self._limit_s = limit_s

    async def push(self, addresses: Sequence[str], title: str, text: str) -> int:
        """How many of ``addresses`` took the message: their services said so."""
        tries = (self._within(address, title, text) for address in addresses)
        taken = await asyncio.gather(*tries)
        for address, well in zip(addresses, taken, strict=True):
            if not well:
                # An address is a secret; what kind of service it names is none.
                scheme = _SCHEME.match(address)
                log.warning("a push was not taken", extra={"kind": scheme[1] if scheme else "unknown"})
        return sum(taken)

    async def _within(self, address: str, title: str, text: str) -> bool:
        try:
            async with asyncio.timeout(self._limit_s):
                return await _in_thread(lambda: _sent(address, title, text))
        except TimeoutError:
            return False


def _in_thread(work: Callable[[], bool]) -> "asyncio.Future[bool]":
    """A thread that keeps nobody: a service that never answers must not hold the program's end up."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[bool] = loop.create_future()

    def settle(well: bool) -> None:  # noqa: FBT001 - it carries a result
        if not future.done():
            future.set_result(well)

    def run() -> None:
        try:
            well = work()
        except Exception as error:  # noqa: BLE001 - rim: the thread; plugins raise what they like
            log.warning("a push broke", extra={"error": type(error).__name__})
            well = False
        with suppress(RuntimeError):  # the loop is closed: the program is ending
            loop.call_soon_threadsafe(settle, well)

    threading.Thread(target=run, name="push", daemon=True).start()
    return future


def _sent(address: str, title: str, text: str) -> bool:
    # Half a second of pure Python, which only those need who have an address.
    import apprise

    logging.getLogger("apprise").disabled = True  # it writes addresses down when it is asked to tell more
    asset = apprise.AppriseAsset(secure_logging=True)
    asset.app_id, asset.app_desc, asset.app_url = "Jarvis", "Jarvis", ""
    sender = apprise.Apprise(asset=asset)
    return bool(
        sender.add(address) and sender.notify(body=text, title=title, body_format=apprise.NotifyFormat.TEXT)
    )
