"""A skill in the real window: its file is dropped in, completed, called, and unfolded."""

import pytest

from tests.e2e.acts import ask, ended_turn, shows
from tests.e2e.conftest import Launches
from tests.e2e.waiting import eventually
from tests.fakes.ollama_script import last_user_text, say

pytestmark = pytest.mark.real_screen


def test_a_skill_that_is_dropped_in_is_offered_called_and_shown_as_it_was_typed(silent: Launches) -> None:
    stage = silent(say("Hello."), say("Three lines."))
    ask(stage, "hello")
    ended_turn(stage)
    folder = stage.home.folder / "skills" / "summary"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\ndescription: Sums up a file.\n---\nSum up $1 in three lines.\n")
    stage.desk.type("/skills")
    stage.desk.key("Return")
    shows(stage, "/summary", "Sums up a file.")
    stage.desk.type("/su")
    shows(stage, "/summary TEXT: Sums up a file.")
    stage.desk.key("Tab")
    stage.desk.type("a.txt")
    stage.desk.key("Return")
    eventually(lambda: stage.home.turns[-1].reply == "Three lines.", "the skill is answered")
    assert stage.home.turns[-1].text == "/summary a.txt"
    assert last_user_text(stage.scripted.chats[-1]).startswith("Sum up a.txt in three lines.\n\n[")
    shows(stage, "/summary a.txt", "What the skill made of it", "Three lines.")
