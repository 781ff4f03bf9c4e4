"""Finds calls that ask for what the step before has just told: small models do that instead of answering."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from jarvis_desktop.core.items.calls import ToolCall, ToolResult
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.turn import Message, Role

HAVE_IT = (
    "You have the result of this very call already, it stands above. Answer the person's request with it now."
)
"""What the model reads instead of the same result again, which may be long."""


def known_results(
    calls: Sequence[ToolCall],
    messages: Sequence[Message],
    results: Sequence[ToolResult],
    only_reads: Callable[[str], bool],
) -> dict[CallId, ToolResult]:
    """Those of ``calls`` that the step just before has made too, with what they came to.

    Nothing is known where a call of either step may change something.

    messages: of this turn so far.
    results: of the calls in the newest message of the model, in their order.
    only_reads: whether calling the tool of that name twice changes nothing.
    """
    last = next((one.calls for one in reversed(messages) if one.role is Role.ASSISTANT), ())
    if not all(only_reads(one.name) for one in (*last, *calls)):
        return {}
    return {
        call.call_id: replace(result, call_id=call.call_id)
        for call in calls
        for one, result in zip(last, results, strict=False)
        if (one.name, one.arguments) == (call.name, call.arguments) and not result.refused
    }
