"""Which tools exist and which of them an agent may use; read anew in every turn."""

import difflib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.errors import InvariantError
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.turn import Errand, Situation
from jarvis_desktop.core.policy.roles import ASKED_IN_GOALS, Reach, reach
from jarvis_desktop.core.ports import Delegates, Emit, Files, Jobs, Memory, Shell, Team, Texts, Web
from jarvis_desktop.core.ports.goals import GoalShelf
from jarvis_desktop.core.scheduler.due import ZoneOf
from jarvis_desktop.core.tool import Tool
from jarvis_desktop.core.tools.agent_tool import agent_tool
from jarvis_desktop.core.tools.ask_agent import AskAgent
from jarvis_desktop.core.tools.bash import Bash
from jarvis_desktop.core.tools.edit_file import EditFile
from jarvis_desktop.core.tools.glob import Glob
from jarvis_desktop.core.tools.goal import GoalTool
from jarvis_desktop.core.tools.grep import Grep
from jarvis_desktop.core.tools.list_dir import ListDir
from jarvis_desktop.core.tools.orchestrate import Orchestrate
from jarvis_desktop.core.tools.read_file import ReadFile
from jarvis_desktop.core.tools.recall_episodes import RecallEpisodes
from jarvis_desktop.core.tools.remember_task_pattern import RememberTaskPattern
from jarvis_desktop.core.tools.schedule import Schedule
from jarvis_desktop.core.tools.web_fetch import WebFetch
from jarvis_desktop.core.tools.web_search import WebSearch
from jarvis_desktop.core.tools.write_file import WriteFile
from jarvis_desktop.core.turn.schema_calls import ANSWER

AnyTool: TypeAlias = Tool[Any]
ErrandTools: TypeAlias = Callable[[AgentId, Errand | None], Sequence[AnyTool]]
"""Tools by which an agent asks others, as far as it may on this errand; None: a person asked it."""


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


def memory_tools(memory: Memory, texts: Texts, emit: Emit) -> tuple[AnyTool, ...]:
    """The tools by which an agent reaches what it remembers (T-048)."""
    return (RecallEpisodes(memory), RememberTaskPattern(memory, texts, emit))


def goal_tools(shelf: GoalShelf, texts: Texts, emit: Emit) -> tuple[AnyTool, ...]:
    """The tool by which an agent takes on what goes on (G-021)."""
    return (GoalTool(shelf, texts, emit),)


def schedule_tools(jobs: Jobs, zone: ZoneOf, texts: Texts, emit: Emit) -> tuple[AnyTool, ...]:
    """The tool by which an agent has something done later (T-049)."""
    return (Schedule(jobs, zone, texts, emit),)


def tool_names(tools: Sequence[AnyTool]) -> frozenset[str]:
    """Every name that an agent's file may list, besides ``agent_<id>`` for each other agent."""
    return frozenset({*(tool.name for tool in tools), AskAgent.name, Orchestrate.name, *ASKED_IN_GOALS})


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
        errands: ErrandTools = no_errands,
    ) -> None:
        """tools: asked every time, so a tool that appears counts from the next turn; later names win."""
        self._tools = tools
        self._errands = errands

    def find(
        self, name: str, agent_id: AgentId | None = None, errand: Errand | None = None
    ) -> AnyTool | None:
        """The tool of that name; those by which agents ask each other only for an agent."""
        return self._by_name(agent_id, errand).get(name)

    def permits(self, name: str, agent: AgentCard, situation: Situation = Situation.CONVERSATION) -> bool:
        """The agent's list has ``name``, and its boundaries leave it to a turn of this kind."""
        return agent.may_use(name) and reach(name, agent.boundaries, situation).offered

    def offered(
        self,
        agent: AgentCard,
        situation: Situation = Situation.CONVERSATION,
        errand: Errand | None = None,
    ) -> tuple[AnyTool, ...]:
        """The tools that this agent may use."""
        found = self._by_name(agent.agent_id, errand)
        return tuple(tool for name, tool in found.items() if self.permits(name, agent, situation))

    def asked_first(
        self, agent: AgentCard, situation: Situation, errand: Errand | None = None
    ) -> tuple[str, ...]:
        """What the agent has to ask a person about before a turn of this kind may do it."""
        names = (*self._by_name(agent.agent_id, errand), *ASKED_IN_GOALS)
        asked = [name for name in names if reach(name, agent.boundaries, situation) is Reach.ASK_FIRST]
        return tuple(dict.fromkeys(name for name in asked if name in ASKED_IN_GOALS or agent.may_use(name)))

    def unknown(
        self,
        name: str,
        agent: AgentCard,
        situation: Situation = Situation.CONVERSATION,
        errand: Errand | None = None,
    ) -> str:
        """What the model reads after calling a tool that is not there; it hears of no other hidden one."""
        names = [tool.name for tool in self.offered(agent, situation, errand)]
        close = difflib.get_close_matches(name, names, n=1)
        hint = f' Did you mean "{close[0]}"?' if close else ""
        return f'There is no tool called "{name[:60]}".{hint} The tools are: {", ".join(names)}.'

    def _by_name(self, agent_id: AgentId | None, errand: Errand | None) -> dict[str, AnyTool]:
        errands = () if agent_id is None else self._errands(agent_id, errand)
        found = {tool.name: tool for tool in self._tools()}
        # Behind the others, where a small model does not take them for the usual way.
        found |= {tool.name: tool for tool in errands if tool.name not in found}
        if ANSWER in found:
            raise InvariantError(f'no tool may be called "{ANSWER}": schema-bound models speak through it')
        return found
