"""Starts the program: the tray at once, everything heavy behind it."""

import logging
import os
import sys
from collections.abc import Callable

from jarvis_desktop.adapters.catalog import Catalog, system_language
from jarvis_desktop.adapters.home_dir import home_dir
from jarvis_desktop.adapters.log_setup import set_up_logging
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.core_thread import CoreThread, Inbox
from jarvis_desktop.app.instance import Instance, Message
from jarvis_desktop.app.options import Start
from jarvis_desktop.core.items.commands import Command, Quit, SubmitTurn, TalkNow
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import Clock
from jarvis_desktop.core.settings import Settings

log = logging.getLogger(__name__)

END_WITHIN_S = 3.0
"""Longest that quitting may take before the process ends anyway."""


def prepare(*, voice: bool = True) -> Start:
    """Home, settings, texts and log of this start.

    Raises:
        UserFixableError: the home cannot be used.
    """
    home = home_dir()
    settings, problems = load_settings(home)
    set_up_logging(home)
    return Start(home, settings, Catalog(app_language(settings)), problems, voice and settings.voice.enabled)


def app_language(settings: Settings) -> Language:
    """The language of the app's own texts."""
    if settings.ui.language == "system":
        return system_language()
    return Language(settings.ui.language)


def has_display() -> bool:
    """A screen is there to open windows on."""
    named = os.environ.get("QT_QPA_PLATFORM")
    return bool(named or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) or sys.platform in (
        "darwin",
        "win32",
    )


def run_desktop(*, hidden: bool = False, clock: Clock | None = None) -> int:
    """Start the desktop, or bring the one that runs to the front; the exit status comes back."""
    start = prepare()
    instance = Instance(start.home)
    if not instance.claim():
        return _tell_the_first(instance, Message.SHOW, start)
    try:
        if has_display():
            return _run_windows(start, instance, hidden=hidden, clock=clock or SystemClock())
        return run_console(start, instance, clock=clock or SystemClock())
    finally:
        instance.release()


def _tell_the_first(instance: Instance, message: Message, start: Start) -> int:
    if instance.tell(message):
        return 0
    text = start.texts(
        "Jarvis is already running for {home}, but it does not answer. End it with your system monitor "
        "and start again."
    )
    print(text.format(home=start.home), file=sys.stderr)  # noqa: T201 - no window exists yet
    return 1


def _run_windows(start: Start, instance: Instance, *, hidden: bool, clock: Clock) -> int:
    # Qt is imported for a windowed start only.
    from jarvis_desktop.ui.qt.desktop import Desktop

    def send(command: Command) -> None:
        core.post(command)

    def receive(message: Message) -> None:
        if message is Message.SHOW:
            desktop.show_window()
        else:
            send(TalkNow())

    desktop = Desktop(send, start.texts, start.settings.ui, start_hidden=hidden)
    core = CoreThread(
        lambda inbox: _core_main(inbox, start, clock, desktop.deliver, instance, receive),
        lambda error: desktop.deliver(crash_note(start, error)),
    )
    core.start()
    try:
        return desktop.main()
    finally:
        _end(core)


def _end(core: CoreThread) -> None:
    core.post(Quit())
    if not core.join(END_WITHIN_S):
        # A native call (recogniser, sound server) does not come back; what matters is on disk already.
        log.error("the core did not end in time")
        logging.shutdown()
        os._exit(0)
