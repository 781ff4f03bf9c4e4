"""Offers to keep a request as a goal that was meant for good and that the model only answered."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from jarvis_desktop.core.goals import life
from jarvis_desktop.core.goals.naming import MOST_CHARS, goal_id, one_line
from jarvis_desktop.core.goals.suggesting import worth_offering
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.events import Event, ToolFinished, TurnEnded, TurnStarted
from jarvis_desktop.core.items.goals import GOAL_TOOL, Goal, GoalId, GoalSuggested
from jarvis_desktop.core.items.ids import AgentId, TurnId
from jarvis_desktop.core.items.schedule import SCHEDULE_TOOL
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.ports import Emit

_TAKES_ON = frozenset({GOAL_TOOL, SCHEDULE_TOOL})
_PEOPLE = frozenset({Origin.TYPED, Origin.SPOKEN, Origin.COMMAND_LINE})
_ENDS = frozenset({TurnEnd.ANSWERED, TurnEnd.OVERFLOW})
"""After a refusal, a stop or a failure nobody wants to hear of more."""


@dataclass(frozen=True, slots=True)
class _Asked:
    agent_id: AgentId
    sentence: str


class GoalSuggestions:
    """Follows the turns of people; says nothing where a goal came of one, or stands already."""

    def __init__(
        self,
        can_keep: Callable[[AgentCard], bool],
        find: Callable[[GoalId], Awaitable[Goal | None]],
        emit: Emit,
    ) -> None:
        """can_keep: that agent has the goal tool now."""
        self._can_keep, self._find, self._emit = can_keep, find, emit
        self._asked: dict[TurnId, _Asked] = {}
        """Requests that are being worked on and sound meant for good."""
        self._offering: set[asyncio.Task[None]] = set()

    def on_event(self, event: Event) -> None:
        """Notice what was asked, what was done about it, and the end."""
        match event:
            case TurnStarted(expansion="", card=card) if card is not None and event.origin in _PEOPLE:
                sentence = one_line(event.text)
                if len(sentence) <= MOST_CHARS and worth_offering(sentence) and self._can_keep(card):
                    self._asked[event.turn_id] = _Asked(card.agent_id, sentence)
            case ToolFinished(turn_id, call, result) if call.name in _TAKES_ON:
                # What a person refused is not offered once more.
                if result.status is not ResultStatus.ERROR:
                    self._asked.pop(turn_id, None)
            case TurnEnded():
                asked = self._asked.pop(event.turn_id, None)
                if asked is not None and event.end in _ENDS:
                    task = asyncio.ensure_future(self._offer(event, asked))
                    self._offering.add(task)
                    task.add_done_callback(self._offering.discard)
            case _:
                pass

    async def _offer(self, ended: TurnEnded, asked: _Asked) -> None:
        known = await self._find(goal_id(asked.agent_id, asked.sentence))
        if known is None or not life.is_open(known):
            await self._emit(GoalSuggested(ended.turn_id, ended.session_id, asked.agent_id, asked.sentence))

    async def close(self) -> None:
        """Nothing of it runs."""
        for task in self._offering:
            task.cancel()
        await asyncio.gather(*self._offering, return_exceptions=True)
