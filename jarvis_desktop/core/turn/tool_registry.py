"""Which tools exist and which of them an agent may use; read anew in every turn."""

import difflib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from jarvis_desktop.core.items.errors import InvariantError
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.turn import Situation
from jarvis_desktop.core.policy.roles import BoundariesOf, reach, unbounded
from jarvis_desktop.core.ports import Files, Shell, Web
from jarvis_desktop.core.tool import Tool
from jarvis_desktop.core.tools.bash import Bash
from jarvis_desktop.core.tools.edit_file import EditFile
from jarvis_desktop.core.tools.glob import Glob
from jarvis_desktop.core.tools.grep import Grep
from jarvis_desktop.core.tools.list_dir import ListDir
from jarvis_desktop.core.tools.read_file import ReadFile
from jarvis_desktop.core.tools.web_fetch import WebFetch
from jarvis_desktop.core.tools.web_search import WebSearch
from jarvis_desktop.core.tools.write_file import WriteFile
from jarvis_desktop.core.turn.schema_calls import ANSWER

AnyTool: TypeAlias = Tool[Any]
AllowList: TypeAlias = Callable[[AgentId], frozenset[str] | None]
"""Names of the tools that an agent may use; None for all."""


def everything(agent_id: AgentId) -> frozenset[str] | None:
    """The allow-list that keeps nothing out."""
    del agent_id
    return None


def builtin_tools(files: Files, shell: Shell, web: Web) -> tuple[AnyTool, ...]:
    """The tools that come with the app; a new one is one more line here."""
    return (
        ReadFile(files),
        WriteFile(files),
        EditFile(files),
        ListDir(files),
        Glob(files),
        Grep(files),
        Bash(shell),
        WebFetch(web),
        WebSearch(web),
    )


class ToolRegistry:
    """Tools by name."""

    def __init__(
        self,
        tools: Callable[[], Sequence[AnyTool]],
        allow_list: AllowList = everything,
        boundaries: BoundariesOf = unbounded,
    ) -> None:
        """tools: asked every time, so a tool that appears counts from the next turn; later names win."""
        self._tools = tools
        self._allow_list = allow_list
        self._boundaries = boundaries

    def find(self, name: str) -> AnyTool | None:
        """The tool of that name."""
        return self._by_name().get(name)

    def permits(self, name: str, agent_id: AgentId, situation: Situation = Situation.CONVERSATION) -> bool:
        """The agent's allow-list has ``name``, and its boundaries leave it to a turn of this kind."""
        allowed = self._allow_list(agent_id)
        if allowed is not None and name not in allowed:
            return False
        return reach(name, self._boundaries(agent_id), situation).offered

    def offered(
        self, agent_id: AgentId, situation: Situation = Situation.CONVERSATION
    ) -> tuple[AnyTool, ...]:
        """The tools that this agent may use."""
        return tuple(
            tool for name, tool in self._by_name().items() if self.permits(name, agent_id, situation)
        )

    def unknown(self, name: str, agent_id: AgentId) -> str:
        """What the model reads after calling a tool that is not there."""
        names = [tool.name for tool in self.offered(agent_id)]
        close = difflib.get_close_matches(name, names, n=1)
        hint = f' Did you mean "{close[0]}"?' if close else ""
        return f'There is no tool called "{name[:60]}".{hint} The tools are: {", ".join(names)}.'

    def _by_name(self) -> dict[str, AnyTool]:
        found = {tool.name: tool for tool in self._tools()}
        if ANSWER in found:
            raise InvariantError(f'no tool may be called "{ANSWER}": schema-bound models speak through it')
        return found
