"""What people added, where the program lives for one line of the command line only."""

import asyncio
import json
import logging
from pathlib import Path

import pytest

from jarvis_desktop.adapters.bwrap_sandbox import BwrapSandbox
from jarvis_desktop.adapters.extension_ledger import ExtensionLedger
from jarvis_desktop.adapters.extension_room import ExtensionRooms
from jarvis_desktop.app.cli_home import cli_home
from jarvis_desktop.app.extensions_found import all_found
from jarvis_desktop.core.items.errors import SandboxError
from jarvis_desktop.core.items.extensions import ExtensionKind
from jarvis_desktop.core.policy.paths import Place
from tests.fakes.ollama_script import say
from tests.fakes.texts import PlainTexts
from tests.integration.extensions.conftest import Bench
from tests.integration.slash.test_ask_and_terminal import asked, env
from tests.parts.mcp_servers import evil
from tests.parts.ollama_script import StartsScript

__all__ = ["env"]

TOOL = "def add(a: int, b: int) -> int:\n    'Adds two numbers.'\n    return a + b\n"
PLUGIN = "def after_tool_call(tool):\n    'Sees.'\n"


@pytest.fixture
def home(env: dict[str, str]) -> Path:
    """A home with a tool, a plugin and a server; a person enabled all three."""
    made = Path(env["JARVIS_HOME"])
    for folder, text in (("tools", TOOL), ("plugins", PLUGIN)):
        (made / folder).mkdir(parents=True)
        (made / folder / f"{folder}.py").write_text(text)
    server = evil(made / "extension-data" / f"{ExtensionKind.SERVER}-odd")
    (made / "settings.yaml").write_text(json.dumps({"mcp_servers": {"odd": server}}))
    ledger = ExtensionLedger(made, PlainTexts())
    for one in all_found(cli_home(), ledger.read()):
        ledger.enable(one.key, one.digest, one.text)
    return made


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/tools", "`add` — Adds two numbers"),
        ("/plugins", "`plugins` — enabled · `after_tool_call`"),
        ("/mcp", "`odd` — connected"),
    ],
)
def test_a_command_waits_for_what_it_tells_of(
    home: Path, line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = asked(line, capsys)
    assert (status, said in out) == (0, True), out + err
    assert "bubblewrap" not in (home / "logs" / "jarvis.log").read_text()


def test_a_single_request_has_the_tools_of_servers(
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    ollama_script: StartsScript,
) -> None:
    server = ollama_script(say("Well."))
    monkeypatch.setenv("JARVIS_MODEL__HOST", server.host)
    monkeypatch.setenv("JARVIS_MODEL__CALLS", "native")
    assert asked("What can you do?", capsys)[0] == 0
    offered = {tool["function"]["name"] for tool in server.chats[-1].body["tools"]}
    assert "add" in offered
    assert any("odd" in name for name in offered), offered


async def test_a_trial_that_was_broken_off_says_nothing_of_bubblewrap(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    sandbox = BwrapSandbox(Place("/", str(bench.person), str(bench.home)))
    rooms = ExtensionRooms(bench.home, sandbox, PlainTexts())
    wanted = asyncio.create_task(rooms.room(("/bin/true",), ExtensionKind.TOOL, "sums"))
    await asyncio.sleep(0)  # it waits for the trial now
    await sandbox.close()
    with pytest.raises(SandboxError, match="It does not run yet"):
        await wanted
    assert "not installed" not in caplog.text
