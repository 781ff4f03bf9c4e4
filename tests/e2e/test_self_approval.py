"""Nobody approves themselves: commands try to answer an open question of the real program (decision 37)."""

import json
import os
import pty
import shutil
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from jarvis_desktop.app.instance import socket_path
from tests.e2e import attempts
from tests.e2e.acts import DIALOG, MAKES_A_FILE, allow, ask, made
from tests.e2e.conftest import Launches, Stage
from tests.e2e.waiting import end_process, eventually, holds_for
from tests.fakes.ollama_script import Step, call, say
from tests.parts.program import second_start

pytestmark = [pytest.mark.real_screen, pytest.mark.real_audio, pytest.mark.real_speech]

LEAVES_SOMEBODY_BEHIND = (
    "(setsid nohup bash -c 'until grep -q now go; do sleep 0.05; done; touch left; "
    "python3 attempts.py behind.json' > /dev/null 2>&1 &); sleep 0.3; echo begun > begun"
)
RULES = "rules:\n- {tool: bash, pattern: python3 attempts.py covered.json}\n"
OUTSIDE = ("bus", "keys", "screen_socket", "reader", "espeak", "database", "service", "instance", "is_there")
"""Attempts that get through where no room is, so that their failing means something."""
STILL = "Nothing is said aloud while Jarvis waits for an answer"
LONG_S = 60.0


class Terminal:
    """A terminal at which a person sits, with one program in it."""

    def __init__(self, stage: Stage, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        self.name = os.ttyname(slave)
        self._shown = b""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "jarvis_desktop", *arguments],
            env=stage.program.environment(),
            cwd=stage.home.work,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        os.set_blocking(self._master, False)

    def shows(self, text: str) -> bool:
        """``text`` was written since it was last looked for."""
        with suppress(OSError):  # nothing new, or it ended
            self._shown += os.read(self._master, 65_536)
        _, found, rest = self._shown.partition(text.encode())
        self._shown = rest if found else self._shown
        return bool(found)

    def types(self, line: str) -> None:
        """A person types it."""
        os.write(self._master, line.encode() + b"\n")

    def close(self) -> None:
        """The program is over."""
        end_process(self._process)
        os.close(self._master)


def test_no_command_answers_an_open_question(voiced: Launches, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = voiced(
        call("bash", {"command": LEAVES_SOMEBODY_BEHIND}, when="make a file"),
        replace(MAKES_A_FILE, when="make a file"),
        *attempts_by("allowed", when="look around"),
        *attempts_by("covered", when="look again"),
        replace(MAKES_A_FILE, when="for me", repeat=True),
        settings={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )
    monkeypatch.setenv("XDG_RUNTIME_DIR", stage.desk.env["XDG_RUNTIME_DIR"])
    rules, work = stage.home.folder / "approvals.yaml", stage.home.work
    rules.write_text(RULES)
    shutil.copy(attempts.__file__, work)
    ask(stage, "make a file")
    allow(stage)
    stage.program.await_((work / "begun").exists, "the command ran")
    stage.desk.window(DIALOG)
    with closing(Terminal(stage, "ask", "look around")) as terminal:
        equip(stage, "behind", terminal.name)
        (work / "go").write_text("now\n")
        by_allowed = equip(stage, "allowed", terminal.name)
        answered = eventually(lambda: terminal.shows("(y/n"), "a person is asked")
        terminal.types("y")  # too soon to be meant for it, unless it took its time
        eventually(lambda: terminal.shows("(y/n") or by_allowed.exists(), "it is asked again")
        holds_for(lambda: answered, "the question is read", 1.1)
        terminal.types("y")
        eventually(lambda: len(tried(by_allowed)) == len(attempts.ATTEMPTS), "all was tried", LONG_S)
        by_covered = equip(stage, "covered", terminal.name)
        done = second_start(stage.program, "ask", "look again", within_s=LONG_S)
    assert done.returncode == 0, done.stderr
    said = second_start(stage.program, "say", "yes go ahead")
    assert (said.returncode, said.stderr.split(".")[0]) == (1, STILL)
    none = {attempt.__name__: False for attempt in attempts.ATTEMPTS}
    assert tried(by_allowed) == none
    assert tried(by_covered) == none
    assert stage.desk.windows(DIALOG)
    assert [made(stage).exists(), (work / "left").exists()] == [False, False]
    assert (rules.read_text(), stage.home.turns[0].state) == (RULES, "running")
    from_outside = equip(stage, "outside", terminal.name, only=OUTSIDE)
    subprocess.run([sys.executable, "attempts.py", "outside.json"], cwd=work, check=True, timeout=LONG_S)
    assert tried(from_outside) == dict.fromkeys(OUTSIDE, True)


def attempts_by(name: str, when: str) -> tuple[Step, Step]:
    """A model that lets a command make all attempts."""
    command = {"command": f"python3 attempts.py {name}.json", "timeout_s": LONG_S}
    return call("bash", command, when=when), say("I have looked.", when=when)


def equip(stage: Stage, name: str, terminal: str, only: tuple[str, ...] = ()) -> Path:
    """All that an attacker could know is written down; the file to which its results go."""
    work = stage.home.work
    results, scratch = work / f"{name}.tried", work / f"scratch-{name}"
    scratch.mkdir()
    found = {
        "env": stage.program.environment(),
        "home": str(stage.home.folder),
        "scratch": str(scratch),
        "to": str(results),
        "terminal": terminal,
        "port": int(stage.scripted.host.rpartition(":")[2]),
        "socket": str(socket_path(stage.home.folder)),
        "pid": stage.program.pid,
        "only": only,
    }
    (work / f"{name}.json").write_text(json.dumps(found))
    return results


def tried(results: Path) -> dict[str, bool]:
    """What was tried, and whether it got through."""
    if not results.exists():
        return {}
    return dict(json.loads(line) for line in results.read_text().split("\n")[:-1])
