"""ALWAYS by voice: allowed once, the rule read back, and saved by a second yes (decision 19)."""

import time

import pytest

from tests.e2e.acts import DIALOG, WAV, ended_turn, hear_out, read_out, say_request
from tests.e2e.conftest import Launches
from tests.fakes.ollama_script import call, say

pytestmark = [pytest.mark.real_screen, pytest.mark.real_audio, pytest.mark.real_speech]

ALWAYS, YES = (WAV / f"reply_en/{name}.wav" for name in ("02__flite_rms", "00__flite_rms"))


def test_a_rule_is_saved_by_voice_only_after_it_was_read_back_and_said_yes_to_again(voiced: Launches) -> None:
    stage = voiced(call("bash", {"command": "git status"}), say("There is no repository."))
    began_s = say_request(stage, "e2e/en_flite_slt_gap0.5.wav", "the weather in Seoul")
    stage.desk.window(DIALOG)
    read_out(stage, began_s)
    stage.spoken_to.speak(ALWAYS)
    stage.desk.gone(DIALOG)
    gone_s = time.monotonic()
    stage.spoken_to.loudspeaker.wait_for_sound(gone_s, 1.0)
    hear_out(stage, gone_s)  # the rule is read back; the answer waits
    rules = stage.home.folder / "approvals" / "main.yaml"
    assert not rules.exists()
    assert "⚡ approval · bash · allowed once · voice" in stage.home.activity
    yes_s = stage.spoken_to.speak(YES)
    stage.program.await_(lambda: rules.exists() and "git status" in rules.read_text("utf-8"), "it is saved")
    hear_out(stage, yes_s)
    assert ended_turn(stage).reply == "There is no repository."
    assert "⚡ approval · bash · always · voice" in stage.home.activity
    assert stage.home.faults == ()
