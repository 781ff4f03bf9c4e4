"""What holds after a security setting could not be read."""

import pytest

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.decisions import VerdictKind
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.policy.danger import DEFAULT_ENTRIES, danger_list
from jarvis_desktop.core.policy.facts import Matter, gather
from jarvis_desktop.core.policy.verdict import verdict
from jarvis_desktop.core.settings import DANGEROUS_COMMANDS, STRICTEST
from jarvis_desktop.core.tool import Preview
from tests.fakes.reading import World
from tests.unit.policy.asking import REQUEST


async def undrawn() -> Preview:
    raise AssertionError("nobody is asked")


def strictest() -> World:
    world = World()
    world.security.set(**{name: value for (_, name), value in STRICTEST.items()})
    return world


@pytest.mark.parametrize("tool", ["bash", "write_file", "read_file", "a_tool_of_tomorrow"])
async def test_with_the_strictest_setting_every_tool_asks(tool: str) -> None:
    call = ToolCall(CallId("c"), tool, {"path": "a.md"})
    found = verdict(await gather(Matter(call, REQUEST, undrawn), strictest().reading))
    assert found.kind is VerdictKind.ASK


async def test_with_an_unreadable_danger_list_every_command_asks_and_the_default_list_holds() -> None:
    world = strictest()
    world.rules.add("bash", "git status")
    for command, kind in (("git status", VerdictKind.ASK), ("sudo ls", VerdictKind.BLOCK)):
        call = ToolCall(CallId("c"), "bash", {"command": command})
        known = await gather(Matter(call, REQUEST, undrawn), world.reading)
        found = verdict(known)
        assert found.kind is kind
    assert danger_list(STRICTEST["security", "dangerous_commands"]).problems  # type: ignore[arg-type]  # the table holds values of any kind


def test_the_setting_names_every_detector() -> None:
    assert DANGEROUS_COMMANDS == DEFAULT_ENTRIES
