"""The program itself, started for each turn of a goal that works with a tool of a person's own."""

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jarvis_desktop.adapters.extension_files import read_text
from jarvis_desktop.adapters.extension_ledger import ExtensionLedger
from jarvis_desktop.core.items.extensions import ExtensionKind
from tests.fakes.ollama_script import call, say
from tests.fakes.ollama_server import ScriptedOllama
from tests.fakes.texts import PlainTexts
from tests.parts.ollama_script import StartsScript
from tests.parts.program import ROOT

TOOL = '''
import os
from pathlib import Path

HERE = Path(os.environ["JARVIS_EXTENSION_DATA"])


def housing_notices() -> str:
    """All housing notices there are now. Call this to look at housing notices."""
    with (HERE / "ran.txt").open("a") as file:
        file.write("ran")
    return (HERE / "board.txt").read_text()


housing_notices.read_only = True
'''
SETTINGS = """\
model: {{backend: ollama, name: "gemma4:e2b", host: "{host}", calls: native}}
agent: {{working_directory: {work}}}
"""
AGENT = "id: main\nname: JARVIS\npurpose: Looks at housing notices.\ntools: [housing_notices]\n"
SENTENCE = "Tell me only when a housing notice is new or has changed"
OPEN, CHANGED = "Item: [n1@1] Magok: open until Friday", "Item: [n1@2] Magok: open until Sunday"
TURN_WITHIN_S = 60.0


@dataclass
class Program:
    """A home with one goal; the program runs for one turn at a time."""

    home: Path
    ollama: ScriptedOllama
    ran: int = 0
    """Times that the tool ran in the last turn."""
    asked: int = 0
    """Requests to the model in the last turn, as its server saw them."""

    async def run(self, *arguments: str) -> str:
        """What one command printed."""
        environment = os.environ | {"JARVIS_HOME": str(self.home), "LC_ALL": "C.UTF-8"}
        command = (sys.executable, "-m", "jarvis_desktop", *arguments)
        process = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, env=environment, stdout=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(TURN_WITHIN_S):
            said, _ = await process.communicate()
        assert process.returncode == 0, said.decode()
        return said.decode()

    async def turn(self, at: str, *board: str) -> Mapping[str, Any]:
        """What the turn at that time printed, while these lines are on the board."""
        (self.data / "board.txt").write_text("\n".join(board))
        (self.data / "ran.txt").write_text("")
        asked = len(self.ollama.chats)
        said: Mapping[str, Any] = json.loads(await self.run("goal", "run", "housing", "--at", at, "--json"))
        self.asked = len(self.ollama.chats) - asked
        self.ran = (self.data / "ran.txt").read_text().count("ran")
        return said

    @property
    def data(self) -> Path:
        """Where the tool keeps its files."""
        return self.home / "extension-data" / "tool-notices"


@pytest.fixture
async def program(tmp_path: Path, ollama_script: StartsScript) -> Program:
    home, work = tmp_path / ".jarvis", tmp_path / "work"
    for folder in (home, home / "tools", home / "team", home / "extension-data", work):
        folder.mkdir(mode=0o700)
    (home / "team" / "main.yaml").write_text(AGENT)
    file = home / "tools" / "notices.py"
    file.write_text(TOOL)
    found = read_text(file)
    key = (ExtensionKind.TOOL, "notices")
    ExtensionLedger(home, PlainTexts()).enable(key, found.digest, found.text, frozenset({"housing_notices"}))
    ollama = ollama_script()
    (home / "settings.yaml").write_text(SETTINGS.format(host=ollama.host, work=work))
    one = Program(home, ollama)
    one.data.mkdir(mode=0o700)
    await one.run("goal", "add", SENTENCE)
    return one


def calls(said: Mapping[str, Any]) -> list[tuple[str, bool]]:
    return [(one["tool"], one["before_the_model"]) for one in said["called"]]


@pytest.mark.promise("G-001")
@pytest.mark.promise("G-009")
@pytest.mark.promise("G-040")
async def test_three_turns_of_the_program_tell_once_are_silent_and_tell_the_change(program: Program) -> None:
    program.ollama.add(call("housing_notices", {}), say("Nothing that I would tell."))
    first = await program.turn("2026-12-05T09:00+00:00", OPEN)
    assert (first["outcome"], [one["line"] for one in first["told"]]) == (
        "told",
        ["Magok: open until Friday"],
    )
    assert program.asked == 2

    silent = await program.turn("2026-12-05T10:00+00:00", OPEN)
    assert (silent["outcome"], silent["told"], silent["model_turns"]) == ("skipped-unchanged", [], 0)
    assert calls(silent) == [("housing_notices", True)]
    assert (program.asked, program.ran) == (0, 1)

    program.ollama.add(say("Nothing that I would tell."))
    changed = await program.turn("2026-12-05T11:00+00:00", CHANGED)
    assert (changed["outcome"], [one["line"] for one in changed["told"]]) == (
        "told",
        ["Magok: open until Sunday"],
    )
    assert calls(changed)[0] == ("housing_notices", True)
    assert program.ran == 1, "what was called ahead is handed to the model, and not called again"
    assert program.asked == 1
