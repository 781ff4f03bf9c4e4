"""The web can be switched off, at once."""

from jarvis_desktop.app.web_parts import usable
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.turn.tool_registry import builtin_tools
from tests.fakes.files import FakeFiles
from tests.fakes.shell import FakeShell
from tests.fakes.web import FakeWeb


def test_switched_off_the_tools_of_the_web_are_gone_and_switched_on_they_are_back() -> None:
    tools = builtin_tools(FakeFiles(), FakeShell(), FakeWeb())
    now = Settings.model_validate({})
    offered = usable(tools, lambda: now)
    assert offered() == tools
    now = Settings.model_validate({"web": {"enabled": False}})
    assert [tool.name for tool in tools if tool not in offered()] == ["web_fetch", "web_search"]
