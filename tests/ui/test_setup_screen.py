"""The setup by keyboard alone, on a virtual screen at 200 %."""

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from jarvis_desktop.ui.setup_steps import Step
from tests.parts.screen import Screen, until

pytestmark = pytest.mark.real_screen
MOST_STOPS = 40


class Walk:
    """The program on its screen, driven by keys."""

    def __init__(self, screen: Screen, *arguments: str) -> None:
        self.screen = screen
        screen.start_window_manager("openbox")
        # 1280 px at this scale are as wide as 1366 px at 200 %.
        self.process = screen.start(
            sys.executable, "-m", "tests.ui.setup_program", *arguments, QT_SCALE_FACTOR="1.874"
        )
        until(lambda: "Attach" in self.where()["sent"], what="the window")
        until(lambda: self.where().get("active") is True, what="the setup window in front of it")

    def where(self) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("where\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def key(self, keys: str, until_seen: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Press, and wait until it shows."""
        self.screen.xdo("key", keys)
        until(lambda: until_seen(self.where()), 5, keys)
        return self.where()

    def tab(self, keys: str = "Tab") -> dict[str, Any]:
        before = self.where().get("focus")
        return self.key(keys, lambda now: now.get("focus") != before)


def test_enter_alone_leads_through_all_pages_and_finishes(screen: Screen) -> None:
    walk = Walk(screen)
    assert walk.where()["fits"] is True
    for step in list(Step)[1:]:
        walk.key("Return", lambda now, step=step: now["step"] == step.value)  # type: ignore[misc]
    last = walk.key("Return", lambda now: now["shown"] is False)
    assert [name for name in last["sent"] if name in ("FinishSetup", "Fetch", "ChangeSetting")] == [
        "FinishSetup"
    ]


def test_tab_visits_every_control_of_a_page_in_view_and_comes_back(screen: Screen) -> None:
    walk = Walk(screen)
    walk.key("alt+n", lambda now: now["step"] == Step.SPEECH.value)
    begin, stops = walk.where()["focus"], []
    for _ in range(MOST_STOPS):
        now = walk.tab()
        assert now["seen"] is True, now
        stops.append(now["focus"])
        if now["focus"] == begin:
            break
    assert stops[-1] == begin
    wanted = [f"setup.fetch.{name}" for name in ("wake", "whisper-base", "whisper-small")]
    assert [stop for stop in stops if stop.startswith("setup.fetch.")] == wanted
    assert {"setup.fetch_all", "setup.steps", "setup.later", "setup.back", "setup.skip"} <= set(stops)


def test_keys_press_choose_turn_pages_and_close(screen: Screen) -> None:
    walk = Walk(screen, "--full")
    while walk.where()["focus"] != "setup.language.system":
        walk.tab()
    walk.key("Right", lambda now: now["focus"] == "setup.language.ko")
    walk.key("space", lambda now: "ChangeSetting" in now["sent"])
    walk.key("ctrl+Next", lambda now: now["step"] == Step.SPEECH.value)
    walk.key("alt+b", lambda now: now["step"] == Step.WELCOME.value)
    ended = walk.key("Escape", lambda now: now["shown"] is False)
    assert (walk.process.poll(), ended["sent"][-1]) == (None, "FinishSetup")
