"""Slash commands in the real window, with a real keyboard."""

import pytest

from tests.e2e.acts import ask, ended_turn, shows
from tests.e2e.conftest import Launches
from tests.e2e.waiting import eventually
from tests.fakes.ollama_script import say

pytestmark = pytest.mark.real_screen


def test_a_command_is_completed_answered_and_stored_and_quit_ends_the_program(
    silent: Launches,
) -> None:
    stage = silent(say("Hello."))
    ask(stage, "hello")
    ended_turn(stage)
    stage.desk.type("/he")
    shows(stage, "/help NAME: Say which commands there are")
    stage.desk.key("Tab")
    stage.desk.type("mute")
    stage.desk.key("Return")
    shows(stage, "/help mute", "Turn the microphone off, or on again.")
    eventually(lambda: len(stage.home.turns) == 2, "the command is stored")
    command = stage.home.turns[-1]
    assert (command.text, command.origin, command.state) == ("/help mute", "slash", "ended")
    assert "`/mute off` — on again" in command.reply
    stage.desk.type("/quit")
    stage.desk.key("Return")
    eventually(lambda: not stage.program.running, "the program ends")
