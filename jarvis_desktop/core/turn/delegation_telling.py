"""What people are told while one agent works for another: one sub-activity under the person's own turn."""

from dataclasses import dataclass, field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.delegation import DelegateEnded, DelegateStarted, DelegateUsedTool
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    Event,
    ModelWaiting,
    ReplyDelta,
    ReplyMayChange,
    ReplyReplaced,
    ToolCalled,
    ToolFinished,
    TurnEnded,
)
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.turn import Errand, StoredDelegate, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import Clock, Emit, Texts

TASK_CHARS = 120
"""Of a task in an activity line."""


@dataclass(slots=True)
class _Going:
    """An errand that is going on."""

    request: TurnRequest
    errand: Errand
    began_s: float
    tools: list[tuple[str, ResultStatus]] = field(default_factory=list)

    def ended(self, event: TurnEnded, now_s: float) -> DelegateEnded:
        """Its end, with all that was seen of it."""
        done = StoredDelegate(
            self.request.agent.name,
            self.errand.asker.name,
            self.errand.task,
            tuple(self.tools),
            event.end,
            event.text,
        )
        return DelegateEnded(self.errand.root_id, self.request.turn_id, done, now_s - self.began_s)


class DelegationTelling:
    """Fills ``Emit`` for all turns; of those that an agent asked for it tells other events.

    Whoever follows the person's turn, like the mouth, never takes a delegate's words for its answer.
    """

    def __init__(self, emit: Emit, clock: Clock, texts: Texts) -> None:
        self._emit = emit
        self._clock = clock
        self._texts = texts
        self._going: dict[TurnId, _Going] = {}

    async def begin(self, request: TurnRequest, errand: Errand) -> None:
        """From now on what is told of this turn belongs to the person's own."""
        self._going[request.turn_id] = _Going(request, errand, self._clock.monotonic_s())
        name, asker = request.agent.name, errand.asker.name
        await self._emit(DelegateStarted(errand.root_id, request.turn_id, name, asker, errand.task))
        task = " ".join(errand.task.split())
        task = task if len(task) <= TASK_CHARS else task[: TASK_CHARS - 1] + "…"
        line = self._texts("→ {asker} asks {agent}: {task}").format(asker=asker, agent=name, task=task)
        await self._emit(ActivityNoted(ActivityKind.TURN, line, self._clock.now(), errand.root_id))

    def over(self, turn_id: TurnId) -> None:
        """Nothing more comes of this turn."""
        self._going.pop(turn_id, None)

    async def emit(self, event: Event) -> None:
        """Tell ``event``, or what people hear in its place."""
        turn_id = getattr(event, "turn_id", None)
        going = None if turn_id is None else self._going.get(turn_id)
        if going is None:
            await self._emit(event)
            return
        told = self._told(event, going)
        if told is not None:
            await self._emit(told)
        if isinstance(told, DelegateEnded):
            line = self._line(told.done)
            await self._emit(ActivityNoted(ActivityKind.TURN, line, self._clock.now(), told.turn_id))

    def _told(self, event: Event, going: _Going) -> Event | None:
        root_id = going.errand.root_id
        match event:
            case ReplyDelta() | ReplyReplaced() | ReplyMayChange():
                return None
            case ModelWaiting(_, waited_s):
                return ModelWaiting(root_id, waited_s)
            case ToolCalled(turn_id, call):
                return DelegateUsedTool(root_id, turn_id, call)
            case ToolFinished(turn_id, call, result, took_s):
                going.tools.append((call.in_short, result.status))
                return DelegateUsedTool(root_id, turn_id, call, result, took_s)
            case TurnEnded():
                return going.ended(event, self._clock.monotonic_s())
            case _:
                return event

    def _line(self, done: StoredDelegate) -> str:
        texts = self._texts
        line = {
            TurnEnd.ANSWERED: texts("← {agent} has answered"),
            TurnEnd.DENIED: texts("← {agent} was refused something and stopped"),
            TurnEnd.TIMED_OUT: texts("← {agent} got no answer in time and stopped"),
            TurnEnd.INTERRUPTED: texts("← {agent} was interrupted"),
            TurnEnd.OVERFLOW: texts("← {agent} stopped after too many steps"),
            TurnEnd.FAILED: texts("← {agent} failed"),
        }[done.end]
        return line.format(agent=done.name)
