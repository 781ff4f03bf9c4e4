"""Looks after the global hotkey: takes it, follows the setting, and says why it cannot be had."""

import asyncio
import os
import shlex
from collections.abc import Callable, Mapping

from jarvis_desktop.adapters.desktop_entry import own_command
from jarvis_desktop.adapters.x11_hotkey import Grab, Listener, X11Hotkey
from jarvis_desktop.core.items.commands import Command, TalkNow
from jarvis_desktop.core.items.events import Event, Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.hotkey import Hotkey, HotkeyFault, HotkeyTextError, parse_hotkey
from jarvis_desktop.core.items.setup import SettingsChanged
from jarvis_desktop.core.ports import Emit, Texts

SETTING = "ui.hotkey"


def hotkey_problem(text: str, texts: Texts) -> str:
    """Why ``text`` cannot be the setting, and what can; empty when it can be."""
    try:
        parse_hotkey(text)
    except HotkeyTextError as error:
        return _fault_text(error, texts).format(text=text, word=error.word)
    return ""


class HotkeyCare:
    """Runs beside the conversation; pressing the keys is the same as "Talk now"."""

    def __init__(
        self,
        text: str,
        post: Callable[[Command], None],
        texts: Texts,
        emit: Emit,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._text = text
        self._post = post
        self._texts = texts
        self._emit = emit
        self._environ = environ
        self._news: asyncio.Queue[Grab | None] = asyncio.Queue()
        """What became of the keys; None when the setting changed."""
        self._keys: X11Hotkey | None = None
        self._trouble = ""

    @property
    def trouble(self) -> str:
        """Why the hotkey cannot be had; empty when it works or none is set."""
        return self._trouble

    def on_event(self, event: Event) -> None:
        """Another hotkey counts at once."""
        if isinstance(event, SettingsChanged) and SETTING in event.changed:
            self._text = str(event.changed[SETTING])
            self._news.put_nowait(None)
        elif isinstance(event, SettingsChanged) and "ui.language" in event.changed and self._trouble:
            self._news.put_nowait(None)  # tried anew, what is wrong is told in that language

    async def run(self) -> None:
        """Hold the keys until cancelled; then they are free."""
        try:
            await self._bind()
            while True:
                grab = await self._news.get()
                if grab is None:
                    await self._bind()
                else:
                    await self._tell_grab(grab)
        finally:
            await self._let_go()

    async def _bind(self) -> None:
        problem = hotkey_problem(self._text, self._texts)
        wanted = None if problem else parse_hotkey(self._text)
        if wanted is not None and self._environ.get("WAYLAND_DISPLAY"):
            # XWayland would grant the keys, and hear them only while one of its own windows is in front.
            problem, wanted = self._wayland_text(wanted), None
        if wanted is None:
            await self._let_go()
            await self._tell(problem)
            return
        if self._keys is None:
            self._keys = self._opened()
        self._keys.ask(wanted)

    def _opened(self) -> X11Hotkey:
        loop = asyncio.get_running_loop()

        def asked(grab: Grab) -> None:
            loop.call_soon_threadsafe(self._news.put_nowait, grab)

        keys = X11Hotkey(self._environ.get("DISPLAY", ""), Listener(lambda: self._post(TalkNow()), asked))
        keys.start()
        return keys

    async def _let_go(self) -> None:
        if self._keys is not None:
            keys, self._keys = self._keys, None
            await asyncio.to_thread(keys.close)

    async def _tell_grab(self, grab: Grab) -> None:
        wanted = None if hotkey_problem(self._text, self._texts) else parse_hotkey(self._text)
        if wanted is None or self._keys is None:
            return  # it is about keys that are not wanted any more
        if grab is Grab.NO_SERVER:
            await self._let_go()  # the next change of the setting tries anew
        await self._tell(_grab_text(grab, self._texts).format(keys=wanted, command=_listen_command()))

    async def _tell(self, trouble: str) -> None:
        if trouble == self._trouble:
            return
        self._trouble = trouble
        await self._emit(TroubleNoted(Part.HOTKEY, trouble) if trouble else TroubleCleared(Part.HOTKEY))

    def _wayland_text(self, wanted: Hotkey) -> str:
        return self._texts(
            "Under Wayland no program can take keys for itself, so {keys} does not make Jarvis listen. In "
            'the keyboard settings of your desktop, bind the keys to this command: "{command}".'
        ).format(keys=wanted, command=_listen_command())


def _listen_command() -> str:
    """What people bind to keys in their desktop's own settings."""
    return shlex.join((*own_command(), "ask", "--listen"))


def _grab_text(grab: Grab, texts: Texts) -> str:
    match grab:
        case Grab.HELD | Grab.NONE:
            return ""
        case Grab.TAKEN:
            return texts(
                "{keys} belongs to another program or to the desktop already, so it does not make Jarvis "
                "listen. Choose other keys in the setup, or free these in the keyboard settings of your "
                "desktop."
            )
        case Grab.NO_SUCH_KEY:
            return texts(
                "This keyboard cannot type {keys}, so it does not make Jarvis listen. Choose other keys in "
                "the setup."
            )
        case Grab.NO_SERVER:
            return texts(
                "The screen (X server) does not let Jarvis take {keys}. Choose the keys once more in the "
                'setup, or bind them to this command in the keyboard settings of your desktop: "{command}".'
            )


def _fault_text(error: HotkeyTextError, texts: Texts) -> str:
    match error.fault:
        case HotkeyFault.UNKNOWN:
            return texts(
                'ui.hotkey is "{text}", and "{word}" is no key that Jarvis knows. Write the keys as in '
                "Ctrl+Alt+J or Super+F9. Until then there is no hotkey."
            )
        case HotkeyFault.NO_KEY:
            return texts(
                'ui.hotkey is "{text}", which are only keys that are held. Add one that is pressed, as in '
                "Ctrl+Alt+J. Until then there is no hotkey."
            )
        case HotkeyFault.TWO_KEYS:
            return texts(
                'ui.hotkey is "{text}", which are two keys to press. Name one, with Ctrl, Alt, Shift or '
                "Super to hold, as in Ctrl+Alt+J. Until then there is no hotkey."
            )
        case HotkeyFault.BARE:
            return texts(
                'ui.hotkey is "{text}", which could then be typed nowhere else. Add Ctrl, Alt or Super, as '
                "in Ctrl+Alt+J. Until then there is no hotkey."
            )
