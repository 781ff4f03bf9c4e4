"""``jarvis-desktop extensions`` as people use it: on a terminal, and from where nobody sits."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jarvis_desktop.adapters.extension_ledger import ExtensionLedger
from jarvis_desktop.adapters.shell_sweep import MARK
from jarvis_desktop.core.items.extensions import ExtensionKind
from tests.fakes.texts import PlainTexts

PATIENCE_S = 60
SUMS = "def add(a: int) -> int:\n    'Adds.'\n    return a\nadd.read_only = True\n"
KEY = (ExtensionKind.TOOL, "sums")


class Terminal:
    """The command, run in a home of its own."""

    def __init__(self, root: Path) -> None:
        self.home = root / ".jarvis"
        (self.home / "tools").mkdir(parents=True)
        (self.home / "plugins").mkdir()
        (self.home / "tools" / "sums.py").write_text(SUMS)
        (self.home / "plugins" / "sums.py").write_text("def after_tool_call(tool):\n    'Sees.'\n")
        self.environ = {**os.environ, "JARVIS_HOME": str(self.home), "JARVIS_UI__LANGUAGE": "en"}

    @property
    def ledger(self) -> ExtensionLedger:
        return ExtensionLedger(self.home, PlainTexts())

    def run(self, *words: str, **more: str) -> tuple[int, str]:
        """Exit status and output, with nobody at a terminal."""
        done = subprocess.run(
            [sys.executable, "-m", "jarvis_desktop", "extensions", *words],
            env={**self.environ, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        return done.returncode, done.stdout

    def typed(self, *words: str, answers: dict[str, str]) -> tuple[int, str]:
        """The same on a terminal where a person types the answer when they see the text."""
        ours, theirs = pty.openpty()
        waiting = dict(answers)
        arguments = [sys.executable, "-m", "jarvis_desktop", "extensions", *words]
        with subprocess.Popen(
            arguments, env=self.environ, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        ) as process:
            os.close(theirs)
            said, until = "", time.monotonic() + PATIENCE_S
            while time.monotonic() < until:
                if select.select([ours], [], [], 1)[0]:
                    try:
                        said += os.read(ours, 65536).decode()
                    except OSError:  # the other end is gone
                        break
                for text in [one for one in waiting if one in said]:
                    os.write(ours, waiting.pop(text).encode() + b"\n")
            if time.monotonic() >= until:
                process.kill()  # it waits for an answer to something else
            process.wait(PATIENCE_S)
        os.close(ours)
        return process.returncode, said


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def test_every_file_is_listed_with_what_it_is(terminal: Terminal) -> None:
    (terminal.home / "tools" / "odd.py").write_text("def f(:\n")
    status, said = terminal.run("list", "--json")
    rows = [json.loads(line) for line in said.splitlines()]
    assert (status, [(one["kind"], one["name"], one["state"]) for one in rows]) == (
        0,
        [("tool", "odd", "broken"), ("tool", "sums", "waiting"), ("plugin", "sums", "waiting")],
    )
    assert "tool/sums  waits for you  add" in terminal.run("list")[1]


def test_the_list_says_what_is_left_out_and_why(terminal: Terminal) -> None:
    (terminal.home / "tools" / "sums.py").write_text(f"{SUMS}def less(a):\n    return a\n")
    (terminal.home / "plugins" / "sums.py").write_text("def on_mesage_end(text):\n    return text\n")
    _, said = terminal.run("list")
    assert said.splitlines()[:3] == [
        "tool/sums  waits for you  add",
        "    less (line 5) is no tool: no docstring, no type hint for a.",
        "plugin/sums  waits for you",
    ]
    assert "Nobody calls on_mesage_end (line 1). Did you mean on_message_end?" in said
    rows = [json.loads(line) for line in terminal.run("list", "--json")[1].splitlines()]
    assert [(one["state"], bool(one["advice"])) for one in rows] == [("waiting", True), ("waiting", True)]


def test_skills_and_servers_are_listed_too(terminal: Terminal) -> None:
    (terminal.home / "skills").mkdir()
    (terminal.home / "skills" / "sum.md").write_text("Sum up $1.")
    (terminal.home / "skills" / "empty.md").write_text("")
    (terminal.home / "settings.yaml").write_text("mcp_servers:\n  time:\n    command: uvx\n    args: [x]\n")
    lines = terminal.run("list")[1].splitlines()
    assert {"server/time  waits for you  uvx", "skill/sum  you call it  /sum"} <= set(lines)
    assert lines[lines.index("skill/empty  does not work") + 1].startswith("    skills/empty.md: ")
    assert 'which tools it brings: jarvis-desktop ask "/mcp"' in lines[-1]
    rows = [json.loads(line) for line in terminal.run("list", "--json")[1].splitlines()]
    assert {"tool", "plugin", "server", "skill"} == {one["kind"] for one in rows}


def test_a_server_that_was_enabled_is_named(terminal: Terminal) -> None:
    (terminal.home / "settings.yaml").write_text("mcp_servers:\n  time:\n    command: uvx\n")
    status, said = terminal.typed("enable", "time", answers={"Let this code run?": "yes"})
    assert (status, "The MCP server time is enabled; it counts" in said) == (0, True), said
    assert "settings.yaml" not in said
    assert terminal.run("disable", "time") == (0, "The MCP server time runs no more.\n")


def test_what_is_gone_can_be_forgotten_and_waits_when_it_comes_back(terminal: Terminal) -> None:
    path = terminal.home / "tools" / "sums.py"
    terminal.typed("enable", "tool/sums", answers={"Let this code run?": "yes", "without asking?": "no"})
    path.unlink()
    listed = terminal.run("list")[1]
    assert "tool/sums  is gone, and would count again" in listed
    status, said = terminal.typed("enable", "tool/sums", answers={})
    assert (status, "is not there any more" in said) == (1, True)
    assert terminal.run("disable", "tool/sums")[0] == 0
    assert terminal.ledger.read().entries == {}
    path.write_text(SUMS)
    assert "tool/sums  waits for you" in terminal.run("list")[1]


def test_a_person_reads_the_code_and_says_yes(terminal: Terminal) -> None:
    answers = {"Let this code run?": "yes", "Let them run without asking?": "no"}
    status, said = terminal.typed("enable", "tool/sums", answers=answers)
    assert status == 0, said
    assert "return a\r\n" in said
    entry = terminal.ledger.read().entries[KEY]
    assert (entry.source, entry.read_only, entry.off) == (SUMS, frozenset(), False)
    (terminal.home / "tools" / "sums.py").write_text(SUMS.replace("return a", "return a + 1"))
    answers = {"Let this code run?": "yes", "Let them run without asking?": "yes"}
    status, said = terminal.typed("enable", "tools/sums.py", answers=answers)
    assert "+    return a + 1" in said
    assert terminal.ledger.read().entries[KEY].read_only == {"add"}
    assert terminal.run("disable", "tool/sums") == (0, f"{terminal.home}/tools/sums.py runs no more.\n")
    assert terminal.ledger.read().entries[KEY].off


@pytest.mark.parametrize("answer", ["", "no", "아니요"])
def test_a_no_enables_nothing(terminal: Terminal, answer: str) -> None:
    status, said = terminal.typed("enable", "tool/sums", answers={"Let this code run?": answer})
    assert (status, "Nothing was enabled." in said) == (1, True)
    assert terminal.ledger.read().entries == {}


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(("again", "enabled"), [("yes", True), ("네", True), ("y", False), ("", False)])
def test_what_is_neither_yes_nor_no_is_asked_about_once_more(
    terminal: Terminal,
    language: str,
    again: str,
    enabled: bool,  # noqa: FBT001 - a row
) -> None:
    terminal.environ["JARVIS_UI__LANGUAGE"] = language
    korean = {"실행하게 할까요?": "y", "여기서는 'y'": again}
    answers = korean if language == "ko" else {"Let this": "y", "“y” does not count": again}
    status, said = terminal.typed("enable", "plugin/sums", answers=answers)
    assert status == int(not enabled), said
    assert bool(terminal.ledger.read().entries) is enabled


@pytest.mark.parametrize("answer", ["예", "네", "YES"])
def test_a_whole_yes_of_either_language_is_one(terminal: Terminal, answer: str) -> None:
    status, said = terminal.typed("enable", "plugin/sums", answers={"Let this code run?": answer})
    assert (status, "is enabled" in said) == (0, True), said


def test_nobody_but_a_person_enables(terminal: Terminal) -> None:
    status, said = terminal.run("enable", "tool/sums")
    assert (status, "it needs a terminal" in said) == (1, True)
    for word in ("enable", "disable"):
        status, said = terminal.run(word, "tool/sums", **{MARK: "a-call"})
        assert (status, "A command that Jarvis runs cannot" in said) == (1, True)
    terminal.environ[MARK] = "a-call"
    status, said = terminal.typed("enable", "tool/sums", answers={"Let this code run?": "yes"})
    assert (status, "A command that Jarvis runs cannot" in said) == (1, True)
    assert terminal.ledger.read().entries == {}


def test_what_there_is_not_or_is_twice_is_said(terminal: Terminal) -> None:
    answers: dict[str, str] = {}
    status, said = terminal.typed("enable", "nothing", answers=answers)
    assert status == 1
    assert "There is nothing called nothing. There is: tool/sums, plugin/sums." in said
    status, said = terminal.typed("enable", "tool/sum", answers=answers)
    assert "Did you mean tool/sums?" in said
    status, said = terminal.typed("enable", "sums", answers=answers)
    assert (status, "say tool/sums, plugin/sums." in said) == (1, True)
