"""The real program on a real desk, without voice: tray, window, second start, dialog."""

import pytest

from tests.e2e.accessible import ScreenReader
from tests.e2e.acts import DIALOG, MAKES_A_FILE, ask, ended_turn, made
from tests.e2e.conftest import Launches
from tests.e2e.desk import Desk
from tests.e2e.waiting import eventually, holds_for
from tests.fakes.ollama_script import say
from tests.parts.program import TITLE, second_start

pytestmark = pytest.mark.real_screen

TIMED_OUT = (
    "Nobody answered the approval request in time, so I stopped running bash. Ask again if you need it."
)


@pytest.mark.voice_bug("ui", "Closing last dialog quits the tray app")
def test_closing_the_window_leaves_the_tray_icon(silent: Launches) -> None:
    stage = silent()
    stage.program.in_tray()
    stage.desk.close(stage.desk.window(TITLE))
    stage.desk.gone(TITLE)
    holds_for(lambda: stage.program.running and stage.desk.tray_items(), "the icon stays", 0.5)


@pytest.mark.voice_bug("ui", "No tray available -> app runs with no way to reach it")
def test_without_a_tray_the_window_cannot_vanish(silent: Launches, trayless_desk: Desk) -> None:
    stage = silent(on=trayless_desk)
    window = stage.desk.window(TITLE)
    stage.desk.close(window)
    eventually(lambda: len(stage.desk.windows(TITLE)) == 2, "a box asks how to go on")
    with ScreenReader(stage.desk.env) as reader:
        eventually(lambda: "Keep Jarvis running?" in reader.texts(), "it asks whether to go on")
    assert stage.program.running
    assert window.wid in [one.wid for one in stage.desk.windows(TITLE)]


@pytest.mark.voice_bug("instance", "Two copies fight for the mic")
def test_a_second_start_brings_the_first_forward_and_ends(silent: Launches) -> None:
    stage = silent(arguments=("--hidden",))
    stage.program.in_tray()
    assert not stage.desk.windows(TITLE)
    second = second_start(stage.program)
    assert (second.returncode, second.stdout) == (0, "")
    stage.desk.window(TITLE)
    eventually(lambda: stage.desk.active == TITLE, "the window has the keyboard")


@pytest.mark.promise("T-002", "T-037", "T-058")
def test_a_click_on_allow_runs_the_command_and_a_storm_of_clicks_before_it_does_not(silent: Launches) -> None:
    stage = silent(MAKES_A_FILE, say("The file is there."))
    ask(stage, "make a file")
    stage.desk.window(DIALOG)
    with ScreenReader(stage.desk.env) as reader:
        x, y = reader.centre("approval.allow")
        stage.desk.do("mousemove", str(x), str(y), "click", "--repeat", "25", "--delay", "60", "1")
        assert stage.desk.windows(DIALOG)
        assert not made(stage).exists()
        eventually(lambda: "Enter allows, Esc denies." in reader.texts(), "the dialog is armed")
    stage.desk.click(x, y)
    stage.desk.gone(DIALOG)
    turn = ended_turn(stage)
    assert made(stage).read_text("ascii") == "done\n"
    assert (turn.end, turn.reply) == ("answered", "The file is there.")


def test_a_screen_readers_press_on_a_dialog_that_is_not_armed_decides_nothing(silent: Launches) -> None:
    stage = silent(MAKES_A_FILE)
    ask(stage, "make a file")
    stage.desk.window(DIALOG)
    with ScreenReader(stage.desk.env) as reader:
        reader.press("approval.allow")
        holds_for(lambda: stage.desk.windows(DIALOG) and not made(stage).exists(), "the question", 0.5)


@pytest.mark.promise("T-027", "T-029", "T-061")
def test_a_question_that_nobody_answers_runs_out_and_its_dialog_closes(silent: Launches) -> None:
    stage = silent(MAKES_A_FILE)
    ask(stage, "make a file")
    stage.desk.window(DIALOG)
    stage.home.leap.touch()
    stage.desk.gone(DIALOG)
    turn = ended_turn(stage)
    assert (turn.end, turn.reply) == ("timed_out", TIMED_OUT)
    assert not made(stage).exists()
    assert len(stage.scripted.chats) == 1
    with ScreenReader(stage.desk.env) as reader:
        eventually(lambda: TIMED_OUT in " ".join(reader.texts()), "the line is on the screen")
