"""The whole way by voice: wake word, request, question, spoken answer, effect."""

import pytest

from tests.e2e.accessible import ScreenReader
from tests.e2e.acts import (
    DIALOG,
    DIALOG_KO,
    MAKES_A_FILE,
    WAV,
    ended_turn,
    hear_out,
    made,
    read_out,
    say_request,
)
from tests.e2e.conftest import Launches
from tests.e2e.waiting import eventually, holds_for
from tests.fakes.ollama_script import say

pytestmark = [pytest.mark.real_screen, pytest.mark.real_audio, pytest.mark.real_speech]

REQUEST = ("e2e/en_flite_slt_gap0.5.wav", "the weather in Seoul")
REQUEST_KO = ("e2e/ko_jf_alpha_gap0.7.wav", "테스트를 전부")
YES, NO, YES_KO = (
    f"{folder}/{name}.wav"
    for folder, name in (
        ("reply_en", "00__flite_rms"),
        ("reply_en", "01__flite_slt"),
        # "앞으로도 계속 해도 돼": Whisper base takes the short 승인해 for a name one time in five.
        ("reply_ko", "04__mix2_1.05"),
    )
)
DENIED = "Approval was denied, so I stopped running bash. Ask again if you need it."


@pytest.mark.promise("T-062", "T-071")
@pytest.mark.parametrize(
    ("language", "request_", "yes", "dialog", "line", "answer"),
    [
        pytest.param(
            "en",
            REQUEST,
            YES,
            DIALOG,
            "⚡ approval · bash · allowed once · voice",
            "The file is there.",
            id="en",
        ),
        pytest.param(
            "ko",
            REQUEST_KO,
            YES_KO,
            DIALOG_KO,
            "⚡ approval · bash · 한 번 허용 · 음성",
            "파일을 만들었어요.",
            id="ko",
        ),
    ],
)
def test_a_spoken_yes_to_the_question_that_was_read_aloud_runs_the_command(
    voiced: Launches,
    language: str,
    request_: tuple[str, str],
    yes: str,
    dialog: str,
    line: str,
    answer: str,
) -> None:
    stage = voiced(MAKES_A_FILE, say(answer), settings={"JARVIS_UI__LANGUAGE": language})
    began_s = say_request(stage, *request_)
    stage.desk.window(dialog)
    read_out(stage, began_s)
    assert not made(stage).exists()
    answered_s = stage.spoken_to.speak(WAV / yes)
    turn = ended_turn(stage)
    assert made(stage).read_text("ascii") == "done\n"
    assert (turn.end, turn.reply) == ("answered", answer)
    assert line in stage.home.activity
    stage.desk.gone(dialog)
    hear_out(stage, answered_s)
    with ScreenReader(stage.desk.env) as reader:
        assert answer in " ".join(reader.texts())
    assert stage.home.faults == ()


@pytest.mark.promise("T-019", "T-025", "T-026", "T-060", "T-205")
def test_a_spoken_no_ends_the_turn_with_the_fixed_line_and_asks_the_model_nothing_more(
    voiced: Launches,
) -> None:
    stage = voiced(MAKES_A_FILE, say("This must never be said."))
    began_s = say_request(stage, *REQUEST)
    stage.desk.window(DIALOG)
    read_out(stage, began_s)
    answered_s = stage.spoken_to.speak(WAV / NO)
    turn = ended_turn(stage)
    assert (turn.end, turn.reply) == ("denied", DENIED)
    stage.desk.gone(DIALOG)
    hear_out(stage, answered_s)
    with ScreenReader(stage.desk.env) as reader:
        assert DENIED in " ".join(reader.texts())
    holds_for(lambda: len(stage.scripted.chats) == 1, "no request after the denial", 0.5)
    assert not made(stage).exists()
    assert "⚡ approval · bash · denied · voice" in stage.home.activity


@pytest.mark.promise("T-074")
def test_a_yes_spoken_into_our_own_reading_of_the_question_permits_nothing(voiced: Launches) -> None:
    stage = voiced(MAKES_A_FILE)
    began_s = say_request(stage, *REQUEST)
    stage.spoken_to.loudspeaker.wait_for_sound(began_s, 0.6)
    stage.spoken_to.speak(WAV / YES)
    stage.spoken_to.loudspeaker.wait_for_silence(1.0)
    holds_for(lambda: not made(stage).exists(), "nothing has run", 1.0)
    assert stage.desk.windows(DIALOG)


@pytest.mark.voice_bug("llm", "Cancel leaves CPU running")
@pytest.mark.parametrize("way", ["wake word", "escape"])
def test_speech_and_model_request_end_when_the_person_interrupts(voiced: Launches, way: str) -> None:
    sentences = tuple(f"This is sentence number {number} of a long answer. " for number in range(200))
    stage = voiced(say(*sentences, every_s=0.3))
    began_s = say_request(stage, *REQUEST)
    stage.spoken_to.loudspeaker.wait_for_sound(began_s, 1.5)
    if way == "escape":
        stage.desk.do("windowactivate", "--sync", stage.desk.window("Jarvis").wid)
        stage.desk.key("Escape")
    else:
        stage.spoken_to.speak(WAV / "wake/flite_slt.wav")
    stage.program.await_(lambda: any(one.get("hung_up") for one in stage.scripted.log), "the request ends")
    assert ended_turn(stage).end == "interrupted"
    # Of two hundred sentences most are unsaid, and stay so.
    stage.spoken_to.loudspeaker.wait_for_silence(1.0, within_s=20)


def test_the_window_shows_that_it_listens_while_it_listens(voiced: Launches) -> None:
    stage = voiced(say("Hello."))
    with ScreenReader(stage.desk.env) as reader:
        assert "Listening" not in reader.texts()
        stage.spoken_to.speak(WAV / "wake/flite_slt.wav")
        eventually(lambda: "Listening" in reader.texts(), "the window says that it listens", 2)
