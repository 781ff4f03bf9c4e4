"""The real program forgets a turn, while it runs: no byte of it is in any of its files."""

import pytest

from tests.e2e.accessible import ScreenReader
from tests.e2e.acts import ask, ended_turn
from tests.e2e.conftest import Launches
from tests.e2e.waiting import eventually
from tests.fakes.ollama_script import say
from tests.parts.memory import files_with
from tests.parts.program import TITLE

pytestmark = pytest.mark.real_screen

SETTINGS_TITLE = "Settings"
SECRET = "xylomarzipan"


def test_a_turn_is_forgotten_from_the_window_and_leaves_every_file(silent: Launches) -> None:
    stage = silent(say("Noted."))
    home = stage.home.folder
    ask(stage, f"note {SECRET}")
    ended_turn(stage)
    eventually(lambda: files_with(home, SECRET), "the turn is on disk")
    stage.desk.do("windowactivate", "--sync", stage.desk.window(TITLE).wid)
    stage.desk.key("ctrl+alt+comma")
    stage.desk.window(SETTINGS_TITLE)
    eventually(lambda: stage.desk.active.startswith(SETTINGS_TITLE), "the window has the keyboard")
    stage.desk.type("Mem")  # the list of pages goes to the first one that begins like that
    with ScreenReader(stage.desk.env) as reader:
        eventually(lambda: "1 of 1 turns" in reader.texts(), "the turn is listed")
        reader.press("settings.memory.forget")
        eventually(lambda: "No turn is remembered yet." in reader.texts(), "it counts no more")
        eventually(lambda: not files_with(home, SECRET), "it is in no file", 60)
    assert stage.program.running
    assert not stage.home.turns
    assert stage.home.sound
