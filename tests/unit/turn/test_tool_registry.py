"""Which tools exist."""

from dataclasses import replace

import pytest

from jarvis_desktop.core.turn.tool_registry import ToolRegistry, builtin_tools
from tests.fakes.files import FakeFiles
from tests.fakes.shell import FakeShell
from tests.fakes.team import JARVIS, KAREN
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
    assert registry.offered(JARVIS) == (other,)
    assert registry.find("bash") is None


def test_each_agent_is_offered_its_own_tools() -> None:
    look, bash = LookTool(), FakeBash()
    registry = ToolRegistry(lambda: [look, bash])
    assert registry.offered(JARVIS) == (look, bash)
    assert registry.offered(replace(KAREN, tools=("look",))) == (look,)
    assert registry.offered(replace(KAREN, tools=())) == ()
