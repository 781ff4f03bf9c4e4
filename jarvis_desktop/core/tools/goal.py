"""Tool ``goal``: the agent takes on work that goes on, and says so."""

from pydantic import Field

from jarvis_desktop.core.goals.naming import MOST_CHARS, one_line
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.goals import GOAL_TOOL, Goal, GoalGiven
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import Emit, Texts
from jarvis_desktop.core.ports.goals import GoalShelf
from jarvis_desktop.core.scheduler.when_words import cron_text
from jarvis_desktop.core.tool import Tool, ToolArguments, ToolOutput


class GoalArguments(ToolArguments):
    """What is taken on."""

    goal: str = Field(
        min_length=1,
        max_length=MOST_CHARS,
        description="What to look after and when to tell them, in the person's own words.",
    )


class GoalTool(Tool[GoalArguments]):
    """Gives the agent of the turn a goal, and reads it back with the way to undo it (decision 16)."""

    name = GOAL_TOOL
    description = (
        "Take on something the person wants looked after from now on, such as telling them when something "
        "new comes up. You then check by yourself at set times. Not for what is asked once."
    )
    arguments = GoalArguments

    def __init__(self, shelf: GoalShelf, texts: Texts, emit: Emit) -> None:
        self._shelf, self._texts, self._emit = shelf, texts, emit

    async def run(self, arguments: GoalArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """What is looked after from now on, and how it is taken back."""
        del allow
        try:
            goal, new = await self._shelf.give(request.agent_id, one_line(arguments.goal))
        except UserFixableError as error:
            return ToolOutput(f"The goal was not taken on: {error}", ResultStatus.ERROR)
        self._shelf.begin(goal.goal_id)
        if new:
            await self._emit(GoalGiven(goal))
        return ToolOutput(self._read_back(goal, new=new), final=True)

    def _read_back(self, goal: Goal, *, new: bool) -> str:
        text = self._words(new=new)
        return text.format(goal=goal.sentence, times=cron_text(goal.cron, self._texts), id=goal.goal_id)

    def _words(self, *, new: bool) -> str:
        texts = self._texts
        if not new:
            return texts(
                "I am looking after this already: “{goal}”. I look {times}. To end it, type /goal stop {id}."
            )
        if self._shelf.looks_now:
            return texts(
                "I will look after this: “{goal}”. I look now, and then {times}; you hear of it when there "
                "is something new. To take it back, type /goal stop {id}."
            )
        return texts(
            "I will look after this: “{goal}”. I look as soon as Jarvis runs, and then {times}; you hear of "
            "it when there is something new. To take it back, type /goal stop {id}."
        )
