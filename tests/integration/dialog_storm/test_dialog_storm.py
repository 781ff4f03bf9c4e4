"""Storms of real clicks and keys around approval dialogs: nothing is decided that nobody meant.

A program with the real dialogs and a real broker stands on a virtual screen beside another program that
has the keyboard. Whether an answer came after a second of quiet is told by what Qt saw, not by the gate
and not by the test's clock, so that no test relies on the speed of the machine.
"""

from collections.abc import Iterator
from random import Random

import pytest

from tests.integration.dialog_storm.desks import Desks, on_every_desk, open_desks
from tests.integration.dialog_storm.stage import ASIDE, Stage
from tests.parts.screen import until

pytestmark = pytest.mark.real_screen
KEYS = {"y": "y", "space": " ", "Return": "\n", "Tab": "\t"}
"""What a storm presses, and what an editor makes of it."""
RATE_MS = 33
"""About 30 a second."""


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desks]:
    with open_desks(tmp_path_factory.mktemp("storm")) as opened:
        yield opened


def keys(seed: int, count: int) -> list[str]:
    return Random(seed).choices([*KEYS], k=count)


@pytest.mark.promise("T-058")
@pytest.mark.voice_bug("approval", "Key press meant for typing accepts a prompt")
@on_every_desk
def test_keys_meant_for_another_window_all_arrive_there_and_decide_nothing(stage: Stage) -> None:
    typed = keys(seed=1, count=75)
    over = stage.storm("key", "--delay", RATE_MS, *typed)
    until(lambda: len(stage.neighbour()["text"]) > 10, what="the typing")
    stage.ask("make")
    over()
    text = "".join(KEYS[key] for key in typed)
    until(lambda: len(stage.neighbour()["text"]) >= len(text), what="the end of the typing")
    assert stage.neighbour() == {"text": text, "active": True, "prompt": False}
    assert (stage.answers, stage.where()["stage"]) == ([], "inactive")
    stage.bring_forward()
    stage.wait_until_armed()
    stage.screen.xdo("key", "Return")
    stage.ends(("make", "allow"))


@pytest.mark.promise("T-058")
@pytest.mark.voice_bug("approval", "Key press meant for typing accepts a prompt")
@on_every_desk
def test_keys_that_go_on_in_a_dialog_that_was_clicked_decide_nothing(stage: Stage) -> None:
    stage.ask("make")
    stage.bring_forward()
    stage.storm("key", "--delay", RATE_MS, *keys(seed=2, count=50))()
    assert stage.hasty() == []
    stage.click_calmly()
    stage.ends(("make", "allow"))


@pytest.mark.promise("T-058")
@on_every_desk
def test_clicks_that_began_before_a_dialog_opened_under_the_pointer_decide_nothing(stage: Stage) -> None:
    place = stage.ask("make")["allow"]
    stage.begin()
    over = stage.storm("mousemove", *place, "click", "--repeat", 60, "--delay", RATE_MS, 1)
    before = stage.ask("make")["pressed"]
    over()
    assert stage.where()["pressed"] > before
    assert stage.hasty() == []
    stage.click_calmly()
    stage.ends(("make", "allow"))


def double_clicks_on_the_background(stage: Stage, button: str) -> None:
    place = stage.ask("make")[button]
    until(lambda: stage.where()["age_s"] > 1.5, what="a dialog that has stood there for a while")
    pauses = Random(3)
    bursts = [
        word
        for _ in range(4)
        for word in ("click", "--repeat", 2, "--delay", 50, 1, "sleep", f"{pauses.uniform(0.05, 0.5):.2f}")
    ]
    stage.storm("mousemove", *place, *bursts)()
    assert stage.hasty() == []
    stage.click_calmly(button)
    stage.ends(("make", button))


@pytest.mark.promise("T-058")
@on_every_desk
def test_x26_double_clicks_on_allow_in_the_background_only_bring_the_dialog_forward(stage: Stage) -> None:
    double_clicks_on_the_background(stage, "allow")


@pytest.mark.promise("T-060")
@on_every_desk
def test_x26_double_clicks_on_deny_in_the_background_only_bring_the_dialog_forward(stage: Stage) -> None:
    double_clicks_on_the_background(stage, "deny")


@on_every_desk
def test_a_key_held_since_before_the_dialog_had_the_keyboard_decides_nothing(stage: Stage) -> None:
    stage.screen.xdo("keydown", "Return")
    stage.ask("make")
    stage.screen.xdo("mousemove", *stage.where()["ground"], "click", 1)
    held = stage.where()["pressed"]
    until(lambda: stage.where()["pressed"] > held + 30, what="the repeated key")
    stage.screen.xdo("keyup", "Return")
    assert stage.answers == []
    stage.wait_until_armed()
    stage.screen.xdo("key", "Return")
    stage.ends(("make", "allow"))


@on_every_desk
def test_a_dialog_that_moves_under_the_pointer_takes_no_click(stage: Stage) -> None:
    stage.ask("make")
    stage.bring_forward()
    places = Random(4)
    for _ in range(2):
        spot = (places.randrange(500, 1100), places.randrange(300, 700))
        stage.screen.xdo("mousemove", *spot)
        stage.wait_until_armed()
        stage.nudge(spot)
        stage.screen.xdo("click", "--repeat", 2, "--delay", 60, 1)
        assert stage.hasty() == []
    stage.click_calmly()
    stage.ends(("make", "allow"))


@pytest.mark.promise("T-058", "T-065")
@on_every_desk
def test_the_dialog_after_a_closed_one_takes_nothing_that_was_meant_for_it(stage: Stage) -> None:
    place = stage.ask("one", "two", "three")["allow"]
    stage.bring_forward()
    stage.wait_until_armed()
    stage.storm("mousemove", *place, "click", "--repeat", 20, "--delay", 60, 1)()
    stage.sees("two")
    stage.storm("key", "--delay", RATE_MS, *keys(seed=5, count=20))()
    stage.ends(("one", "allow"))
    stage.bring_forward()
    stage.wait_until_armed()
    stage.storm("key", "--delay", RATE_MS, *("Return",) * 40)()
    stage.sees("three")
    stage.ends(("one", "allow"), ("two", "allow"))
    stage.bring_forward()
    stage.click_calmly("deny")
    stage.ends(("one", "allow"), ("two", "allow"), ("three", "deny"))


@pytest.mark.promise("T-058")
@on_every_desk
def test_no_key_allows_in_a_dialog_that_got_the_keyboard_from_a_closing_window(stage: Stage) -> None:
    stage.open_prompt()
    stage.ask("make")
    stage.screen.xdo("key", "Return")
    until(lambda: not stage.neighbour()["prompt"], what="the end of the prompt")
    if stage.where()["active"]:
        stage.wait_until_armed()
        stage.screen.xdo("key", "--delay", RATE_MS, "shift+Tab", "space", "Tab", "Tab", "space", "Return")
    else:
        stage.screen.xdo("key", "Return")
    assert stage.answers == []
    stage.bring_forward()
    stage.wait_until_armed()
    stage.screen.xdo("key", "Return")
    stage.ends(("make", "allow"))


@pytest.mark.promise("T-058")
@pytest.mark.voice_bug("approval", "(detail thin in what was seen) Pop-up times out")
@on_every_desk
def test_who_has_only_a_keyboard_goes_to_a_button_and_presses_it_calmly(stage: Stage) -> None:
    stage.ask("make")
    stage.bring_forward()
    stage.screen.xdo("mousemove", *ASIDE, "click", 1)
    until(lambda: bool(stage.neighbour()["active"]), what="the focus of the neighbour")
    assert stage.is_on_top(stage.where()["allow"])
    stage.hand_over_keyboard()
    stage.wait_until_armed()
    assert stage.where()["enter"] is False
    stage.screen.xdo("key", "shift+Tab")
    stage.wait_until_armed()
    stage.screen.xdo("key", "space")
    stage.ends(("make", "allow"))
