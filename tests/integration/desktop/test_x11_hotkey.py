"""The global hotkey on a real X server, with real key presses and a second program that wants the keys."""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from queue import Empty, Queue

import pytest
from Xlib import XK, X, display
from Xlib.ext import xtest

from jarvis_desktop.adapters.x11_hotkey import Grab, Listener, X11Hotkey
from jarvis_desktop.core.items.hotkey import Hotkey, parse_hotkey
from tests.integration.desktop.waiting import comes_true
from tests.parts.screen import Screen

pytestmark = pytest.mark.real_screen


@dataclass
class Keys:
    """A hotkey that was begun, and what it said."""

    screen: Screen
    presses: list[str] = field(default_factory=list)
    said: Queue[Grab] = field(default_factory=Queue)
    hotkey: X11Hotkey = field(init=False)

    def __post_init__(self) -> None:
        self.hotkey = X11Hotkey(
            self.screen.display, Listener(lambda: self.presses.append("pressed"), self.said.put)
        )

    def ask(self, text: str) -> Grab:
        """What became of asking for these keys."""
        self.hotkey.ask(parse_hotkey(text))
        return self.answer()

    def answer(self) -> Grab:
        try:
            return self.said.get(timeout=10)
        except Empty:
            pytest.fail("nothing was said about the keys")

    def press(self, *keys: str) -> None:
        self.screen.xdo("key", *keys)

    def heard(self, count: int) -> None:
        comes_true(lambda: len(self.presses) == count, f"{count} presses arrived")


@pytest.fixture
def keys(keyboard_screen: Screen) -> Iterator[Keys]:
    made = Keys(keyboard_screen)
    made.hotkey.start()
    yield made
    made.hotkey.close()


@pytest.fixture
def other_program(keyboard_screen: Screen) -> Iterator[display.Display]:
    with closing(display.Display(keyboard_screen.display)) as other:
        yield other


@pytest.fixture
def layout(keyboard_screen: Screen) -> Iterator[Callable[[str], str]]:
    """Changes the keyboard's layout; afterwards it is the usual one."""
    yield lambda names: keyboard_screen.run("setxkbmap", "-layout", names)
    keyboard_screen.run("setxkbmap", "-layout", "us", "-option", "")


def take(other: display.Display, keysym: int, mask: int) -> None:
    root = other.screen().root
    root.grab_key(other.keysym_to_keycode(keysym), mask, False, X.GrabModeAsync, X.GrabModeAsync)
    other.sync()


def test_the_keys_arrive_and_others_do_not(keys: Keys) -> None:
    assert keys.ask("Ctrl+Alt+J") is Grab.HELD
    keys.press("ctrl+alt+k", "ctrl+j", "ctrl+alt+shift+j", "ctrl+alt+j")
    keys.press("ctrl+alt+j")
    keys.heard(2)


@pytest.mark.parametrize("lock", ["Num_Lock", "Caps_Lock"])
def test_a_lock_that_is_on_does_not_hide_the_keys(lock: str, keys: Keys) -> None:
    assert keys.ask("Ctrl+Alt+J") is Grab.HELD
    keys.press(lock)
    try:
        keys.press("ctrl+alt+j")
        keys.heard(1)
    finally:
        keys.press(lock)


def test_a_key_that_is_kept_down_counts_once(keys: Keys) -> None:
    assert keys.ask("Super+F9") is Grab.HELD
    keys.screen.xdo("keydown", "super", "keydown", "F9", "sleep", "1.2", "keyup", "F9", "keyup", "super")
    keys.press("super+F9")
    keys.heard(2)


def test_keys_of_another_program_are_said_to_be_taken_and_are_free_for_us_when_it_ends(
    keys: Keys, keyboard_screen: Screen
) -> None:
    with closing(display.Display(keyboard_screen.display)) as other:
        # One shade is enough: half a hotkey would fail whenever NumLock is on.
        take(other, XK.XK_j, X.ControlMask | X.Mod1Mask | X.Mod2Mask)
        assert keys.ask("Ctrl+Alt+J") is Grab.TAKEN
        keys.press("ctrl+alt+j")
        # What is taken is tried again by itself, so its answer may come once more in between.
        comes_true(lambda: keys.ask("Ctrl+Alt+K") is Grab.HELD, "other keys are free")
        keys.press("ctrl+alt+k")
        keys.heard(1)
    comes_true(lambda: keys.ask("Ctrl+Alt+J") is Grab.HELD, "the keys of the ended program are free")


def test_what_is_let_go_is_free_for_others(keys: Keys, other_program: display.Display) -> None:
    refused: list[object] = []
    other_program.set_error_handler(lambda error, _: refused.append(error))
    assert keys.ask("Ctrl+Alt+J") is Grab.HELD
    assert keys.ask("") is Grab.NONE
    take(other_program, XK.XK_j, X.ControlMask | X.Mod1Mask)
    assert refused == []


def test_the_end_frees_the_keys(keys: Keys, other_program: display.Display) -> None:
    refused: list[object] = []
    other_program.set_error_handler(lambda error, _: refused.append(error))
    assert keys.ask("Ctrl+Alt+J") is Grab.HELD
    keys.hotkey.close()
    take(other_program, XK.XK_j, X.ControlMask | X.Mod1Mask)
    assert (refused, keys.said.qsize()) == ([], 0)


def test_another_layout_moves_the_hotkey_with_its_letter(keys: Keys, layout: Callable[[str], str]) -> None:
    assert keys.ask("Ctrl+Alt+Q") is Grab.HELD
    layout("fr")
    assert keys.answer() is Grab.HELD
    keys.press("ctrl+alt+q")
    keys.heard(1)


def test_the_second_layout_being_on_does_not_hide_the_keys(keys: Keys, layout: Callable[[str], str]) -> None:
    layout("us,ru")
    assert keys.ask("Ctrl+Alt+J") is Grab.HELD
    keys.press("shift")  # the first key after a change makes the server go back to the first layout
    with closing(display.Display(keys.screen.display)) as hands, second_layout_on(keys.screen) as is_on:
        codes = [hands.keysym_to_keycode(keysym) for keysym in (XK.XK_Control_L, XK.XK_Alt_L, XK.XK_j)]
        # Not xdotool: it goes back to the first layout by itself.
        for code in codes:
            xtest.fake_input(hands, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(hands, X.KeyRelease, code)
        hands.sync()
        keys.heard(1)
        assert is_on()


@contextmanager
def second_layout_on(screen: Screen) -> Iterator[Callable[[], bool]]:
    """The second layout is on, as after the person's own switch; whether it still is can be asked."""
    xlib = ctypes.CDLL("libX11.so.6")
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    server = ctypes.c_void_p(xlib.XOpenDisplay(screen.display.encode()))
    core_keyboard = 0x100

    def lock(group: int) -> None:
        xlib.XkbLockGroup(server, core_keyboard, group)
        xlib.XSync(server, 0)

    def is_on() -> bool:
        state = (ctypes.c_ubyte * 32)()
        xlib.XkbGetState(server, core_keyboard, state)
        return state[0] == 1

    assert xlib.XkbUseExtension(server, ctypes.byref(ctypes.c_int()), ctypes.byref(ctypes.c_int()))
    lock(1)
    try:
        yield is_on
    finally:
        lock(0)
        xlib.XCloseDisplay(server)


def test_a_key_that_the_keyboard_lacks_is_said_and_held_when_it_comes(
    keys: Keys, layout: Callable[[str], str]
) -> None:
    layout("ru")
    assert keys.ask("Ctrl+Alt+J") is Grab.NO_SUCH_KEY
    layout("us")
    assert keys.answer() is Grab.HELD


# The library leaves the sockets of a connection that could not be made to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_without_an_x_server_that_is_said() -> None:
    said: Queue[Grab] = Queue()
    hotkey = X11Hotkey(":4711", Listener(lambda: None, said.put))
    hotkey.start()
    hotkey.ask(Hotkey(frozenset(), "F9"))
    assert said.get(timeout=10) is Grab.NO_SERVER
    hotkey.close()


def test_a_server_that_ends_is_said(tmp_path_factory: pytest.TempPathFactory) -> None:
    screen = Screen(tmp_path_factory.mktemp("ends"))
    keys = Keys(screen)
    keys.hotkey.start()
    assert keys.ask("Ctrl+Alt+J") is Grab.HELD
    screen.close()
    assert keys.answer() is Grab.NO_SERVER
    keys.hotkey.close()
