"""Tool calls of a goal's turn: those of the last turn made again, and what a turn's calls came to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from jarvis_desktop.core.goals.answer import tool_items
from jarvis_desktop.core.items.calls import ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.goals import GoalCall, GoalItem, PastCall
from jarvis_desktop.core.items.ids import CallId, fresh_id
from jarvis_desktop.core.items.turn import Message, Role, TurnRequest
from jarvis_desktop.core.turn.repeats import HAVE_IT
from jarvis_desktop.core.turn.tool_runner import ToolRunner

MOST_AHEAD = 10
"""A turn that called more is not called ahead: asking the model costs less than that."""

LISTS_NAMES = frozenset({"list_dir", "glob", "grep", "read_file"})
"""Whoever names a file, or writes into one, must not speak to the person through these."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """Calls that were made before the model was asked."""

    made: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]

    @property
    def calls(self) -> tuple[GoalCall, ...]:
        """As a report has them."""
        pairs = zip(self.made, self.results, strict=True)
        return tuple(
            GoalCall(PastCall(one.name, one.arguments), did.status, ahead=True) for one, did in pairs
        )

    @property
    def messages(self) -> tuple[Message, ...]:
        """One step, as if the model had asked for it."""
        answers = (
            Message(Role.TOOL, one.text, call_id=one.call_id, tool_name=one.name, status=one.status)
            for one in self.results
        )
        return (Message(Role.ASSISTANT, "", self.made), *answers)


@dataclass(frozen=True, slots=True)
class Made:
    """The calls of a whole turn, and what they came to."""

    calls: tuple[GoalCall, ...] = ()
    again: tuple[PastCall, ...] = ()
    """Each once, for the next turn."""
    results: tuple[ToolResult, ...] = ()
    """Of ``again``."""
    items: tuple[GoalItem, ...] = field(default=())
    """What the tools want to be told."""


async def called_ahead(calls: Sequence[PastCall], request: TurnRequest, runner: ToolRunner) -> Ahead | None:
    """What ``calls`` come to now; None where there are none, or one may change something or is not usable.

    The runner decides about each as about every call (decision 21, Z-10).
    """
    usable = {spec.name for spec in runner.offer(request.agent, request.situation).specs}
    if not calls or any(one.name not in usable or not runner.only_reads(one.name) for one in calls):
        return None
    made = tuple(ToolCall(CallId(fresh_id()), one.name, one.arguments) for one in calls)
    results = [await runner.run(call, request) for call in made]
    return Ahead(made, tuple(results))


def items_of(result: ToolResult) -> tuple[GoalItem, ...]:
    """What it wants to be told; a failing source is an error, never news."""
    makes = result.status is ResultStatus.OK and result.name not in LISTS_NAMES
    return tool_items(result.text) if makes else ()


def made_in(messages: Sequence[Message], ahead: Ahead | None) -> Made:
    """The calls in the messages of a turn.

    ahead: those of them that were made before the model was asked.
    """
    first = {call.call_id for call in ahead.made} if ahead is not None else set()
    asked = {call.call_id: call for message in messages for call in message.calls}
    calls: list[GoalCall] = []
    found: dict[str, tuple[PastCall, ToolResult]] = {}
    items: dict[str, GoalItem] = {}
    for message in messages:
        call = asked.get(message.call_id) if message.role is Role.TOOL and message.call_id else None
        if call is None or message.text == HAVE_IT:
            continue
        past = PastCall(call.name, call.arguments)
        calls.append(GoalCall(past, message.status, ahead=call.call_id in first))
        result = ToolResult(call.call_id, call.name, message.text, message.status)
        found[repr((call.name, sorted(call.arguments.items())))] = (past, result)
        for item in items_of(result):
            items[item.key] = item
    last = tuple(found.values()) if len(found) <= MOST_AHEAD else ()
    return Made(
        tuple(calls),
        tuple(past for past, _ in last),
        tuple(result for _, result in last),
        tuple(items.values()),
    )
