"""Whom one talks with, in the real window: called by name, chosen from the list, written as a file."""

import pytest

from tests.e2e.accessible import ScreenReader
from tests.e2e.acts import ask, ended_turn, shows
from tests.e2e.conftest import Launches, Stage
from tests.fakes.ollama_script import say
from tests.parts.program import TITLE

pytestmark = pytest.mark.real_screen

SCRIBE = "name: SCRIBE\nanswers_to: [Scribe]\npurpose: Writes things down.\n"


def talks_with(stage: Stage, name: str) -> None:
    """The header names this agent."""
    shows(stage, f"You talk with {name}. Choose another agent")


def choose(stage: Stage, *keys: str) -> None:
    """Open the list by a click on the name, and choose by keys, which reach the program behind the click."""
    with ScreenReader(stage.desk.env) as reader:
        stage.desk.click(*reader.centre("header.agent"))
    stage.desk.key(*keys)


def test_an_agent_is_called_by_name_left_by_the_list_and_found_again_with_all_its_lines(
    silent: Launches,
) -> None:
    stage = silent(say("Two notices are new."), say("It is nine."))
    ask(stage, "Karen, is there anything new?")
    assert ended_turn(stage).reply == "Two notices are new."
    talks_with(stage, "KAREN")
    choose(stage, "Up", "Return")
    talks_with(stage, "Jarvis")
    ask(stage, "what time is it?")
    assert ended_turn(stage).reply == "It is nine."
    choose(stage, "Down", "Return")
    talks_with(stage, "KAREN")
    shows(stage, "Two notices are new.")


def test_a_file_that_is_written_while_the_program_runs_is_an_agent_at_once(silent: Launches) -> None:
    stage = silent(say("Noted."))
    stage.desk.window(TITLE)
    team = stage.home.folder / "team"
    team.mkdir()
    (team / "scribe.yaml").write_text(SCRIBE, "utf-8")
    ask(stage, "Scribe, note this")
    assert ended_turn(stage).reply == "Noted."
    talks_with(stage, "SCRIBE")
    (team / "scribe.yaml").write_text(SCRIBE.replace("purpose", "purposse"), "utf-8")
    shows(stage, "team/scribe.yaml, line 3", "Did you mean purpose?", "the agent stays as it was")
