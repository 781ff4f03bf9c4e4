"""Servers in the settings file: read one by one, taken over from JSON, shown without secrets."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jarvis_desktop.adapters.mcp_import import import_servers, remove_server, servers_of
from jarvis_desktop.adapters.mcp_json import Source
from jarvis_desktop.adapters.settings_file import load_settings, read_text
from jarvis_desktop.adapters.settings_problem import sentence
from jarvis_desktop.adapters.shell_sweep import MARK
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    ExtensionKind,
    ExtensionState,
    ImportServers,
    RemoveServer,
)
from jarvis_desktop.core.settings import Settings
from tests.fakes.texts import PlainTexts
from tests.integration.servers.conftest import ENABLED, Bench
from tests.parts.mcp_servers import evil

TEXTS = PlainTexts()
WRONG = """\
ui:
  language: en
mcp_servers:
  good:
    command: mcp-server-time
    args: [--port, 5]
  misspelt:
    comand: x
  "odd name!":
    command: x
  both:
    command: x
    url: http://x/
  address:
    url: ftp://x
  secret:
    command: x
    env:
      KEY: [s3cret]
  headers:
    command: x
    headers: {A: b}
  slow:
    command: x
    timeout_s: 7000
  nothing: 5
"""
LEFT_OUT = "This server is left out until it is mended."


def test_a_mistake_is_named_with_its_line_and_the_others_hold(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text(WRONG)
    settings, problems = load_settings(tmp_path, {})
    assert settings.ui.language == "en"
    said = [sentence(one, TEXTS) for one in problems]
    assert all(one.endswith(LEFT_OUT) for one in said)
    assert [one.removesuffix(f" {LEFT_OUT}").split(": ", 1) for one in said] == [
        [
            "settings.yaml, line 8",
            "there is no setting called mcp_servers.misspelt.comand. "
            "Did you mean mcp_servers.misspelt.command?",
        ],
        [
            "settings.yaml, line 9",
            "mcp_servers.odd name! cannot be a server's name: at most 32 letters, digits, _ and - "
            "are allowed, "
            "with a letter or digit at both ends.",
        ],
        [
            "settings.yaml, line 11",
            "mcp_servers.both has command and url: a server is a program or an address, not both.",
        ],
        [
            "settings.yaml, line 15",
            "mcp_servers.address.url is no address that begins with http:// or https://.",
        ],
        ["settings.yaml, line 19", "mcp_servers.secret.env.KEY is list, a text is expected."],
        ["settings.yaml, line 22", "mcp_servers.headers.headers means nothing for a server with command."],
        ["settings.yaml, line 25", "mcp_servers.slow.timeout_s is 7000, the most allowed is 600 (seconds)."],
        [
            "settings.yaml, line 26",
            "mcp_servers.nothing has neither command nor url: say which program it is, "
            "or at which address it runs.",
        ],
    ]
    assert [one.path for one in read_text(WRONG, Settings.model_validate({}))[1]] == [
        one.path for one in problems
    ]


def test_servers_are_no_section_of_the_environment_and_no_text(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("mcp_servers: later\n")
    _, problems = load_settings(tmp_path, {"JARVIS_MCP_SERVERS__BOX": "x"})
    assert [sentence(one, TEXTS) for one in problems] == [
        "settings.yaml, line 1: mcp_servers is later, but settings are expected under it. Leaving it out.",
        "JARVIS_MCP_SERVERS__BOX: there is no setting called mcp_servers.",
    ]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({"mcpServers": {"a": {"command": "x", "args": ["-y"], "env": {"K": "${env:K}"}, "disabled": True}}},
         {"a": {"command": "x", "args": ["-y"], "env": {"K": "${K}"}}}),
        ({"servers": {"a": {"type": "stdio", "command": "x"}}, "inputs": []}, {"a": {"command": "x"}}),
        ({"mcp": {"servers": {"a": {"type": "sse", "url": "http://h/"}}}},
         {"a": {"url": "http://h/", "transport": "sse"}}),
        ({"mcpServers": {"a": {"serverUrl": "http://h/", "type": "streamable-http"}}},
         {"a": {"url": "http://h/", "transport": "http"}}),
        ({"a": {"command": "x"}}, {"a": {"command": "x"}}),
    ],
)  # fmt: skip
def test_the_forms_of_other_programs_are_understood(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    assert servers_of(Source(json.dumps(theirs)), TEXTS) == ours
    commented = "// of another program\n" + json.dumps(theirs, indent=1).replace("\n}", ",\n}")
    assert servers_of(Source(commented), TEXTS) == ours


def test_what_stands_in_quotes_is_no_comment_and_no_comma_too_many() -> None:
    text = '{"a": {"command": "x", /* b */ "args": ["a,]", "http://h", "/* k */",], // c\n},}'
    assert servers_of(Source(text), TEXTS) == {"a": {"command": "x", "args": ["a,]", "http://h", "/* k */"]}}


MISSING = '{\n  // two\n\n  "servers": {\n    "a": {\n      "command": "x"\n      "args": []\n    }\n  }\n}\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MISSING, "s.json, line 6: this is no JSON: a comma or a closing bracket is missing at its end. "
         "Nothing was taken over."),
        (MISSING.replace('"x"', '"x",').replace('"args": []', '"args": [],\n      "comand": "y"'),
         "s.json, line 8: the server a cannot be taken over: Jarvis does not know what comand means "
         "(did you mean command?). Nothing was written."),
        ("{}", "s.json: this names no server."),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_file_line_and_the_word_that_was_meant(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(ExtensionRefusedError) as caught:
        import_servers(tmp_path, text, TEXTS, "s.json")
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "This names no server."),
        ("[1]", "This names no server."),
        ('{"mcpServers": {', "Line 1: this is no JSON: "),
        ("x" * 300_000, "longer than any list"),
        ('{"mcpServers": {"a": 5}}', "a cannot be taken over: it has neither command nor url."),
        ('{"mcpServers": {"a": {"command": "x", "hooks": 1}}}', "Jarvis does not know what hooks means"),
        ('{"mcpServers": {"a b": {"command": "x"}}}', "cannot be a server's name"),
        ('{"mcpServers": {"a": {"url": "http://h/", "type": "ws"}}}', "a way that is not known: ws"),
        ('{"mcpServers": {"a": {"command": "${workspaceFolder}/x"}}}', "knows what ${workspaceFolder}"),
        ('{"mcpServers": {"a": {"command": "x", "env": {"K": "${input:key}"}}}}', "knows what ${input:key}"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_over_is_refused_and_nothing_is_written(
    tmp_path: Path, text: str, reason: str
) -> None:
    with pytest.raises(ExtensionRefusedError) as caught:
        import_servers(tmp_path, text, TEXTS)
    assert reason in str(caught.value)
    assert not (tmp_path / "settings.yaml").exists()


def test_comments_and_order_of_the_file_stay(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("# mine\nui:\n  language: en # always\nmcp_servers:\n  a: {command: x} # first\n")
    assert import_servers(tmp_path, '{"b": {"command": "y", "args": ["1"], "env": {"K": "v"}}}', TEXTS) == (
        "b",
    )
    added = "  b:\n    command: y\n    args: ['1']\n    env:\n      K: v\n"
    assert file.read_text() == (
        "# mine\nui:\n  language: en # always\nmcp_servers:\n  a: {command: x} # first\n" + added
    )
    with pytest.raises(ExtensionRefusedError, match="There is a server called a already"):
        import_servers(tmp_path, '{"c": {"command": "y"}, "a": {"command": "y"}}', TEXTS)
    remove_server(tmp_path, "b", TEXTS)
    assert file.read_text() == (
        "# mine\nui:\n  language: en # always\nmcp_servers:\n  a: {command: x} # first\n"
    )
    with pytest.raises(ExtensionRefusedError, match="There is no server called b"):
        remove_server(tmp_path, "b", TEXTS)


async def test_what_is_shown_holds_no_secret_and_what_changed_is_shown(bench: Bench) -> None:
    bench.write(
        box={"command": "x", "args": ["-v"], "env": {"KEY": "s3cret", "OTHER": "${OTHER}"}, "cwd": "/tmp"}
    )
    first = await bench.seen("box")
    assert first.source == (
        'box:\n  command: x\n  args:\n    - "-v"\n  env:\n    KEY: (not shown)\n    OTHER: ${OTHER}\n'
        "  cwd: /tmp\n  timeout_s: 60"
    )
    await bench.enable("box")
    bench.write(
        box={"command": "x", "args": ["-v"], "env": {"KEY": "other", "OTHER": "${OTHER}"}, "cwd": "/tmp"}
    )
    second = await bench.seen("box")
    assert (second.state, second.changes) == (
        ExtensionState.CHANGED,
        "Only values that are not shown have changed.",
    )
    bench.write(box={"command": "y", "args": ["-v"]})
    third = await bench.seen("box")
    assert "-  command: x" in third.changes
    assert "+  command: y" in third.changes
    ledger = (bench.home / "extensions.yaml").read_text()
    assert "s3cret" not in ledger + repr((first, second, third, bench.events))


async def test_what_was_shown_before_is_not_enabled_now(bench: Bench) -> None:
    bench.write(box={"command": "x"})
    shown = await bench.seen("box")
    bench.write(box={"command": "y"})
    with pytest.raises(ExtensionRefusedError, match="has changed since it was shown"):
        await bench.shelf.enable(EnableExtension(ExtensionKind.SERVER, "box", shown.digest))
    with pytest.raises(ExtensionRefusedError, match="There is no server called bix"):
        await bench.shelf.enable(EnableExtension(ExtensionKind.SERVER, "bix", shown.digest))
    bench.write(box={"comand": "y"})
    with pytest.raises(ExtensionRefusedError, match="there is no setting called"):
        await bench.shelf.enable(EnableExtension(ExtensionKind.SERVER, "box", shown.digest))


@pytest.mark.promise("T-164")
async def test_servers_come_change_break_and_go_with_the_file(bench: Bench) -> None:
    """While a turn runs it keeps its tools; what is switched off or gone may not be called even then."""
    await bench.up("box")
    await bench.shelf.begin_turn()
    assert "box_echo" in {tool.name for tool in bench.shelf.tools()}
    echo = bench.shelf._keepers["box"].offer.tools[0]
    whole = (bench.home / "settings.yaml").read_text()
    (bench.home / "settings.yaml").write_text("mcp_servers: [")  # half written: what held goes on
    assert (await bench.seen("box")).state is ENABLED
    (bench.home / "settings.yaml").write_text(whole.replace("well", "many"))
    assert (await bench.seen("box")).state is ExtensionState.CHANGED
    assert bench.shelf.definition(echo) == ""
    await bench.enable("box")
    assert len((await bench.until("box", lambda one: one.state is ENABLED)).offers) == 64
    await bench.shelf.disable(DisableExtension(ExtensionKind.SERVER, "box"))
    assert (await bench.seen("box")).state is ExtensionState.OFF
    await bench.shelf.remove(RemoveServer("box"))
    assert await bench.shelf.look() == ()
    await bench.shelf.begin_turn()
    assert bench.shelf.tools() == ()


async def test_what_is_taken_over_waits_and_says_so(bench: Bench) -> None:
    await bench.shelf.import_servers(ImportServers(json.dumps({"box": evil(bench.data("box"))})))
    assert (await bench.seen("box")).state is ExtensionState.WAITING
    text = "The MCP server box is new and does not run yet. It waits in Settings → MCP servers. "
    text += "In a terminal: jarvis-desktop extensions enable server/box"
    assert text in repr(bench.events)


async def test_a_server_that_is_gone_is_shown_and_forgotten(bench: Bench) -> None:
    bench.write(box={"command": "x"})
    await bench.enable("box")
    (bench.home / "settings.yaml").write_text("mcp_servers: [")
    assert (await bench.seen("box")).state is not ExtensionState.GONE  # nobody knows what it says
    bench.write()
    assert (await bench.seen("box")).state is ExtensionState.GONE
    await bench.shelf.disable(DisableExtension(ExtensionKind.SERVER, "box"))
    assert await bench.shelf.look() == ()
    bench.write(box={"command": "x"})
    assert (await bench.seen("box")).state is ExtensionState.WAITING
    await bench.enable("box")
    await bench.shelf.remove(RemoveServer("box"))  # and so is one that a person takes out
    bench.write(box={"command": "x"})
    assert (await bench.seen("box")).state is ExtensionState.WAITING


def test_the_command_line_takes_over_and_refuses_a_call(tmp_path: Path) -> None:
    text = json.dumps({"mcpServers": {"box": {"command": "x"}}})
    command = [sys.executable, "-m", "jarvis_desktop", "mcp", "import", "-"]
    env = {
        "JARVIS_HOME": str(tmp_path / "home"),
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
    }

    def run(**more: str) -> tuple[int, str]:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, env={**env, **more}, timeout=100, check=False
        )
        return done.returncode, done.stdout + done.stderr

    status, said = run(**{MARK: "of-a-call"})
    assert (status != 0, "takes no orders from a command" in said) == (True, True)
    assert not (tmp_path / "home" / "settings.yaml").exists()
    status, said = run()
    assert (status, "box stands in" in said) == (0, True)
    status, said = run()
    assert (status != 0, "There is a server called box already" in said) == (True, True)
    assert "Traceback" not in said


async def test_a_running_program_ends_with_the_shelf(bench: Bench) -> None:
    await bench.up("box")
    process_folder = bench.data("box")
    await bench.shelf.close()
    found = await asyncio.to_thread(
        lambda: [one for one in Path("/proc").glob("[0-9]*/cwd") if _leads(one, process_folder)]
    )
    assert found == []


def _leads(link: Path, folder: Path) -> bool:
    try:
        return link.readlink() == folder
    except OSError:
        return False


async def test_variables_that_decide_which_code_runs_are_shown_and_no_value_passes_for_a_line(
    bench: Bench,
) -> None:
    env = {
        "PATH": "/tmp/evil:/usr/bin",
        "UV_INDEX_URL": "https://me:s3cret@evil.example/x",
        "NODE_OPTIONS": "a\n  command: b",
        "ACCESS\nKEY": "s3cret",
    }
    bench.write(box={"command": "x\n  # checked", "env": env})
    assert (await bench.seen("box")).source == (
        'box:\n  command: "x\\n  # checked"\n  env:\n    "ACCESS\\nKEY": (not shown)\n'
        '    NODE_OPTIONS: "a\\n  command: b"\n    PATH: /tmp/evil:/usr/bin\n'
        "    UV_INDEX_URL: https://…@evil.example/x\n  timeout_s: 60"
    )
