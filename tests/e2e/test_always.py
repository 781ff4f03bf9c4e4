"""ALWAYS on a real screen: what is shown is saved, and counts at once."""

import pytest

from tests.e2e.accessible import ScreenReader
from tests.e2e.acts import DIALOG, ask, ended_turn
from tests.e2e.conftest import Launches
from tests.e2e.waiting import eventually
from tests.fakes.ollama_script import call, say

pytestmark = pytest.mark.real_screen


def test_a_click_on_always_saves_the_rule_that_was_shown_and_its_like_is_not_asked_again(
    silent: Launches,
) -> None:
    first, second = (call("write_file", {"path": f"notes/{name}.md", "content": "x\n"}) for name in "ab")
    stage = silent(first, second, say("Both are there."))
    ask(stage, "write two notes")
    stage.desk.window(DIALOG)
    folder = stage.home.work / "notes"
    with ScreenReader(stage.desk.env) as reader:
        x, y = reader.centre("approval.always")
        stage.desk.click(x, y)  # brings the dialog forward, and decides nothing
        eventually(lambda: "Enter allows, Esc denies." in reader.texts(), "the dialog is armed")
        shown = "\n".join(reader.texts())
        assert "“Always allow” saves this in approvals/main.yaml:" in shown
        assert f"write_file: {folder}/*" in shown
        assert not folder.exists()
        stage.desk.click(x, y)
    stage.desk.gone(DIALOG)
    turn = ended_turn(stage)
    assert (turn.end, turn.reply) == ("answered", "Both are there.")
    assert sorted(path.name for path in folder.iterdir()) == ["a.md", "b.md"]
    assert not stage.desk.windows(DIALOG)
    saved = (stage.home.folder / "approvals" / "main.yaml").read_text("utf-8")
    assert f"{folder}/*" in saved
