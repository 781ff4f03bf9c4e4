"""Questions as notifications of a real desktop, answered by real clicks on their buttons."""

import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e import desk as desks
from tests.e2e.accessible import ScreenReader
from tests.e2e.acts import DIALOG, MAKES_A_FILE, ask, ended_turn, made
from tests.e2e.conftest import Launches, Stage, absent
from tests.e2e.desk import Desk, desktop, owned
from tests.e2e.waiting import end_process, eventually
from tests.fakes.ollama_script import say
from tests.parts.fake_locks import screen_saver
from tests.parts.fake_notifications import NAME
from tests.parts.program import TITLE, second_start

pytestmark = pytest.mark.real_screen

NOTIFYD = "xfce4-notifyd"
SERVICE = Path("/usr/lib/x86_64-linux-gnu/xfce4/notifyd") / NOTIFYD
SAVER = "org.freedesktop.ScreenSaver"
WAS_READ = "a notification was there for a second"
LOCKED = "The screen is locked. Unlock it to allow something."


@pytest.fixture
def notified_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desktop with a tray and Xfce's notifications, whose buttons a screen reader finds."""
    missing = desks.missing_programs() + ([] if SERVICE.exists() else [NOTIFYD])
    if missing:
        absent(f"a desktop with notifications needs {', '.join(missing)}; ./test installs them")
    with desktop(tmp_path_factory.mktemp("desk")) as desk:
        env = {name: value for name, value in desk.env.items() if name != "NO_AT_BRIDGE"}
        service = subprocess.Popen([SERVICE], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            eventually(lambda: owned(NAME, env), "the desktop shows notifications")
            yield desk
        finally:
            end_process(service)


@contextmanager
def asked_in_the_tray(stage: Stage, gate: str) -> Iterator[ScreenReader]:
    """A request is sent, its window closed, and then the question is asked; who reads the notifications."""
    ask(stage, f"make a file, {gate}")
    stage.desk.close(stage.desk.window(TITLE))
    stage.desk.gone(TITLE)
    stage.scripted.release(gate)
    with ScreenReader(stage.desk.env, NOTIFYD) as reader:
        yield reader


def click(stage: Stage, reader: ScreenReader, button: str, nth: int) -> None:
    """One click on a button of the nth notification of a question, once it counts and stands still."""

    def counts() -> bool:
        read = [one for one in stage.home.log if one["event"] == WAS_READ and one["notice"] != "answer"]
        return len(read) == nth

    stage.program.await_(counts, "the notification was there for long enough")
    looks: list[tuple[tuple[int, int], ...]] = []

    def stands_still() -> bool:
        looks.append(reader.places(button))
        return len(looks) > 1 and len(looks[-1]) == 1 and looks[-1] == looks[-2]

    eventually(stands_still, f'the button "{button}" stands still')
    stage.desk.click(*looks[-1][0])


@pytest.mark.promise("T-057", "T-060", "T-068")
def test_closed_to_the_tray_a_question_is_answered_by_the_buttons_of_its_notification(
    silent: Launches, notified_desk: Desk
) -> None:
    stage = silent(
        replace(MAKES_A_FILE, gate="first"),
        say("The file is there."),
        replace(MAKES_A_FILE, gate="second"),
        on=notified_desk,
    )
    stage.program.in_tray()
    bus = stage.desk.env["DBUS_SESSION_BUS_ADDRESS"]
    with asked_in_the_tray(stage, "first") as reader:
        with closing(screen_saver(bus, SAVER, "/ScreenSaver", active=True)):
            click(stage, reader, "Allow", 1)
            stage.program.await_(lambda: LOCKED in reader.texts(), "it says that the screen is locked")
        assert stage.desk.windows(DIALOG)
        assert not made(stage).exists()
        eventually(lambda: "echo done > made.txt" in "\n".join(reader.texts()), "the question is there again")
        click(stage, reader, "Allow", 2)
        turn = ended_turn(stage)
        assert (turn.end, turn.reply) == ("answered", "The file is there.")
    made(stage).unlink()
    stage.desk.gone(DIALOG)

    second_start(stage.program)
    with asked_in_the_tray(stage, "second") as reader:
        click(stage, reader, "Deny", 3)
        assert ended_turn(stage).end == "denied"
        eventually(lambda: not reader.places("Deny"), "the notification is gone")
    assert not made(stage).exists()
    assert [line for line in stage.home.activity if "approval" in line] == [
        "⚡ approval · bash · allowed once · notification",
        "⚡ approval · bash · denied · notification",
    ]
