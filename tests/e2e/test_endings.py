"""How the real program ends, in every state, and what is left after it was killed."""

from collections.abc import Callable
from functools import partial

import psutil
import pytest

from tests.e2e.accessible import ScreenReader
from tests.e2e.acts import DIALOG, MAKES_A_FILE, WAV, ask, say_request
from tests.e2e.conftest import Launches, Stage
from tests.e2e.waiting import eventually
from tests.fakes.ollama_script import Step, call, say
from tests.parts.program import TITLE

pytestmark = pytest.mark.real_screen

SLEEPS = call("bash", {"command": "echo begun > begun; sleep 61"})


def asks(stage: Stage) -> None:
    ask(stage, "make a file")
    stage.desk.window(DIALOG)


def thinks(stage: Stage) -> None:
    ask(stage, "think hard")
    stage.program.await_(lambda: stage.scripted.chats, "the model is asked")


def answers(stage: Stage) -> None:
    ask(stage, "tell me everything")
    stage.program.await_(lambda: stage.home.turns[-1].reply, "the answer begins")


def runs_a_command(stage: Stage) -> None:
    ask(stage, "list everything")
    stage.program.await_((stage.home.work / "begun").exists, "the command runs")
    assert stage.program.children()


def is_idle(stage: Stage) -> None:
    stage.program.in_tray()


@pytest.mark.voice_bug("ui", "Shutdown hangs / processes left")
@pytest.mark.parametrize(
    ("reaches", "step"),
    [
        pytest.param(is_idle, say("Hello."), id="idle"),
        pytest.param(thinks, say("Hello.", gate="never"), id="thinking"),
        pytest.param(answers, say("On and on. ", endless=True, every_s=0.02), id="answering"),
        pytest.param(asks, MAKES_A_FILE, id="asking"),
        pytest.param(runs_a_command, SLEEPS, id="running a command"),
    ],
)
def test_quitting_takes_less_than_three_seconds_and_leaves_nothing(
    silent: Launches, reaches: Callable[[Stage], None], step: Step
) -> None:
    free = {"JARVIS_SECURITY__REQUIRE_APPROVAL_FOR": "write_file"} if step is SLEEPS else {}
    stage = silent(step, settings=free)
    reaches(stage)
    assert_ends_cleanly(stage)


def assert_ends_cleanly(stage: Stage) -> None:
    """The program ends in time, with status 0, with all that it had started, and without a fault."""
    started = [(one, words_of(one)) for one in psutil.Process(stage.program.pid).children(recursive=True)]
    stage.program.tell_to_quit()
    status, _ = stage.program.ended()
    assert status == 0
    assert [words for one, words in started if is_alive(one)] == []
    assert stage.home.faults == ()


def words_of(process: psutil.Process) -> list[str]:
    """How it was started; empty for one that has just ended."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def is_alive(process: psutil.Process) -> bool:
    """It goes on; one that has ended and was not collected by the machine's first process yet does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_ctrl_q_ends_the_program(silent: Launches) -> None:
    stage = silent()
    window = stage.desk.window(TITLE)
    stage.desk.do("windowactivate", "--sync", window.wid)
    stage.desk.key("ctrl+q")
    assert stage.program.ended()[0] == 0


@pytest.mark.promise("G-132")
def test_a_kill_while_an_answer_is_being_stored_loses_no_shown_line(silent: Launches) -> None:
    rounds = ("first", "second")
    stage = silent(*(say(*counted(name), every_s=0.004, when=name) for name in rounds))
    for name in rounds:
        ask(stage, f"count the {name}")
        with ScreenReader(stage.desk.env) as reader:
            shown = stage.program.await_(partial(answer_from, reader, name), "the answer grows")
        stage.program.kill()
        stage.start().in_tray()
        assert told(stage) == (
            f'Jarvis ended unexpectedly while it worked on "count the {name}". '
            "What was shown until then is kept; ask again to go on."
        )
        kept = stage.home.turns[-1]
        assert kept.state == "cut"
        assert kept.reply.startswith(shown)
        assert stage.home.sound
    with ScreenReader(stage.desk.env) as reader:
        eventually(lambda: kept.reply.strip() in " ".join(reader.texts()), "the kept answer is shown again")
    assert stage.home.faults == ()


def told(stage: Stage) -> str:
    """What this start says about the turn that the kill cut."""
    count = len(stage.home.turns)
    return stage.program.await_(lambda: stage.home.activity[count - 1 :], "it is said what was cut")[0]


def counted(name: str) -> tuple[str, ...]:
    return tuple(f"{name}{number} " for number in range(3000))


def answer_from(reader: ScreenReader, name: str) -> str:
    """The answer that is on the screen, once it has some length."""
    return next((text for text in reader.texts() if text.startswith(f"{name}0 ") and len(text) > 300), "")


def test_after_a_kill_while_a_question_is_open_nothing_has_run_and_nothing_is_asked(silent: Launches) -> None:
    stage = silent(MAKES_A_FILE)
    asks(stage)
    stage.program.kill()
    stage.desk.gone(DIALOG)
    stage.start().in_tray()
    assert '"make a file"' in told(stage)
    assert stage.home.turns[-1].state == "cut"
    assert not stage.desk.windows(DIALOG)
    assert not (stage.home.work / "made.txt").exists()


# --- with ears and mouth --------------------------------------------------------------------------


def loads(stage: Stage) -> None:
    stage.program.in_tray()


def listens(stage: Stage) -> None:
    stage.program.listens()
    stage.spoken_to.speak(WAV / "wake/flite_slt.wav")


def transcribes(stage: Stage) -> None:
    stage.program.listens()
    recording = WAV / "e2e/en_flite_slt_gap0.5.wav"
    # It ends 0.4 s after the last word, when recognition has begun and the end is not decided yet.
    stage.spoken_to.speak(recording)


def speaks(stage: Stage) -> None:
    stage.program.listens()
    began_s = say_request(stage, "e2e/en_flite_slt_gap0.5.wav", "the weather in Seoul")
    stage.spoken_to.loudspeaker.wait_for_sound(began_s, 1.0)


@pytest.mark.voice_bug("ui", "Shutdown hangs / processes left")
@pytest.mark.real_audio
@pytest.mark.real_speech
@pytest.mark.parametrize("reaches", [loads, listens, transcribes, speaks])
def test_quitting_with_a_voice_takes_less_than_three_seconds_and_leaves_nothing(
    voice_begins: Launches, reaches: Callable[[Stage], None]
) -> None:
    stage = voice_begins(say("A long answer. " * 40))
    reaches(stage)
    assert_ends_cleanly(stage)
    assert not stage.spoken_to.heard_by(stage.program.pid)
