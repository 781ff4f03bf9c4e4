"""The desktop on a virtual screen: typing goes on, trays come late, a kill ends it."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from queue import Empty, Queue
from typing import Any

import pytest

from tests.parts.screen import Screen, until

pytestmark = pytest.mark.real_screen


class Play:
    """A desktop on a screen, and what it says."""

    def __init__(self, screen: Screen, *arguments: str) -> None:
        self.screen = screen
        self.process: subprocess.Popen[str] = screen.start(
            sys.executable, "-m", "tests.ui.stage_program", *arguments
        )
        self.commands: list[dict[str, Any]] = []
        self._said: Queue[dict[str, Any]] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            fields = json.loads(line)
            if "command" in fields:
                self.commands.append(fields)
            else:
                self._said.put(fields)

    def order(self, do: str, **fields: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **fields}) + "\n")
        self.process.stdin.flush()

    def where(self) -> dict[str, Any]:
        self.order("where")
        try:
            found: dict[str, Any] = self._said.get(timeout=10)["where"]
        except Empty:
            pytest.fail("the desktop does not answer")
        return found

    def sent(self, name: str) -> list[dict[str, Any]]:
        return [command for command in self.commands if command["command"] == name]

    def answers(self) -> list[str]:
        return [command["answer"] for command in self.sent("AnswerQuestion")]

    def ask(self) -> dict[str, Any]:
        """Put a question; where its dialog is, once it stands still."""
        self.order("ask", text="git status")
        until(lambda: bool(self.where().get("shown")), what="the dialog")
        return self.where()

    def click(self, at: list[int]) -> None:
        self.screen.xdo("mousemove", *at, "click", 1)


@pytest.fixture
def play(screen: Screen) -> Callable[..., Play]:
    """Starts a desktop whose window is up."""

    def start(manager: str | None) -> Play:
        if manager:
            screen.start_window_manager(manager)
        play = Play(screen)
        until(lambda: bool(play.sent("Attach")) and play.where()["window_shown"], what="the window")
        return play

    return start


MANAGERS = pytest.mark.parametrize(
    "manager", ["openbox", "xfwm4", None], ids=["openbox", "xfwm4", "no-manager"]
)


@MANAGERS
@pytest.mark.promise("T-058")
def test_typing_in_the_input_line_goes_on_while_a_dialog_pops_up(
    play: Callable[..., Play], manager: str | None
) -> None:
    stage = play(manager)
    stage.click(stage.where()["input"])
    until(lambda: bool(stage.where()["types"]), 5, "the focus")
    keys = [*"yes", "space", *"please", "space", *"run", "space", *"it", *("Return",) * 4]
    typing = stage.screen.start("xdotool", "key", "--delay", "90", *keys)
    stage.ask()
    until(lambda: typing.poll() is not None, 20, "the end of the typing")
    until(lambda: bool(stage.sent("SubmitTurn")), 5, "the sent line")
    assert stage.answers() == []
    assert [turn["text"] for turn in stage.sent("SubmitTurn")] == ["yes please run it"]
    assert stage.where()["shown"] is True


@pytest.mark.voice_bug("ui", "Tray icon missing on GNOME")
def test_a_tray_that_starts_late_gets_the_icon_and_closing_goes_there(play: Callable[..., Play]) -> None:
    stage = play("openbox")
    assert stage.where()["tray"] is False
    stage.screen.start_tray()
    until(lambda: bool(stage.where()["tray"]), 10, "the tray icon")
    stage.order("hide")
    until(lambda: not stage.where()["window_shown"], 5, "the closed window")
    assert len(stage.sent("Attach")) == 2
    assert stage.ask()["shown"] is True  # hidden to the tray, the question still appears
    stage.order("settle")
    until(lambda: stage.where()["dialogs"] == 0, 5, "the closed dialog")
    assert stage.process.poll() is None  # the last dialog closed, the program goes on


@pytest.mark.voice_bug("ui", "Shutdown hangs / processes left")
def test_a_polite_kill_with_an_open_dialog_ends_within_three_seconds(play: Callable[..., Play]) -> None:
    stage = play(None)
    stage.ask()
    stage.process.terminate()
    assert stage.process.wait(3) == 0
    assert stage.sent("Quit") == [{"command": "Quit"}]


@pytest.mark.voice_bug("ui", "Tray icon missing on GNOME")
def test_a_panel_of_the_newer_kind_that_starts_late_shows_the_icon(play: Callable[..., Play]) -> None:
    stage = play(None)
    panel = stage.screen.start(sys.executable, "-m", "tests.parts.fake_panel")
    assert panel.stdout is not None
    assert json.loads(panel.stdout.readline()) == {"ready": True}
    until(lambda: bool(stage.where()["tray"]), 10, "the tray icon")
    icon = json.loads(panel.stdout.readline())
    assert (icon["title"], icon["tip"]) == ("Jarvis", "Jarvis · Getting ready…")
