"""The web's tools, there or not, as the settings say at the moment."""

from collections.abc import Callable, Sequence

from jarvis_desktop.core.policy.web_trail import WEB_FETCH, WEB_SEARCH
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.turn.tool_registry import AnyTool


def usable(tools: Sequence[AnyTool], settings: Callable[[], Settings]) -> Callable[[], Sequence[AnyTool]]:
    """``tools``, without those of the web while it is switched off."""
    without = tuple(tool for tool in tools if tool.name not in (WEB_FETCH, WEB_SEARCH))
    return lambda: tools if settings().web.enabled else without
