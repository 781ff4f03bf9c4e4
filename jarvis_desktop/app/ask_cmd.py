"""``jarvis-desktop ask``: one turn in a terminal."""

import os
import sys
from collections.abc import Callable

from jarvis_desktop.adapters.call_kin import came_from_a_call
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.core_thread import CoreMain, Inbox
from jarvis_desktop.app.instance import Instance, Message, Reply
from jarvis_desktop.app.main import (
    core_thread,
    end,
    from_a_call_text,
    make_console,
    no_answer_text,
    prepare,
    served,
)
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.app.skill_desk import calls_skill
from jarvis_desktop.core.items.commands import Command, SubmitTurn, TalkNow
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.turn import Origin
from jarvis_desktop.core.slash.markup import readable
from jarvis_desktop.core.slash.parsing import Slash, read
from jarvis_desktop.ui.console import Console, ConsoleOptions
from jarvis_desktop.ui.visible_text import visible


def ask_once(text: str, *, deny_all: bool) -> int:
    """Work on ``text``, or listen for a request when it is empty; the exit status says how it went.

    A running desktop listens in its own window. A text gets its answer here, in a conversation
    of its own while a desktop is running, else in the last one; so does a skill. A slash command is carried
    out by the running desktop, and answered in both places.

    Raises:
        UserFixableError: a command of the running desktop wants to be listened to, or obeyed.
    """
    listen, line = not text.strip(), read(text)
    slash = isinstance(line, Slash)
    start = prepare(voice=listen)
    if slash and came_from_a_call(os.getpid()):
        raise UserFixableError(from_a_call_text(start.texts))
    instance = Instance(start.home)
    alone = instance.claim()
    try:
        if listen and not alone:
            reply = instance.tell(Message.TALK)
            if reply is Reply.REFUSED:
                raise UserFixableError(from_a_call_text(start.texts))
            if reply is Reply.TAKEN:
                return 0
        if isinstance(line, Slash) and not alone and not calls_skill(start, line):
            return _obeyed(start, instance, text)
        first: Command = TalkNow() if listen else SubmitTurn(text, Origin.COMMAND_LINE)
        options = ConsoleOptions(first, once=True, deny_all=deny_all, notes=sys.stderr)
        return _run(start, instance if alone else None, options)
    finally:
        if alone:
            instance.release()


def _obeyed(start: Start, instance: Instance, text: str) -> int:
    """Have the running program carry a slash command out, and print its answer."""
    reply, obeyed = instance.obey(text)
    if reply is Reply.REFUSED:
        raise UserFixableError(from_a_call_text(start.texts))
    if reply is Reply.NONE:
        raise UserFixableError(no_answer_text(instance, start.texts))
    print(visible(readable(obeyed.text)), file=sys.stdout if obeyed.well else sys.stderr)
    return 0 if obeyed.well else 1


def _run(start: Start, instance: Instance | None, options: ConsoleOptions) -> int:
    def send(command: Command) -> None:
        core.post(command)

    console = make_console(start, send, options)
    core = core_thread(_main(start, console, send, instance), start, console.deliver)
    core.start()
    try:
        return console.main()
    finally:
        end(core)


def _main(
    start: Start, console: Console, send: Callable[[Command], None], instance: Instance | None
) -> CoreMain:
    surface = Surface(console.deliver, send, waits_for_disk=False, fresh_conversation=instance is None)
    if instance is not None:
        return served(start, SystemClock(), surface, instance, lambda _: None)

    async def beside_another(inbox: Inbox) -> None:
        from jarvis_desktop.app.compose import run_core

        await run_core(inbox, start, SystemClock(), surface)

    return beside_another
