"""Starts the program: the tray at once, everything heavy behind it."""

import gc
import logging
import os
import sys
from collections.abc import Callable, Coroutine
from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from jarvis_desktop.adapters.call_kin import is_a_persons_terminal
from jarvis_desktop.adapters.catalog import Catalog, app_language, system_language
from jarvis_desktop.adapters.home_dir import home_dir
from jarvis_desktop.adapters.log_setup import log_uncaught, set_up_logging
from jarvis_desktop.adapters.secret_variables import take_secrets
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.core_thread import CoreMain, CoreThread, Inbox
from jarvis_desktop.app.instance import Instance, Message, Reply
from jarvis_desktop.app.open_questions import OpenQuestions
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.app.slash_errands import SlashErrands
from jarvis_desktop.core.items.commands import Command, Quit, TalkNow
from jarvis_desktop.core.items.errors import JarvisError, StorageError
from jarvis_desktop.core.items.events import CoreStopped, Event, Part, TroubleNoted
from jarvis_desktop.core.ports import Clock, Texts
from jarvis_desktop.ui.console import Console, ConsoleOptions

if TYPE_CHECKING:
    from jarvis_desktop.ui.qt.desktop import Desktop

log = logging.getLogger(__name__)

END_WITHIN_S = 2.5
"""Quitting may take three seconds; after this the process ends anyway."""


def prepare(*, voice: bool = True) -> Start:
    """Home, settings, texts and log of this start.

    Raises:
        StorageError: the home cannot be used.
    """
    home = home_dir(Catalog(system_language()))
    take_secrets()
    settings, problems = load_settings(home)
    set_up_logging(home)
    log_uncaught()
    return Start(home, settings, Catalog(app_language(settings.ui.language)), problems, voice)


def has_display() -> bool:
    """A screen is there to open windows on."""
    named = (
        os.environ.get("QT_QPA_PLATFORM") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    return bool(named) or sys.platform in ("darwin", "win32")


class FirstSight(Enum):
    """What a start shows first."""

    WINDOW = auto()
    TRAY = auto()
    """Nothing but the tray: a start that nobody is waiting for."""
    SETUP = auto()


def run_desktop(sight: FirstSight = FirstSight.WINDOW, clock: Clock | None = None) -> int:
    """Start the desktop, or bring the one that runs to the front; the exit status comes back."""
    start = prepare()
    instance = Instance(start.home)
    if not _claimed(instance, start.texts):
        message = Message.SETUP if sight is FirstSight.SETUP else Message.SHOW
        return _show_the_first(instance, start.texts, message)
    try:
        run = _run_windows if has_display() else _run_terminal
        return run(start, instance, clock or SystemClock(), sight)
    finally:
        instance.release()


def _claimed(instance: Instance, texts: Texts) -> bool:
    """Whether this process is now the one of its home.

    Raises:
        StorageError: nobody can tell, as with a lock of somebody else.
    """
    try:
        return instance.claim()
    except OSError as error:
        text = texts("{file} cannot be used: {reason}. Make it yours and writable, then start Jarvis again.")
        reason = error.strerror or type(error).__name__
        raise StorageError(text.format(file=instance.lock_path, reason=reason)) from error


def _show_the_first(instance: Instance, texts: Texts, message: Message) -> int:
    reply = instance.tell(message)
    if reply is Reply.TAKEN:
        return 0
    text = from_a_call_text(texts) if reply is Reply.REFUSED else no_answer_text(instance, texts)
    print(text, file=sys.stderr)  # noqa: T201 - no window exists yet
    return 1


def no_answer_text(instance: Instance, texts: Texts) -> str:
    """What to do about a running program that says nothing."""
    return texts(
        "Jarvis is already running, but it does not answer. End the process that holds {file} and "
        "start again."
    ).format(file=instance.lock_path)


def from_a_call_text(texts: Texts) -> str:
    """Why the running program did not do what a start asked of it."""
    return texts("Jarvis takes no orders from a command that it runs itself.")


def _run_windows(start: Start, instance: Instance, clock: Clock, sight: FirstSight) -> int:
    # Qt is imported for a windowed start only.
    from jarvis_desktop.ui.qt.desktop import Desktop

    def send(command: Command) -> None:
        core.post(command)

    limit = start.settings.security.input_max_length
    hidden = sight is FirstSight.TRAY
    desktop = Desktop(
        send, start.texts, start.settings.ui, start_hidden=hidden, now=clock.now, input_limit=limit
    )
    if sight is FirstSight.SETUP:
        desktop.show_setup()
    receive = receiver(desktop.show_window, desktop.show_setup, send)
    behind = _notifying(desktop)
    surface = Surface(desktop.deliver, send, shows_past=True, shows_notices=True, sets_up=True, behind=behind)
    core = core_thread(served(start, clock, surface, instance, receive), start, desktop.deliver)
    # What stands by now stays; the core's imports make the interpreter look through it again and again.
    gc.freeze()
    core.start()
    try:
        return desktop.main()
    finally:
        end(core)


def _notifying(desktop: "Desktop") -> Callable[[], Coroutine[None, None, None]]:
    """Gives the desktop the notifications of the session."""

    async def run() -> None:
        # The message bus is imported in the core's thread, while the window shows.
        from jarvis_desktop.adapters.notifications import Notifications

        board = desktop.board
        notifications = Notifications(board.pressed, board.lost, shown=board.shown)
        board.notices = notifications
        await notifications.run()

    return run


def _run_terminal(start: Start, instance: Instance, clock: Clock, sight: FirstSight) -> int:
    """A conversation on this terminal, where no screen is."""
    del sight
    text = start.texts("There is no screen here, so Jarvis talks in this terminal. Ctrl+D ends it.")
    print(text)  # noqa: T201 - the front end is the terminal

    def send(command: Command) -> None:
        core.post(command)

    console = make_console(start, send, ConsoleOptions())
    surface = Surface(console.deliver, send)
    main = served(start, clock, surface, instance, receiver(console.show_window, console.show_window, send))
    core = core_thread(main, start, console.deliver)
    core.start()
    try:
        return console.main()
    finally:
        end(core)


def make_console(start: Start, send: Callable[[Command], None], options: ConsoleOptions) -> Console:
    """The console front end on this process's terminal."""
    person = not sys.stdin.isatty() or is_a_persons_terminal(sys.stdin.fileno())
    return Console(send, start.texts, sys.stdin, sys.stdout, replace(options, person=person))


def receiver(
    show: Callable[[], None], show_setup: Callable[[], None], send: Callable[[Command], None]
) -> Callable[[Message], None]:
    """What the first program does when a later start tells it something."""

    def receive(message: Message) -> None:
        match message:
            case Message.SHOW:
                show()
            case Message.SETUP:
                show_setup()
            case Message.TALK:
                send(TalkNow())

    return receive


def served(
    start: Start,
    clock: Clock,
    surface: Surface,
    instance: Instance,
    receive: Callable[[Message], None],
) -> CoreMain:
    """The core, with the socket for later starts open beside it."""

    async def main(inbox: Inbox) -> None:
        # Models, network and database are imported here, in the core's thread, while the tray shows.
        from jarvis_desktop.app.compose import run_core

        questions = OpenQuestions(surface.deliver)
        errands = SlashErrands(questions.deliver, surface.post)
        async with await instance.listen(receive, may_speak=questions.none, obey=errands.obey):
            await run_core(inbox, start, clock, replace(surface, deliver=errands.deliver))

    return main


def core_thread(main: CoreMain, start: Start, deliver: Callable[[Event], None]) -> CoreThread:
    """The worker thread; its end by an error is told where people look."""

    def crashed(error: BaseException) -> None:
        note = crash_note(start, error)
        deliver(note)
        deliver(CoreStopped(note.text))

    return CoreThread(main, crashed)


def crash_note(start: Start, error: BaseException) -> TroubleNoted:
    """What to say when the core cannot start or go on."""
    if isinstance(error, JarvisError):
        return TroubleNoted(Part.DATABASE, str(error))
    text = start.texts(
        "Jarvis has stopped working because of an error of its own ({error}). Quit it and start it again; "
        "the details are in {folder}."
    )
    return TroubleNoted(Part.DATABASE, text.format(error=type(error).__name__, folder=start.home / "logs"))


def end(core: CoreThread) -> None:
    """Stop the core; a part that does not come back does not keep the process."""
    core.post(Quit())
    try:
        ended = core.join(END_WITHIN_S)
    except KeyboardInterrupt:  # a second Ctrl+C: whoever pressed it does not want to wait
        ended = False
    if not ended:
        # A native call (recogniser, sound server) or a long reading goes on; what matters is on disk already.
        log.error("the core did not end in time")
        logging.shutdown()
        os._exit(0)
