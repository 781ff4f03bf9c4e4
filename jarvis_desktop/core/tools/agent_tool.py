"""Tools ``agent_<name>``: a task for one other agent."""

from pathlib import Path

from pydantic import Field

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.decisions import Allow, Shown
from jarvis_desktop.core.items.delegation import AGENT_TOOL, CallContext, Task
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Delegates, ToolSpec
from jarvis_desktop.core.tool import Preview, Tool, ToolArguments, ToolOutput


class AgentToolArguments(ToolArguments):
    """What to do."""

    task: str = Field(
        min_length=1, max_length=20_000, description="The whole task; the agent knows nothing else."
    )


class AgentTool(Tool[AgentToolArguments]):
    """Hands a task to one agent (T-051). ``agent_tool`` makes the class that has this agent's name."""

    name = AGENT_TOOL
    description = "Give another agent a task and get what came of it."
    arguments = AgentToolArguments

    def __init__(self, card: AgentCard, delegates: Delegates) -> None:
        self._card = card
        self._delegates = delegates

    @property
    def spec(self) -> ToolSpec:
        """Who it is, so that a model knows what for."""
        whole = f"Give {self._card.name} a task and get what came of it. {self._card.purpose}".rstrip()
        return ToolSpec(self.name, whole, self.arguments.model_json_schema())

    async def preview(self, arguments: AgentToolArguments, cwd: Path) -> Preview:
        """Who is to do what."""
        del cwd
        return Preview(Shown.TEXT, f"{self._card.name}: {arguments.task}")

    async def run(self, arguments: AgentToolArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """What came of it, when nothing was read before."""
        return await self.run_within(arguments, allow, request, CallContext(CallId("")))

    async def run_within(
        self, arguments: AgentToolArguments, allow: Allow, request: TurnRequest, context: CallContext
    ) -> ToolOutput:
        """What came of it."""
        del allow
        task = Task(self._card.agent_id, arguments.task)
        found = await self._delegates.run((task,), request, context)
        return ToolOutput(found.text, found.status, found.final)


def agent_tool(card: AgentCard, delegates: Delegates) -> AgentTool:
    """The tool that reaches this agent; a tool's name is its class's."""
    named = type(AgentTool.__name__, (AgentTool,), {"name": AGENT_TOOL + card.agent_id})
    made = named(card, delegates)
    assert isinstance(made, AgentTool)
    return made
