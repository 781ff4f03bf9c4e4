"""Web and memory can be switched off, at once."""

from jarvis_desktop.app.web_parts import usable
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.turn.tool_registry import builtin_tools, memory_tools
from tests.fakes.files import FakeFiles
from tests.fakes.shell import FakeShell
from tests.fakes.texts import PlainTexts
from tests.fakes.web import FakeWeb
from tests.unit.tools.test_memory_tools import NotedMemory


def test_switched_off_the_tools_of_the_web_are_gone_and_switched_on_they_are_back() -> None:
    tools = builtin_tools(FakeFiles(), FakeShell(), FakeWeb())
    now = Settings.model_validate({})
    offered = usable(tools, lambda: now)
    assert offered() == tools
    now = Settings.model_validate({"web": {"enabled": False}})
    assert [tool.name for tool in tools if tool not in offered()] == ["web_fetch", "web_search"]


def test_while_memory_is_off_no_agent_has_its_tools() -> None:
    tools = memory_tools(NotedMemory(), PlainTexts(), _nobody)
    now = Settings.model_validate({})
    offered = usable(tools, lambda: now)
    assert offered() == tools
    now = Settings.model_validate({"memory": {"enabled": False}})
    assert offered() == ()


async def _nobody(event: Event) -> None:
    raise AssertionError(event)
