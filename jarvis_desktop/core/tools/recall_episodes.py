"""Tool ``recall_episodes``: what this agent was asked and did before."""

from typing import Literal

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.memory import RECALL_TOOL, Recall
from jarvis_desktop.core.items.turn import TurnEnd, TurnRequest
from jarvis_desktop.core.memory.recall_text import recalled
from jarvis_desktop.core.memory.recall_times import moment
from jarvis_desktop.core.ports import Memory
from jarvis_desktop.core.tool import SELDOM, Tool, ToolArguments, ToolOutput

NOTHING = "Nothing like that is remembered. Try other words or fewer conditions, or tell the person."


class RecallArguments(ToolArguments):
    """Conditions; all of them must hold."""

    text: str = Field("", max_length=500, description="Words that were said, without times.")
    since: str = Field("", max_length=40, description="2026-11-30, or how long ago: 12h, 2d, 3w, 1m.")
    until: str = Field("", max_length=40, json_schema_extra=SELDOM)
    tool: str = Field("", max_length=60, description="A tool that was used.", json_schema_extra=SELDOM)
    outcome: Literal["", "answered", "denied", "timed_out", "interrupted", "overflow", "failed"] = Field(
        "", json_schema_extra=SELDOM
    )
    limit: int = Field(5, ge=1, le=20, json_schema_extra=SELDOM)


class RecallEpisodes(Tool[RecallArguments]):
    """Finds earlier turns of the agent that asks; no other agent's (T-048)."""

    name = RECALL_TOOL
    description = (
        "Look up earlier conversations: what the person asked, what you did and answered. "
        "Use it when they refer to something from before."
    )
    arguments = RecallArguments
    read_only = True

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def run(self, arguments: RecallArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """The episodes, or what to try instead."""
        del allow
        now = request.asked_at
        try:
            since = moment(arguments.since, now, end=False) if arguments.since.strip() else None
            until = moment(arguments.until, now, end=True) if arguments.until.strip() else None
        except ValueError as error:
            return ToolOutput(f"since and until cannot be read: {error}.", ResultStatus.ERROR)
        wanted = Recall(
            text=arguments.text,
            since=since,
            until=until,
            tool=arguments.tool.strip(),
            outcome=TurnEnd(arguments.outcome) if arguments.outcome else None,
            agent_id=request.agent_id,
            limit=arguments.limit,
        )
        try:
            found = await self._memory.recall(wanted)
        except StorageError as error:
            return ToolOutput(f"What is remembered cannot be read: {error}", ResultStatus.ERROR)
        return ToolOutput(recalled(found, now.tzinfo) or NOTHING)
