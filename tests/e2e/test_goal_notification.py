"""What came of a goal as a notification of a real desktop, while its window lies in the tray."""

from dataclasses import replace

import pytest

from tests.e2e.accessible import ScreenReader
from tests.e2e.conftest import Launches
from tests.e2e.desk import Desk
from tests.e2e.test_notification import NOTIFYD, notified_desk
from tests.e2e.waiting import eventually
from tests.fakes.ollama_script import say
from tests.parts.program import TITLE

__all__ = ["notified_desk"]

pytestmark = pytest.mark.real_screen

SENTENCE = "tell me when one is new"
FOUND = "Head: Something is new.\nItem: [n1] One is new.\nRecord: looked\nDone: no"


@pytest.mark.promise("G-046", "G-049")
def test_what_a_goal_found_is_a_notification_that_opens_its_conversation(
    silent: Launches, notified_desk: Desk
) -> None:
    stage = silent(replace(say(FOUND), gate="looks"), say(FOUND), on=notified_desk)
    stage.program.in_tray()
    window = stage.desk.window(TITLE)
    stage.desk.do("windowactivate", "--sync", window.wid)
    stage.desk.type(f"/goal {SENTENCE}")
    stage.desk.key("Return")
    stage.program.await_(lambda: list(stage.home.folder.glob("goals/*.json")), "the goal is kept")
    stage.desk.close(window)
    stage.desk.gone(TITLE)
    stage.scripted.release("looks")
    with ScreenReader(stage.desk.env, NOTIFYD) as reader:
        eventually(lambda: "One is new." in "\n".join(reader.texts()), "the news is on the screen")
        eventually(lambda: reader.places("Open"), "it can be opened")
        stage.desk.click(*reader.places("Open")[0])
    stage.desk.window(TITLE)
    with ScreenReader(stage.desk.env) as reader:
        eventually(lambda: "One is new." in "\n".join(reader.texts()), "the conversation shows it")
