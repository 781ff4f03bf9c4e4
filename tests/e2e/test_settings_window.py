"""The settings window of the real program, by keyboard alone."""

import pytest

from tests.e2e.accessible import ScreenReader
from tests.e2e.conftest import Launches
from tests.e2e.waiting import eventually
from tests.parts.program import TITLE

pytestmark = pytest.mark.real_screen

SETTINGS_TITLE = "Settings"
RULES = "# the team's\nrules:\n  - {tool: bash, pattern: git status}  # reading\n"


@pytest.mark.promise("T-092")
def test_keys_open_the_rules_revoke_one_and_put_it_back(silent: Launches) -> None:
    stage = silent()
    file = stage.home.folder / "approvals.yaml"
    window = stage.desk.window(TITLE)
    file.write_text(RULES, "utf-8")
    stage.desk.do("windowactivate", "--sync", window.wid)
    stage.desk.key("ctrl+alt+comma")
    stage.desk.window(SETTINGS_TITLE)
    eventually(lambda: stage.desk.active.startswith(SETTINGS_TITLE), "the window has the keyboard")
    stage.desk.key("r")  # lists are searched by typing: no other page begins with it
    with ScreenReader(stage.desk.env) as reader:
        eventually(
            lambda: "It stands in approvals.yaml, line 3." in " ".join(reader.texts()), "the rule is listed"
        )
    stage.desk.key("Tab", "Tab", "Tab", "Tab")  # the list of pages, what scrolls, two buttons, the table
    stage.desk.key("Delete")
    eventually(lambda: file.read_text("utf-8") == "# the team's\nrules:\n", "the rule is gone from its file")
    stage.desk.key("ctrl+z")
    eventually(lambda: file.read_text("utf-8") == RULES, "every byte is back")
    stage.desk.key("Escape")
    stage.desk.gone(SETTINGS_TITLE)
