"""Tools that are there or not, as the settings say: those of the web, of memory and of schedules."""

from collections.abc import Callable, Sequence

from jarvis_desktop.core.items.memory import RECALL_TOOL, TEACHING_TOOL
from jarvis_desktop.core.items.schedule import SCHEDULE_TOOL
from jarvis_desktop.core.policy.web_trail import WEB_FETCH, WEB_SEARCH
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.turn.tool_registry import AnyTool


def usable(tools: Sequence[AnyTool], settings: Callable[[], Settings]) -> Callable[[], Sequence[AnyTool]]:
    """``tools``, without those that are switched off."""

    def offered() -> Sequence[AnyTool]:
        off = _switched_off(settings())
        return tuple(tool for tool in tools if tool.name not in off)

    return offered


def _switched_off(settings: Settings) -> frozenset[str]:
    web = () if settings.web.enabled else (WEB_FETCH, WEB_SEARCH)
    memory = () if settings.memory.enabled else (RECALL_TOOL, TEACHING_TOOL)
    schedule = () if settings.schedule.enabled else (SCHEDULE_TOOL,)
    return frozenset((*web, *memory, *schedule))
