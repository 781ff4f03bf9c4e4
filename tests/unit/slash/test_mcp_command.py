"""``/mcp``: which servers there are, how they are, and what one brings."""

from pathlib import Path

from jarvis_desktop.core.items.extensions import Extension, ExtensionKind, ExtensionState, Offered
from jarvis_desktop.core.slash.command import Value
from jarvis_desktop.core.slash.mcp_cmd import McpCommand
from tests.fakes.slash import Fakes, FakeServerList
from tests.unit.slash.test_commands import Desk

FILE = Path("/home/u/.jarvis/settings.yaml")
TIME = Extension(
    ExtensionKind.SERVER,
    "time",
    FILE,
    "d1",
    ExtensionState.ENABLED,
    offers=(Offered("time_now", "Tells `the` time."),),
    source="time:\n  command: x",
)
BAD = Extension(ExtensionKind.SERVER, "bad", FILE, "d2", ExtensionState.BROKEN, trouble="x ended.")


def serving() -> Fakes:
    return Fakes(servers=FakeServerList([TIME, BAD]))


async def test_servers_are_listed_with_their_state_their_tools_and_their_last_trouble() -> None:
    said = await Desk(serving()).type("/mcp")
    first, second, _, hint = said.text.split("\n")
    assert first == "- `time` — **connected** · 1 tool"
    assert second == "- `bad` — **not connected** — x ended."
    assert "Settings → MCP servers" in hint


async def test_without_servers_it_is_said_where_one_is_named() -> None:
    said = await Desk(Fakes()).type("/서버")
    assert said.text.startswith("There are no MCP servers yet. Name one under `mcp_servers` in settings.yaml")


async def test_one_is_shown_with_its_definition_and_its_tools() -> None:
    said = await Desk(serving()).type("/mcp Time")
    assert said.text == (
        "- `time` — **connected** · 1 tool\n\n```\ntime:\n  command: x\n```\n\n"
        "- `time_now` — Tells \\`the\\` time."
    ).removeprefix("- ")


async def test_a_name_that_is_none_is_answered_with_what_is_near() -> None:
    said = await Desk(serving()).type("/mcp tim")
    assert said.text.startswith("There is no server called `tim`. Did you mean `/mcp time`?\n\n- `time`")


async def test_names_are_completed_with_their_states() -> None:
    values = await McpCommand().values("", serving().world())
    assert values == [Value("time", "connected"), Value("bad", "not connected")]
