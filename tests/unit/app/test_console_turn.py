"""A whole turn through the console: the core beside the second front end, with a scripted model."""

import io
from time import process_time

import pytest

from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.core_thread import CoreThread, Inbox
from jarvis_desktop.core.items.commands import Command, SubmitTurn
from jarvis_desktop.core.items.turn import Origin
from jarvis_desktop.ui.console import Console, ConsoleOptions
from tests.fakes.chat_model import ScriptedModel, calls, says
from tests.fakes.texts import PlainTexts
from tests.unit.app.stage import Stage

DENIED = "Approval was denied, so I stopped running bash. Ask again if you need it.\n"


def one_turn(stage: Stage, console_options: ConsoleOptions, source: io.StringIO) -> tuple[int, str]:
    """Exit status and answer of ``jarvis-desktop ask`` on this stage."""
    out = io.StringIO()

    def send(command: Command) -> None:
        core.post(command)

    async def main(inbox: Inbox) -> None:
        stage.inbox = inbox
        await stage.play()

    console = Console(send, PlainTexts(), source, out, console_options)
    stage.listeners.append(console.deliver)
    core = CoreThread(main, lambda error: pytest.fail(repr(error)))
    core.start()
    status = console.main()
    assert core.join(5)
    return status, out.getvalue()


def options(*, deny_all: bool = False) -> ConsoleOptions:
    request = SubmitTurn("run make", Origin.COMMAND_LINE)
    return ConsoleOptions(request, once=True, deny_all=deny_all, notes=io.StringIO(), arm_s=0.0)


class Person(io.StringIO):
    """A terminal at which somebody has typed already."""

    def isatty(self) -> bool:
        return True


def test_a_turn_through_the_console_takes_less_than_a_second_of_work() -> None:
    used_s = process_time()
    stage = Stage(ScriptedModel(says("Hello from the model.")), clock=SystemClock())
    answer = one_turn(stage, options(), io.StringIO())
    # The promise of the console is to make whole-program tests cheap; a slow one is a defect of its own.
    assert process_time() - used_s < 1
    assert answer == (0, "Hello from the model.\n")


def test_a_no_to_everything_ends_with_the_fixed_line_and_no_further_model_call() -> None:
    stage = Stage(ScriptedModel(calls("bash", command="make")), clock=SystemClock())
    _, answer = one_turn(stage, options(deny_all=True), io.StringIO())
    assert (answer, stage.bash.ran, len(stage.model.requests)) == (DENIED, [], 1)


def test_a_pipe_that_says_yes_is_nobody() -> None:
    stage = Stage(ScriptedModel(calls("bash", command="make")), clock=SystemClock())
    _, answer = one_turn(stage, options(), io.StringIO("y\ny\ny\n"))
    assert (answer, stage.bash.ran) == (DENIED, [])
