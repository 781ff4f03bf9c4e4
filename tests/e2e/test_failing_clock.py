"""The wall clock is set while the real program runs."""

import pytest

from jarvis_desktop.ui.qt.approval_gate import ARM_S
from tests.e2e.accessible import ScreenReader
from tests.e2e.acts import DIALOG, MAKES_A_FILE, allow, ask, ended_turn, made
from tests.e2e.conftest import Launches
from tests.e2e.waiting import holds_for
from tests.fakes.ollama_script import say

pytestmark = pytest.mark.real_screen

TIMED_OUT = (
    "Nobody answered the approval request in time, so I stopped running bash. Ask again if you need it."
)


def test_a_wall_clock_that_is_set_loses_no_request_and_no_question_lives_longer_for_it(
    silent: Launches,
) -> None:
    stage = silent(say("Hello."), MAKES_A_FILE, say("The file is there."), MAKES_A_FILE, say("Still here."))
    stage.home.set_wall_clock(5)
    ask(stage, "hello")
    assert ended_turn(stage).reply == "Hello."

    ask(stage, "make a file")
    stage.desk.window(DIALOG)
    stage.home.set_wall_clock(-3)
    allow(stage)
    assert ended_turn(stage).reply == "The file is there."

    made(stage).unlink()
    ask(stage, "make it again")
    stage.desk.window(DIALOG)
    # As after a night with the lid closed: whatever was asked then is not answered now.
    stage.home.set_wall_clock(9)
    with ScreenReader(stage.desk.env) as reader:
        x, y = reader.centre("approval.allow")
    for _ in range(2):
        stage.desk.click(x, y)
        holds_for(lambda: not made(stage).exists(), "nothing runs", ARM_S + 0.2)
    stage.home.leap.touch()
    turn = ended_turn(stage)
    assert (turn.end, turn.reply) == ("timed_out", TIMED_OUT)

    ask(stage, "are you there")
    assert ended_turn(stage).reply == "Still here."
    assert [one.text for one in stage.home.turns] == [
        "hello",
        "make a file",
        "make it again",
        "are you there",
    ]
    assert not made(stage).exists()
    assert stage.home.faults == ()
