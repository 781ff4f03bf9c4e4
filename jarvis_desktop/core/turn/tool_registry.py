"""Which tools exist and which of them an agent may use; read anew in every turn."""

import difflib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from jarvis_desktop.core.items.errors import InvariantError
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.turn import Errand, Situation
from jarvis_desktop.core.policy.roles import BoundariesOf, reach, unbounded
from jarvis_desktop.core.ports import Delegates, Files, Shell, Team, Web
from jarvis_desktop.core.tool import Tool
from jarvis_desktop.core.tools.agent_tool import agent_tool
from jarvis_desktop.core.tools.ask_agent import AskAgent
from jarvis_desktop.core.tools.bash import Bash
from jarvis_desktop.core.tools.edit_file import EditFile
from jarvis_desktop.core.tools.glob import Glob
from jarvis_desktop.core.tools.grep import Grep
from jarvis_desktop.core.tools.list_dir import ListDir
from jarvis_desktop.core.tools.orchestrate import Orchestrate
from jarvis_desktop.core.tools.read_file import ReadFile
from jarvis_desktop.core.tools.web_fetch import WebFetch
from jarvis_desktop.core.tools.web_search import WebSearch
from jarvis_desktop.core.tools.write_file import WriteFile
from jarvis_desktop.core.turn.schema_calls import ANSWER

AnyTool: TypeAlias = Tool[Any]
AllowList: TypeAlias = Callable[[AgentId], frozenset[str] | None]
"""Names of the tools that an agent may use; None for all."""

ErrandTools: TypeAlias = Callable[[AgentId, Errand | None], Sequence[AnyTool]]
"""Tools by which an agent asks others, as far as it may on this errand; None: a person asked it."""


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


def errand_tools(team: Team, delegates: Delegates) -> ErrandTools:
    """What ``team`` offers now: it is read anew at every turn (T-050, T-051)."""

    def tools(agent_id: AgentId, errand: Errand | None) -> tuple[AnyTool, ...]:
        others = delegates.open_to(agent_id, errand)
        if not others:
            return ()
        talkers = tuple(card for card in others if card.top_level)
        several = sum(card.top_level for card in team.agents()) > 1
        asking = (AskAgent(talkers, delegates),) if talkers and several else ()
        return (*asking, Orchestrate(others, delegates), *(agent_tool(card, delegates) for card in others))

    return tools


def no_errands(agent_id: AgentId, errand: Errand | None) -> tuple[AnyTool, ...]:
    """No agent asks another."""
    del agent_id, errand
    return ()


class ToolRegistry:
    """Tools by name."""

    def __init__(
        self,
        tools: Callable[[], Sequence[AnyTool]],
        allow_list: AllowList = everything,
        boundaries: BoundariesOf = unbounded,
        errands: ErrandTools = no_errands,
    ) -> None:
        """tools: asked every time, so a tool that appears counts from the next turn; later names win."""
        self._tools = tools
        self._errands = errands
        self._allow_list = allow_list
        self._boundaries = boundaries

    def find(
        self, name: str, agent_id: AgentId | None = None, errand: Errand | None = None
    ) -> AnyTool | None:
        """The tool of that name; those by which agents ask each other only for an agent."""
        return self._by_name(agent_id, errand).get(name)

    def permits(self, name: str, agent_id: AgentId, situation: Situation = Situation.CONVERSATION) -> bool:
        """The agent's allow-list has ``name``, and its boundaries leave it to a turn of this kind."""
        allowed = self._allow_list(agent_id)
        if allowed is not None and name not in allowed:
            return False
        return reach(name, self._boundaries(agent_id), situation).offered

    def offered(
        self,
        agent_id: AgentId,
        situation: Situation = Situation.CONVERSATION,
        errand: Errand | None = None,
    ) -> tuple[AnyTool, ...]:
        """The tools that this agent may use."""
        found = self._by_name(agent_id, errand)
        return tuple(tool for name, tool in found.items() if self.permits(name, agent_id, situation))

    def unknown(self, name: str, agent_id: AgentId, errand: Errand | None = None) -> str:
        """What the model reads after calling a tool that is not there."""
        names = [tool.name for tool in self.offered(agent_id, errand=errand)]
        close = difflib.get_close_matches(name, names, n=1)
        hint = f' Did you mean "{close[0]}"?' if close else ""
        return f'There is no tool called "{name[:60]}".{hint} The tools are: {", ".join(names)}.'

    def _by_name(self, agent_id: AgentId | None, errand: Errand | None) -> dict[str, AnyTool]:
        errands = () if agent_id is None else self._errands(agent_id, errand)
        found = {tool.name: tool for tool in (*errands, *self._tools())}
        if ANSWER in found:
            raise InvariantError(f'no tool may be called "{ANSWER}": schema-bound models speak through it')
        return found
