"""What people are told while one agent works for another: one sub-activity under the person's own turn."""

from jarvis_desktop.core.items.delegation import DelegateEnded, DelegateStarted, DelegateUsedTool
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    Event,
    ModelWaiting,
    ReplyDelta,
    ReplyReplaced,
    ToolCalled,
    ToolFinished,
    TurnEnded,
)
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.turn import Errand, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import Clock, Emit, Texts

TASK_CHARS = 120
"""Of a task in an activity line."""


class DelegationTelling:
    """Fills ``Emit`` for all turns; of those that an agent asked for it tells other events.

    Whoever follows the person's turn, like the mouth, never takes a delegate's words for its answer.
    """

    def __init__(self, emit: Emit, clock: Clock, texts: Texts) -> None:
        self._emit = emit
        self._clock = clock
        self._texts = texts
        self._errands: dict[TurnId, tuple[TurnRequest, Errand, float]] = {}
        """Those that are going on, and when they began."""

    async def begin(self, request: TurnRequest, errand: Errand) -> None:
        """From now on what is told of this turn belongs to the person's own."""
        self._errands[request.turn_id] = (request, errand, self._clock.monotonic_s())
        name, asker = request.agent.name, errand.asker.name
        await self._emit(DelegateStarted(errand.root_id, request.turn_id, name, asker, errand.task))
        task = " ".join(errand.task.split())
        task = task if len(task) <= TASK_CHARS else task[: TASK_CHARS - 1] + "…"
        line = self._texts("→ {asker} asks {agent}: {task}").format(asker=asker, agent=name, task=task)
        await self._emit(ActivityNoted(ActivityKind.TURN, line, self._clock.now(), errand.root_id))

    def over(self, turn_id: TurnId) -> None:
        """Nothing more comes of this turn."""
        self._errands.pop(turn_id, None)

    async def emit(self, event: Event) -> None:
        """Tell ``event``, or what people hear in its place."""
        told = self._told(event)
        if told is not None:
            await self._emit(told)
        if isinstance(told, DelegateEnded):
            await self._emit(
                ActivityNoted(ActivityKind.TURN, self._line(told), self._clock.now(), told.turn_id)
            )

    def _told(self, event: Event) -> Event | None:
        match event:
            case ReplyDelta(turn_id) | ReplyReplaced(turn_id) if turn_id in self._errands:
                return None
            case ModelWaiting(turn_id, waited_s) if turn_id in self._errands:
                return ModelWaiting(self._root(turn_id), waited_s)
            case ToolCalled(turn_id, call) if turn_id in self._errands:
                return DelegateUsedTool(self._root(turn_id), turn_id, call)
            case ToolFinished(turn_id, call, result, took_s) if turn_id in self._errands:
                return DelegateUsedTool(self._root(turn_id), turn_id, call, result, took_s)
            case TurnEnded(turn_id=turn_id) if turn_id in self._errands:
                took_s = self._clock.monotonic_s() - self._errands[turn_id][2]
                return DelegateEnded(self._root(turn_id), turn_id, event.end, event.text, took_s)
            case _:
                return event

    def _root(self, turn_id: TurnId) -> TurnId:
        return self._errands[turn_id][1].root_id

    def _line(self, ended: DelegateEnded) -> str:
        texts, (request, _, _) = self._texts, self._errands[ended.delegate_id]
        line = {
            TurnEnd.ANSWERED: texts("← {agent} has answered"),
            TurnEnd.DENIED: texts("← {agent} was refused something and stopped"),
            TurnEnd.TIMED_OUT: texts("← {agent} got no answer in time and stopped"),
            TurnEnd.INTERRUPTED: texts("← {agent} was interrupted"),
            TurnEnd.OVERFLOW: texts("← {agent} stopped after too many steps"),
            TurnEnd.FAILED: texts("← {agent} failed"),
        }[ended.end]
        return line.format(agent=request.agent.name)
