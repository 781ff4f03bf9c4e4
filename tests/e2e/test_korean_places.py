"""The real program in a home whose path has spaces and Hangul, on a system whose locale knows neither."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.acts import ended_turn, hear_out, say_request
from tests.e2e.conftest import SETTINGS, Stage
from tests.e2e.desk import Desk
from tests.e2e.sound import Room
from tests.fakes.ollama_script import Script, call, say
from tests.parts.ollama_script import OllamaProgram
from tests.parts.program import fresh_home

pytestmark = [pytest.mark.real_screen, pytest.mark.real_audio, pytest.mark.real_speech]

ASCII_ONLY = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
COMMAND = "touch '한글 파일.txt'"


@pytest.mark.voice_bug("path_locale", "Model path with non-ASCII characters fails")
@pytest.mark.voice_bug("path_locale", "Non-ASCII model path cannot open")
@pytest.mark.voice_bug("path_locale", "UnicodeDecodeError cp949")
def test_a_spoken_korean_request_is_heard_carried_out_and_answered_aloud_anywhere(
    stages: Callable[[Stage], Stage],
    tmp_path: Path,
    desk: Desk,
    room: Room,
    models: Path,
    ollama_program: Callable[[Script], OllamaProgram],
) -> None:
    house = tmp_path / "홍길동 의 집"
    house.mkdir()
    ollama = ollama_program(Script((call("bash", {"command": COMMAND}), say("파일을 만들었어요."))))
    env = SETTINGS | ASCII_ONLY | {"JARVIS_MODEL__HOST": ollama.host, "HOME": str(house)}
    del env["JARVIS_UI__LANGUAGE"]
    home = fresh_home(house, models, env)
    (home.folder / "settings.yaml").write_text(
        "# 한국어로\nui: {language: ko}\nsecurity: {require_approval_for: [write_file]}\n", "utf-8"
    )
    stage = stages(Stage(home, desk, room, ollama))
    stage.start().in_tray()
    stage.program.listens()
    began_s = say_request(stage, "e2e/ko_jf_alpha_gap0.7.wav", "테스트를 전부")
    turn = ended_turn(stage)
    assert (turn.end, turn.reply) == ("answered", "파일을 만들었어요.")
    assert (home.work / "한글 파일.txt").exists()
    hear_out(stage, began_s)
    assert home.sound
    assert home.faults == ()
    assert "Unicode" not in stage.program.output
