"""Which tools exist."""

import pytest

from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.turn.tool_registry import ToolRegistry, builtin_tools
from tests.fakes.files import FakeFiles
from tests.fakes.shell import FakeShell
from tests.fakes.tools import FakeBash, LookTool
from tests.fakes.web import FakeWeb


@pytest.mark.promise("T-036")
def test_the_builtin_tools_are_these_nine() -> None:
    names = [tool.name for tool in builtin_tools(FakeFiles(), FakeShell(), FakeWeb())]
    assert names[:7] == ["read_file", "write_file", "edit_file", "list_dir", "glob", "grep", "bash"]
    assert names[7:] == ["web_fetch", "web_search"]


def test_a_tool_added_later_is_found_and_a_later_one_of_the_same_name_stands_in() -> None:
    tools = [LookTool()]
    registry = ToolRegistry(lambda: tools)
    other = LookTool()
    tools.append(other)
    assert registry.find("look") is other
    assert registry.offered(MAIN_AGENT) == (other,)
    assert registry.find("bash") is None


def test_each_agent_is_offered_its_own_tools() -> None:
    look, bash = LookTool(), FakeBash()
    registry = ToolRegistry(lambda: [look, bash], {MAIN_AGENT: None}.get)
    karen = ToolRegistry(lambda: [look, bash], lambda agent: frozenset({"look"}))
    assert registry.offered(MAIN_AGENT) == (look, bash)
    assert karen.offered(AgentId("karen")) == (look,)
