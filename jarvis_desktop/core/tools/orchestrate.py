"""Tool ``orchestrate``: a task in parts, each done by an agent, their answers together."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.decisions import Allow, Shown
from jarvis_desktop.core.items.delegation import MAX_TASKS, CallContext, Task, naming
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Delegates, ToolSpec
from jarvis_desktop.core.tool import Preview, Tool, ToolArguments, ToolOutput


def _several(given: object) -> object:
    """Models write one number where a list has one."""
    if given is None:
        return ()
    return given if isinstance(given, list | tuple) else (given,)


class Part(ToolArguments):
    """What one agent does."""

    agent: str = Field(min_length=1, max_length=200, description="Name of the agent.")
    task: str = Field(
        min_length=1, max_length=20_000, description="The whole task; the agent knows nothing else."
    )
    after: Annotated[tuple[int, ...], BeforeValidator(_several)] = Field(
        (),
        max_length=MAX_TASKS,
        description="Numbers of earlier tasks (the first is 1) whose answers this one needs.",
    )


class OrchestrateArguments(ToolArguments):
    """The parts."""

    tasks: tuple[Part, ...] = Field(min_length=1, max_length=MAX_TASKS, description="The parts of the task.")

    @model_validator(mode="after")
    def _earlier_ones_only(self) -> "OrchestrateArguments":
        for number, part in enumerate(self.tasks, start=1):
            for one in part.after:
                if not 0 < one < number:
                    raise ValueError(
                        f"task {number} cannot wait for task {one}: after takes the numbers of tasks that "
                        "stand before it in the list, the first is 1"
                    )
        return self


class Orchestrate(Tool[OrchestrateArguments]):
    """Has several agents work on one task (T-051)."""

    name = "orchestrate"
    description = (
        "Split a task into parts for several agents and get all their answers. A part that needs the answer "
        "of an earlier one names its number in after."
    )
    arguments = OrchestrateArguments

    def __init__(self, agents: Sequence[AgentCard], delegates: Delegates) -> None:
        """agents: those that may be asked."""
        self._agents = tuple(agents)
        self._delegates = delegates

    @property
    def spec(self) -> ToolSpec:
        """With the names of those that may be asked as the only choices."""
        return ToolSpec(self.name, self.description, naming(self.arguments.model_json_schema(), self._agents))

    async def preview(self, arguments: OrchestrateArguments, cwd: Path) -> Preview:
        """Who is to do what, a line each."""
        del cwd
        lines = (f"{number}. {part.agent}: {part.task}" for number, part in enumerate(arguments.tasks, 1))
        return Preview(Shown.TEXT, "\n".join(lines))

    async def run(self, arguments: OrchestrateArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """All answers, when nothing was read before."""
        return await self.run_within(arguments, allow, request, CallContext(CallId("")))

    async def run_within(
        self, arguments: OrchestrateArguments, allow: Allow, request: TurnRequest, context: CallContext
    ) -> ToolOutput:
        """All answers, each under its agent's name."""
        del allow
        tasks = [
            Task(part.agent, part.task, tuple(dict.fromkeys(one - 1 for one in part.after)))
            for part in arguments.tasks
        ]
        found = await self._delegates.run(tasks, request, context)
        return ToolOutput(found.text, found.status, found.final)
