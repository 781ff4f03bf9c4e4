"""Microphone, loudspeaker and voice fail under the real program, in a room of its own."""

import os
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import sound as rooms
from tests.e2e.acts import WAV, ask, ended_turn, say_request, shows
from tests.e2e.conftest import Launches, absent
from tests.e2e.sound import Room, sound
from tests.fakes.ollama_script import say

pytestmark = [pytest.mark.real_screen, pytest.mark.real_audio, pytest.mark.real_speech]

WEATHER = WAV / "e2e/en_flite_slt_gap0.5.wav"
IN_THE_MIDDLE_S = 2.85
"""Second of that recording at which "What is the weather in" has been said."""


@pytest.fixture
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A microphone and a loudspeaker that only this test breaks."""
    if missing := rooms.missing_programs():
        absent(f"a sound server of our own needs {', '.join(missing)}; ./test installs them")
    with sound(tmp_path_factory.mktemp("room")) as running:
        yield running


def cut_off(recording: Path, seconds: float, folder: Path) -> Path:
    """The beginning of a recording."""
    beginning = folder / "beginning.wav"
    with wave.open(str(recording), "rb") as whole, wave.open(str(beginning), "wb") as part:
        part.setparams(whole.getparams())
        part.writeframes(whole.readframes(int(seconds * whole.getframerate())))
    return beginning


def test_a_sound_server_killed_in_the_middle_of_a_sentence_keeps_its_words_and_typing_goes_on(
    voiced: Launches, tmp_path: Path
) -> None:
    stage = voiced(say("It rains."), say("It is sunny."))
    stage.spoken_to.speak(cut_off(WEATHER, IN_THE_MIDDLE_S, tmp_path))
    stage.spoken_to.server.kill()
    shows(stage, "The microphone cannot be heard: ", "The microphone went away in the middle of a sentence.")
    stage.desk.do("windowactivate", "--sync", stage.desk.window("Jarvis").wid)
    stage.desk.type(" Busan")
    stage.desk.key("Return")
    turn = ended_turn(stage)
    assert turn.text.lower().startswith("what is the weather")
    assert turn.text.endswith(" Busan")
    assert (turn.origin, turn.reply) == ("typed", "It rains.")

    stage.spoken_to.server.start()
    stage.program.listens()
    stage.spoken_to.speak(WEATHER)
    stage.program.await_(lambda: len(stage.home.turns) == 2, "the request is understood")
    spoken = ended_turn(stage)
    assert "the weather in Seoul" in spoken.text
    assert (spoken.origin, spoken.reply) == ("spoken", "It is sunny.")
    assert stage.home.faults == ()


def test_without_a_sound_server_the_program_is_typed_to_and_listens_when_one_comes(
    voice_begins: Launches, room: Room
) -> None:
    room.server.kill()
    stage = voice_begins(say("Hello."))
    shows(stage, "no microphone was found", "please type meanwhile")
    ask(stage, "hello")
    assert ended_turn(stage).reply == "Hello."
    room.server.start()
    stage.program.await_(lambda: room.heard_by(stage.program.pid), "it listens")
    assert stage.home.faults == ()


def test_without_espeak_the_answer_is_shown_and_it_is_said_how_to_install_the_voice(
    voiced: Launches, tmp_path: Path
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for folder in os.environ["PATH"].split(":"):
        for program in Path(folder).glob("*"):
            link = programs / program.name
            if "espeak" not in program.name and not link.is_symlink():
                link.symlink_to(program)
    stage = voiced(say("It is sunny."), settings={"PATH": str(programs)})
    say_request(stage, "e2e/en_flite_slt_gap0.5.wav", "the weather in Seoul")
    assert ended_turn(stage).reply == "It is sunny."
    shows(stage, "It is sunny.", "The program espeak-ng was not found. Install it")
    stage.program.await_(lambda: stage.spoken_to.heard_by(stage.program.pid), "it still listens")
    assert stage.home.faults == ()
