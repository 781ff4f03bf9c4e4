"""Other agents, as far as a tool may send them on an errand."""

from collections.abc import Sequence
from typing import Protocol

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.delegation import Answers, CallContext, Task
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.turn import Errand, TurnRequest


class Delegates(Protocol):
    """Runs the turns of agents that another agent asked."""

    def open_to(self, agent_id: AgentId, errand: Errand | None) -> tuple[AgentCard, ...]:
        """Whom this agent may ask now, on this errand; nobody where errands have gone deep enough."""

    async def run(self, tasks: Sequence[Task], request: TurnRequest, context: CallContext) -> Answers:
        """All of ``tasks`` done, those that wait for no other side by side; cancelling it ends them all.

        Never raises for what goes wrong in an agent's turn: it stands in the answers.
        """
