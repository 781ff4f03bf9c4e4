"""Screens with the asking program, a neighbour in which a person works, and that person's hands."""

import json
import sys
import threading
from collections.abc import Callable
from queue import Empty, Queue
from typing import Any

import pytest

from tests.parts.screen import Screen, until

ASIDE = (30, 780)
"""A point of the neighbour that no dialog covers."""
PROMPT = (100, 75)
"""A point in the neighbour's small window."""
HERE = "tests.integration.dialog_storm"


class Stage:
    """Both programs on a screen; whatever waits, waits for what a program tells."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.answers: list[dict[str, Any]] = []
        """What the dialogs sent to the broker."""
        self.ended: list[tuple[str, str | None]] = []
        """Command and answer of each question that is over, as the broker told its asker."""
        self._places: Queue[dict[str, Any]] = Queue()
        self._ready = threading.Event()
        self._neighbour = screen.start(sys.executable, "-m", f"{HERE}.neighbour_program")
        self._asking = screen.start(sys.executable, "-m", f"{HERE}.asking_program")
        threading.Thread(target=self._read, daemon=True).start()

    def await_ready(self) -> None:
        """Both programs run."""
        assert self._ready.wait(30), "the asking program did not start"
        self.neighbour()

    def _read(self) -> None:
        assert self._asking.stdout is not None
        for line in self._asking.stdout:
            told = json.loads(line)
            if "calm" in told:
                self.answers.append(told)
            elif "ended" in told:
                self.ended.append((told["command"], told["answer"]))
            elif "where" in told:
                self._places.put(told["where"])
            else:
                self._ready.set()

    def _order(self, do: str, **fields: object) -> None:
        assert self._asking.stdin is not None
        self._asking.stdin.write(json.dumps({"do": do, **fields}) + "\n")
        self._asking.stdin.flush()

    # --- what the programs tell -----------------------------------------------------------------

    def where(self) -> dict[str, Any]:
        """The dialog as it is now."""
        self._order("where")
        try:
            return self._places.get(timeout=20)
        except Empty:
            pytest.fail("the asking program does not answer")

    def neighbour(self, do: str = "where") -> dict[str, Any]:
        """What was typed into the other program, and whether it has the keyboard."""
        assert self._neighbour.stdin is not None
        assert self._neighbour.stdout is not None
        self._neighbour.stdin.write(json.dumps({"do": do}) + "\n")
        self._neighbour.stdin.flush()
        told: dict[str, Any] = json.loads(self._neighbour.stdout.readline())
        return told

    def is_on_top(self, place: list[int]) -> bool:
        """The dialog, or the frame that a window manager put around it, is what a person sees there."""
        told = self.screen.xdo("mousemove", *place, "getmouselocation", "--shell")
        seen = dict(row.split("=") for row in told.split())["WINDOW"]
        return "Jarvis asks for permission" in self.screen.run("xwininfo", "-tree", "-id", seen)

    def hasty(self) -> list[dict[str, Any]]:
        """Answers that were taken without the second of quiet."""
        return [answer for answer in self.answers if not answer["calm"]]

    # --- what happens ---------------------------------------------------------------------------

    def begin(self) -> None:
        """Nothing is open, and the person works in the neighbour."""
        self._order("clear")
        until(lambda: self.where()["dialogs"] == 0, what="the end of all questions")
        self.ended.clear()
        self.answers.clear()
        self.screen.xdo("mousemove", *ASIDE, "click", 1)
        until(lambda: bool(self.neighbour("clear")["active"]), what="the focus of the neighbour")

    def ask(self, *commands: str) -> dict[str, Any]:
        """Calls that ask side by side; where the first dialog is, once it stands still."""
        self._order("ask", commands=commands)
        return self.sees(commands[0])

    def sees(self, command: str) -> dict[str, Any]:
        """Where the dialog about ``command`` is, once it stands still."""
        places: list[Any] = [None]

        def still() -> bool:
            now = self.where()
            places.append(now.get("allow") if now.get("shown") and now["command"] == command else None)
            return places[-1] is not None and places[-1] == places[-2]

        until(still, what=f"the dialog about {command}")
        return self.where()

    def nudge(self, to: tuple[int, int]) -> None:
        """The dialog moves until its Allow lies there."""
        self._order("nudge", to=to)
        until(lambda: self.where().get("allow") == [*to], what="the move")

    def storm(self, *hands: object) -> Callable[[], None]:
        """Hands that move in a process of their own; call the result to wait for their end."""
        process = self.screen.start("xdotool", *map(str, hands))
        return lambda: until(lambda: process.poll() is not None, 60, "the end of the storm")

    def bring_forward(self) -> None:
        """A person clicks on the dialog's ground."""
        pressed = self.where()["pressed"]
        self.screen.xdo("mousemove", *self.where()["ground"], "click", 1)
        until(lambda: self.where()["pressed"] > pressed and self.where()["active"], what="the click")

    def open_prompt(self) -> None:
        """A small window of the other program opens, and the person is in it."""
        self.neighbour("prompt")

        def is_in_it() -> bool:
            if not self.neighbour()["prompt"]:
                self.screen.xdo("mousemove", *PROMPT, "click", 1)
            return bool(self.neighbour()["prompt"])

        until(is_in_it, what="the focus of the other program's prompt")

    def hand_over_keyboard(self) -> None:
        """The dialog gets the keyboard as by Alt+Tab, without a click."""
        self.screen.xdo("windowfocus", self.screen.xdo("search", "--name", "asks for permission"))
        until(lambda: bool(self.where()["active"]), what="the focus of the dialog")

    def wait_until_armed(self) -> None:
        """The dialog has been active and quiet for a second."""
        until(lambda: self.where().get("stage") in (None, "armed"), what="a dialog that counts")

    def click_calmly(self, button: str = "allow") -> None:
        """A deliberate click, after the second of quiet."""
        self.wait_until_armed()
        place = self.where().get(button)
        if place is not None:  # on a machine that stood still for a second the storm was a calm click
            self.screen.xdo("mousemove", *place, "click", 1)

    def ends(self, *ends: tuple[str, str | None]) -> None:
        """So far exactly these questions are over, and none of them in haste."""
        until(lambda: len(self.ended) >= len(ends), what=f"the answer: {ends}")
        assert (self.ended, self.hasty()) == ([*ends], []), self.answers
