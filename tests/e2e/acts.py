"""What a person does with the program, in the words of the tests."""

from pathlib import Path

from tests.e2e.accessible import ScreenReader
from tests.e2e.conftest import Stage
from tests.e2e.waiting import WAIT_S, eventually
from tests.fakes.ollama_script import call
from tests.parts.program import TITLE, StoredTurn

DIALOG = "Jarvis asks for permission"
DIALOG_KO = "자비스가 허락을 구해요"
LISTENING = ("Listening", "듣고 있어요")
WAV = Path(__file__).parents[1] / "data/wav"
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


def say_request(stage: Stage, recording: str, words: str) -> float:
    """Speak a recording with the wake word in it; it is understood now. The second at which it began.

    words: part of the request that is understood however the microphone's blocks happen to fall.
    """
    began_s = stage.spoken_to.speak(WAV / recording)
    turn = stage.program.await_(lambda: stage.home.turns, "the request is understood")[-1]
    assert words in turn.text
    assert turn.origin == "spoken"
    return began_s


def allow(stage: Stage) -> None:
    """Click on Allow until the dialog takes it; the first click only brings the person to it."""
    stage.desk.window(DIALOG)
    with ScreenReader(stage.desk.env) as reader:
        x, y = reader.centre("approval.allow")
        stage.desk.click(x, y)
        eventually(
            lambda: "Enter allows, Esc denies." in reader.texts() or not stage.desk.windows(DIALOG),
            "the dialog is armed",
        )
    if stage.desk.windows(DIALOG):
        stage.desk.click(x, y)
    stage.desk.gone(DIALOG)


def shows(stage: Stage, *parts: str) -> None:
    """All of these are on the screen now."""
    with ScreenReader(stage.desk.env) as reader:
        for part in parts:
            stage.program.await_(lambda part=part: part in " ".join(reader.texts()), f"it says: {part}")  # type: ignore[misc]


def hear_out(stage: Stage, since_s: float) -> None:
    """Something was said aloud since then, and it is quiet again."""
    stage.spoken_to.loudspeaker.wait_for_sound(since_s)
    stage.spoken_to.loudspeaker.wait_for_silence(0.6)


def read_out(stage: Stage, since_s: float) -> None:
    """What was asked aloud since then is read to its end, and the program listens for the answer."""
    hear_out(stage, since_s)  # the two earcons before it may be all that was heard yet
    with ScreenReader(stage.desk.env) as reader:
        eventually(
            lambda: any(text.startswith(LISTENING) for text in reader.texts()), "it listens for the answer"
        )


def ended_turn(stage: Stage, within_s: float = WAIT_S) -> StoredTurn:
    """The last turn, as soon as it is over."""

    def over() -> StoredTurn | None:
        turns = stage.home.turns
        return turns[-1] if turns and turns[-1].state == "ended" else None

    return stage.program.await_(over, "the turn is over", within_s)


def made(stage: Stage) -> Path:
    """The file that ``MAKES_A_FILE`` makes."""
    return stage.home.work / MADE
