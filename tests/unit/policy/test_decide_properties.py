"""Whatever a model or a file says, deciding never fails and never allows what no rule covers."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jarvis_desktop.adapters.rule_text import read_rules
from jarvis_desktop.core.items.calls import Json, ToolCall
from jarvis_desktop.core.items.decisions import Allowed, Decision, Denied, Shown
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.policy.facts import Matter
from jarvis_desktop.core.policy.sandbox import decide
from jarvis_desktop.core.tool import Preview
from tests.fakes.reading import PLACE, SHARED, World
from tests.unit.policy.asking import REQUEST, Desk
from tests.unit.policy3.test_command_properties import ASKED, BLOCKED, PIECES, RULES, WRAPPINGS, wrapped

# Nobody is there, so what would be asked is denied at once; an allow can only come from a rule.
CASES = replace(REQUEST, cwd=REQUEST.cwd.parent / "proj")


async def drawn() -> Preview:
    return Preview(Shown.COMMAND, "shown")


def ruled(*lines: str) -> World:
    world = World()
    for line in lines:
        tool, _, pattern = line.partition(" ")
        world.rules.add(*((tool, pattern) if tool == "write_file" else ("bash", line)))
    return world


def outcome(world: World, tool: str, arguments: dict[str, Json]) -> Decision:
    about = Matter(ToolCall(CallId("c"), tool, arguments), CASES, drawn)
    reading = replace(world.reading, place=replace(PLACE, cwd="/home/u/proj"))
    return asyncio.run(decide(about, Desk().broker, reading))


@given(command=st.sampled_from(ASKED + BLOCKED), template=st.sampled_from(WRAPPINGS))
@settings(max_examples=150, deadline=None)
def test_no_wrapping_of_what_asks_or_is_blocked_is_allowed(command: str, template: str) -> None:
    world = ruled(*RULES)
    if isinstance(outcome(world, "bash", {"command": command}), Denied):
        assert isinstance(outcome(world, "bash", {"command": wrapped(template, command)}), Denied)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=200, deadline=None)
def test_without_a_rule_no_command_runs_unasked(command: str) -> None:
    assert isinstance(outcome(World(), "bash", {"command": command}), Denied)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["command", "path", "content", "old_string", "new_string", "to"]) | st.text()
TEXTS = st.text(st.characters(exclude_categories=())) | st.sampled_from(
    ["docs/a.md", "~", "~x/y", "file:///etc/passwd", "\ud800", "a\0b", "../" * 50, "/" * 5000, "docs/\u202ea"]
)


@given(
    tool=st.sampled_from(["bash", "write_file", "edit_file", "web_fetch", "mcp_x"]),
    arguments=st.dictionaries(NAMES, JSON | TEXTS, max_size=5),
)
@settings(max_examples=400, deadline=None)
def test_arguments_of_any_shape_never_fail_and_never_run_unasked(
    tool: str, arguments: dict[str, Any]
) -> None:
    world = World()
    world.security.set(require_approval_for=("*",))
    decision = outcome(world, tool, arguments)
    assert isinstance(decision, Denied)
    assert decision.basis is not None


@pytest.mark.promise("T-087")
@given(st.binary() | st.text().map(lambda text: f"rules:\n  - {text}\n".encode()))
@settings(max_examples=300, deadline=None)
def test_a_rule_file_of_any_bytes_allows_nothing_beyond_its_own_words(source: bytes) -> None:
    world = World()
    world.rules.lines[SHARED] = [rule.line for rule in read_rules(source, "approvals.yaml").rules]
    decision = outcome(world, "bash", {"command": "jarvis-probe --of nothing"})
    assert isinstance(decision, Denied) or any(
        line.tool == "bash" and line.pattern.startswith("jarvis-probe") for line in world.rules.lines[SHARED]
    )


@given(
    tool=st.sampled_from(["bash", "write_file", "edit_file"]), pattern=TEXTS | st.sampled_from(["*", "**"])
)
@settings(max_examples=200, deadline=None)
def test_no_rule_whatever_it_says_opens_a_guarded_place(tool: str, pattern: str) -> None:
    world = World()
    world.rules.lines[SHARED] = [RuleLine(tool, pattern)]
    for path in ("/home/u/.ssh/authorized_keys", "/home/u/.bashrc", "/home/u/.jarvis/approvals.yaml"):
        for name in ("write_file", "edit_file"):
            assert isinstance(outcome(world, name, {"path": path, "content": "x"}), Denied)
    assert not isinstance(outcome(world, "bash", {"command": "bash -c 'touch a'"}), Allowed)
