"""A start that cannot even open its window says why where a person looks."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.accessible import ScreenReader
from tests.e2e.conftest import Stage
from tests.e2e.desk import Desk
from tests.e2e.waiting import eventually
from tests.parts.program import TITLE, Home, Program

pytestmark = pytest.mark.real_screen


class Started(Program):
    """From the menu: the command itself, without a terminal."""

    module = "jarvis_desktop"


def test_a_home_that_cannot_be_used_is_said_in_a_window_where_there_is_no_terminal(
    stages: Callable[[Stage], Stage], tmp_path: Path, desk: Desk
) -> None:
    (tmp_path / "file").write_text("a file, not a folder")
    env = {"LANG": "C.UTF-8", "JARVIS_HOME": str(tmp_path / "file")}
    stage = stages(Stage(Home(tmp_path / "home", tmp_path, env), desk, None, None))
    program = Started(stage.home, desk, None)
    stage.programs.append(program)

    window = desk.window(TITLE)
    with ScreenReader(desk.env) as reader:
        eventually(lambda: "set JARVIS_HOME to another folder" in " ".join(reader.texts()), "it is said")
    desk.do("windowactivate", "--sync", window.wid)
    desk.key("Return")

    assert program.ended()[0] == 1
    assert program.output.count("cannot be used: ") == 1
