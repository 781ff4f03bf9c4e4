"""What a person does with the program, in the words of the tests."""

from pathlib import Path

from tests.e2e.conftest import Stage
from tests.fakes.ollama_script import call
from tests.parts.program import TITLE, StoredTurn

DIALOG = "Jarvis asks for permission"
DIALOG_KO = "자비스가 허락을 구합니다"
MADE = "made.txt"
MAKES_A_FILE = call("bash", {"command": f"echo done > {MADE}"})


def ask(stage: Stage, text: str) -> None:
    """Type a request into the window and send it; it is stored now."""
    before = len(stage.home.turns)
    window = stage.desk.window(TITLE)
    stage.desk.do("windowactivate", "--sync", window.wid)
    stage.desk.type(text)
    stage.desk.key("Return")
    stage.program.await_(lambda: len(stage.home.turns) > before, "the request is stored")
    assert stage.home.turns[-1].text == text


def ended_turn(stage: Stage) -> StoredTurn:
    """The last turn, as soon as it is over."""

    def over() -> StoredTurn | None:
        turns = stage.home.turns
        return turns[-1] if turns and turns[-1].state == "ended" else None

    return stage.program.await_(over, "the turn is over")


def made(stage: Stage) -> Path:
    """The file that ``MAKES_A_FILE`` makes."""
    return stage.home.work / MADE
