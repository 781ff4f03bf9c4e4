"""Tool ``ask_agent``: one question to another agent."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.decisions import Allow, Shown
from jarvis_desktop.core.items.delegation import CallContext, Task, naming
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Delegates, ToolSpec
from jarvis_desktop.core.tool import Preview, Tool, ToolArguments, ToolOutput


class AskAgentArguments(ToolArguments):
    """Whom to ask what."""

    agent: str = Field(min_length=1, max_length=200, description="Name of the agent.")
    question: str = Field(
        min_length=1, max_length=20_000, description="The whole question; the agent knows nothing else."
    )


class AskAgent(Tool[AskAgentArguments]):
    """Asks one of the agents that people talk with (T-050)."""

    name = "ask_agent"
    description = "Ask another agent one question and get its answer. Use it when the person names an agent."
    arguments = AskAgentArguments

    def __init__(self, agents: Sequence[AgentCard], delegates: Delegates) -> None:
        """agents: those that may be asked."""
        self._agents = tuple(agents)
        self._delegates = delegates

    @property
    def spec(self) -> ToolSpec:
        """With the names of those that may be asked as the only choices."""
        return ToolSpec(self.name, self.description, naming(self.arguments.model_json_schema(), self._agents))

    async def preview(self, arguments: AskAgentArguments, cwd: Path) -> Preview:
        """Who is asked what."""
        del cwd
        return Preview(Shown.TEXT, f"{arguments.agent}: {arguments.question}")

    async def run(self, arguments: AskAgentArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """The answer, when nothing was read before."""
        return await self.run_within(arguments, allow, request, CallContext(CallId("")))

    async def run_within(
        self, arguments: AskAgentArguments, allow: Allow, request: TurnRequest, context: CallContext
    ) -> ToolOutput:
        """The answer, or why there is none."""
        del allow
        task = Task(arguments.agent, arguments.question)
        found = await self._delegates.run((task,), request, context)
        return ToolOutput(found.text, found.status, found.final)
