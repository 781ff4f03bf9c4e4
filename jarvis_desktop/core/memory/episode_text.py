"""What an episode keeps of texts and arguments: head and tail, and short values (decision 26, T-097)."""

import json
from collections.abc import Iterable, Mapping, Sequence

from jarvis_desktop.core.items.calls import Json, ResultStatus, ToolCall
from jarvis_desktop.core.items.memory import KeptCall, KeptText
from jarvis_desktop.core.items.turn import Message, Role

REQUEST_CHARS = (600, 400)
"""Head and tail of the request: the tail often holds how the answer should look."""
REPLY_CHARS = (300, 700)
"""Head and tail of the reply: what came of it stands at the end."""
REPLAY_CHARS = (9_600, 6_400)
"""Head and tail of a failed turn's request, which is run again as it was: 16,000 characters."""
VALUE_CHARS = 200
MORE = "…"


def kept(text: str, chars: tuple[int, int]) -> KeptText:
    """``text``, or as many characters of its head and tail as ``chars`` says."""
    head, tail = chars
    return KeptText(text) if len(text) <= head + tail else KeptText(text[:head], text[-tail:])


def kept_calls(messages: Sequence[Message]) -> tuple[KeptCall, ...]:
    """The calls of a turn that succeeded, in order.

    messages: of the turn, without the results of calls that were only repeated and ran no second time.
    """
    good = {
        message.call_id
        for message in messages
        if message.role is Role.TOOL and message.status is ResultStatus.OK
    }
    return tuple(
        KeptCall(call.name, _short(call.arguments)) for call in _calls(messages) if call.call_id in good
    )


def first_tool(messages: Sequence[Message]) -> str:
    """The name of the first tool that was called, whatever came of it; empty when there was none."""
    return next((call.name for call in _calls(messages)), "")


def _calls(messages: Iterable[Message]) -> Iterable[ToolCall]:
    return (call for message in messages for call in message.calls)


def _short(arguments: Mapping[str, Json]) -> dict[str, Json]:
    return {name: _value(value) for name, value in arguments.items() if value is not None}


def _value(value: Json) -> Json:
    if isinstance(value, bool | int | float):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= VALUE_CHARS else text[: VALUE_CHARS - len(MORE)] + MORE
