"""One global hotkey on X11: keys that reach us whatever window has the keyboard."""

import logging
import select
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from itertools import combinations
from types import MappingProxyType

from Xlib import XK, X, display, error
from Xlib.protocol import event

from jarvis_desktop.core.items.hotkey import Hotkey, Modifier

log = logging.getLogger(__name__)

# X11's names for keys that are not called as people call them.
_KEYSYM_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "Space": "space",
        "Enter": "Return",
        "Backspace": "BackSpace",
        "PageUp": "Prior",
        "PageDown": "Next",
        "ScrollLock": "Scroll_Lock",
        "Comma": "comma",
        "Period": "period",
        "Slash": "slash",
        "Semicolon": "semicolon",
        "Minus": "minus",
        "Equal": "equal",
        "Grave": "grave",
        "Backslash": "backslash",
    }
)
_MODIFIER_KEYSYMS: Mapping[Modifier, tuple[int, int]] = MappingProxyType(
    {Modifier.ALT: (XK.XK_Alt_L, X.Mod1Mask), Modifier.SUPER: (XK.XK_Super_L, X.Mod4Mask)}
)
"""The key by which a modifier is found, and the bit that it has nearly everywhere."""
# Keys that stay on after they are let go. X11 compares them, too, so every combination is asked for.
# The last one, which AltGr has, is not among the names that the library knows.
_LOCKING = (XK.XK_Num_Lock, XK.XK_Scroll_Lock, XK.XK_Mode_switch, 0xFE03)
ENDS_WITHIN_S = 1.0


class Grab(Enum):
    """What became of asking for keys."""

    HELD = auto()
    NONE = auto()
    """None were asked for."""
    TAKEN = auto()
    """Another program has them."""
    NO_SUCH_KEY = auto()
    """The keyboard has no such key."""
    NO_SERVER = auto()
    """The X server cannot be reached, or went away."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told. Both are called on the hotkey's own thread."""

    pressed: Callable[[], None]
    asked: Callable[[Grab], None]
    """After each ``ask``, and again when that changes (another keyboard layout, the server's end)."""


class X11Hotkey:
    """A connection of its own on a thread of its own: a server that hangs holds nobody else up."""

    def __init__(self, display_name: str, listener: Listener) -> None:
        self._display_name = display_name
        self._listener = listener
        self._lock = threading.Lock()
        self._wanted: Hotkey | None = None
        self._over = False
        self._wake_read, self._wake_write = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="hotkey", daemon=True)

    def start(self) -> None:
        """Begin; the first ``ask`` may come before or after."""
        self._thread.start()

    def ask(self, hotkey: Hotkey | None) -> None:
        """These keys from now on, and no others; any thread. The answer comes to ``asked``."""
        with self._lock:
            self._wanted = hotkey
        self._wake()

    def close(self) -> None:
        """The keys are free again, and nobody is told anything any more."""
        with self._lock:
            self._over = True
        self._wake()
        self._thread.join(ENDS_WITHIN_S)

    def _wake(self) -> None:
        try:
            self._wake_write.send(b"!")
        except OSError:  # the thread is over
            return

    # --- on the thread --------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            with self._wake_read, self._wake_write:
                self._serve()
        except (error.DisplayError, error.ConnectionClosedError, OSError) as failure:
            log.warning("no hotkey: X server", extra={"error": type(failure).__name__})
            self._tell(Grab.NO_SERVER)

    def _serve(self) -> None:
        server = display.Display(self._display_name)
        try:
            # Errors that nobody waits for would be printed.
            server.set_error_handler(lambda *_: None)
            keys = _Keys(server)
            while True:
                if not server.pending_events():
                    ready, _, _ = select.select([server.fileno(), self._wake_read.fileno()], [], [])
                    if self._wake_read.fileno() in ready:
                        server.sync()  # a change of the layout that came before the wish is known first
                        self._take_events(server, keys)
                        if not self._asked(keys):
                            return
                self._take_events(server, keys)
        finally:
            server.close()

    def _asked(self, keys: "_Keys") -> bool:
        """Take over what is wanted now; False at the end."""
        self._wake_read.recv(64)
        with self._lock:
            wanted, over = self._wanted, self._over
        if over:
            return False
        self._tell(keys.hold(wanted))
        return True

    def _take_events(self, server: display.Display, keys: "_Keys") -> None:
        while server.pending_events():
            happened = server.next_event()
            if isinstance(happened, event.MappingNotify):
                server.refresh_keyboard_mapping(happened)
                if keys.moved():
                    self._tell(keys.hold(keys.wanted))
            elif keys.pressed(happened):
                self._listener.pressed()

    def _tell(self, grab: Grab) -> None:
        if not self._over:
            self._listener.asked(grab)


class _Keys:
    """The keys that are held on one server."""

    def __init__(self, server: display.Display) -> None:
        self._server = server
        self._root = server.screen().root
        self.wanted: Hotkey | None = None
        self._at: tuple[int, int, tuple[int, ...]] | None = None
        """Key code, modifiers, and the locks beside them, as held now."""
        self._released_ms = -1

    def hold(self, wanted: Hotkey | None) -> Grab:
        """Let go what is held, and hold ``wanted`` in all its shades."""
        self._let_go()
        self.wanted = wanted
        if wanted is None:
            return Grab.NONE
        at = self._place(wanted)
        if at is None:
            return Grab.NO_SUCH_KEY
        code, mask, shades = self._at = at
        refused = error.CatchError(error.BadAccess)
        for shade in shades:
            self._root.grab_key(code, mask | shade, False, X.GrabModeAsync, X.GrabModeAsync, onerror=refused)
        self._server.sync()
        if refused.get_error() is None:
            return Grab.HELD
        self._let_go()
        return Grab.TAKEN

    def moved(self) -> bool:
        """The keyboard's layout has put the key elsewhere."""
        return self.wanted is not None and self._place(self.wanted) != self._at

    def pressed(self, happened: object) -> bool:
        """A person pressed the keys just now; a key that is kept down counts once."""
        if isinstance(happened, event.KeyRelease):
            self._released_ms = happened.time
            return False
        # A key that repeats is let go and pressed in the same millisecond.
        return isinstance(happened, event.KeyPress) and happened.time != self._released_ms

    def _let_go(self) -> None:
        if self._at is None:
            return
        code, mask, shades = self._at
        for shade in shades:
            self._root.ungrab_key(code, mask | shade)
        self._server.sync()
        self._at = None

    def _place(self, wanted: Hotkey) -> tuple[int, int, tuple[int, ...]] | None:
        name = wanted.key.lower() if len(wanted.key) == 1 else wanted.key
        keysym = XK.string_to_keysym(_KEYSYM_NAMES.get(name, name))
        code = self._server.keysym_to_keycode(keysym)
        if not code:
            return None
        rows = [tuple(row) for row in self._server.get_modifier_mapping()]
        mask = 0
        for modifier in wanted.modifiers:
            mask |= self._mask(modifier, rows)
        return code, mask, self._shades(rows, mask)

    def _mask(self, modifier: Modifier, rows: list[tuple[int, ...]]) -> int:
        if modifier is Modifier.CTRL:
            return X.ControlMask
        if modifier is Modifier.SHIFT:
            return X.ShiftMask
        keysym, usual = _MODIFIER_KEYSYMS[modifier]
        return self._mask_of(keysym, rows) or usual

    def _mask_of(self, keysym: int, rows: list[tuple[int, ...]]) -> int:
        code = self._server.keysym_to_keycode(keysym)
        return next((1 << number for number, row in enumerate(rows) if code and code in row), 0)

    def _shades(self, rows: list[tuple[int, ...]], mask: int) -> tuple[int, ...]:
        """Every combination of the locks that may be on beside ``mask``."""
        found = {self._mask_of(keysym, rows) for keysym in _LOCKING}
        locks = sorted((found | {X.LockMask}) - {0, *(1 << bit for bit in range(8) if mask & 1 << bit)})
        return tuple(sum(chosen) for count in range(len(locks) + 1) for chosen in combinations(locks, count))
