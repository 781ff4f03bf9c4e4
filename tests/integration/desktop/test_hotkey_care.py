"""The setting ui.hotkey in force: real keys on a real screen reach the core as "Talk now"."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field

import pytest
from Xlib import XK, X, display

from jarvis_desktop.app.hotkey_care import SETTING, HotkeyCare, hotkey_problem
from jarvis_desktop.core.items.commands import Command, TalkNow
from jarvis_desktop.core.items.events import Event, Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.setup import SettingsChanged
from tests.fakes.texts import PlainTexts
from tests.parts.screen import Screen


@dataclass
class Cared:
    """A care that runs, what it posted, and what it told."""

    care: HotkeyCare = field(init=False)
    posted: asyncio.Queue[Command] = field(default_factory=asyncio.Queue)
    told: asyncio.Queue[Event] = field(default_factory=asyncio.Queue)

    def set(self, text: str) -> None:
        self.care.on_event(SettingsChanged({SETTING: text}))

    async def trouble(self) -> str:
        """The next trouble that is told; empty when one is over."""
        told = await asyncio.wait_for(self.told.get(), 10)
        assert isinstance(told, TroubleNoted | TroubleCleared)
        assert told.part is Part.HOTKEY
        text = told.text if isinstance(told, TroubleNoted) else ""
        assert self.care.trouble == text
        return text


@asynccontextmanager
async def cared(text: str, **environ: str) -> AsyncIterator[Cared]:
    loop, made = asyncio.get_running_loop(), Cared()

    def post(command: Command) -> None:
        loop.call_soon_threadsafe(made.posted.put_nowait, command)

    made.care = HotkeyCare(text, post, PlainTexts(), made.told.put, environ)
    running = asyncio.create_task(made.care.run())
    try:
        yield made
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def pressed_until_heard(made: Cared, screen: Screen, keys: str) -> None:
    """The keys are pressed until they arrive: that they are held already is said to nobody."""
    async with asyncio.timeout(10):
        while made.posted.empty():
            await asyncio.to_thread(screen.xdo, "key", keys)
    assert await made.posted.get() == TalkNow()


@pytest.mark.real_screen
async def test_the_keys_of_the_setting_begin_to_listen_and_a_new_setting_counts_at_once(
    keyboard_screen: Screen,
) -> None:
    async with cared("Ctrl+Alt+J", DISPLAY=keyboard_screen.display) as made:
        await pressed_until_heard(made, keyboard_screen, "ctrl+alt+j")
        made.set("Super+K")
        await pressed_until_heard(made, keyboard_screen, "super+k")
        made.set("")
        made.set("Ctrl+Alt+L")
        await pressed_until_heard(made, keyboard_screen, "ctrl+alt+l")
        assert (made.care.trouble, made.told.empty()) == ("", True)


@pytest.mark.real_screen
@pytest.mark.voice_bug("ui", "Global hotkey does not work on Wayland")
async def test_taken_keys_are_named_and_the_trouble_ends_with_others(keyboard_screen: Screen) -> None:
    with closing(display.Display(keyboard_screen.display)) as other:
        other.screen().root.grab_key(
            other.keysym_to_keycode(XK.XK_j), X.ControlMask, False, X.GrabModeAsync, X.GrabModeAsync
        )
        other.sync()
        async with cared("Ctrl+J", DISPLAY=keyboard_screen.display) as made:
            assert (await made.trouble()).startswith("Ctrl+J belongs to another program")
            made.set("Ctrl+K")
            assert await made.trouble() == ""


@pytest.mark.voice_bug("ui", "Global hotkey does not work on Wayland")
async def test_under_wayland_the_command_to_bind_is_said() -> None:
    async with cared("Ctrl+Alt+J", DISPLAY=":4711", WAYLAND_DISPLAY="wayland-0") as made:
        said = await made.trouble()
        assert said.startswith("Under Wayland no program can take keys for itself, so Ctrl+Alt+J does not")
        assert said.endswith('jarvis-desktop ask --listen".')
        made.set("")
        assert await made.trouble() == ""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # sockets of the library
async def test_without_a_screen_that_is_said_and_another_setting_tries_again() -> None:
    async with cared("Ctrl+Alt+J", DISPLAY=":4711") as made:
        assert "(X server)" in await made.trouble()
        made.set("Ctrl+Alt+K")
        assert "Ctrl+Alt+K" in await made.trouble()


async def test_a_setting_that_is_no_hotkey_says_what_to_write() -> None:
    async with cared("Strg+J", DISPLAY=":4711") as made:
        assert await made.trouble() == (
            'ui.hotkey is "Strg+J", and "Strg" is no key that Jarvis knows. Write the keys as in Ctrl+Alt+J '
            "or Super+F9. Until then there is no hotkey."
        )
    assert all(hotkey_problem(text, PlainTexts()) for text in ("Ctrl", "Ctrl+A+B", "j"))
    assert hotkey_problem("", PlainTexts()) == ""
