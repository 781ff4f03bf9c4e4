"""Messages as a plugin reads them, and what it may make of them: nothing that never happened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.errors import PluginFailedError
from jarvis_desktop.core.items.hooks import HookTrouble
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import TurnContext

MAX_LONGER_CHARS = 4_000
"""By which a plugin may lengthen all messages together: about a quarter of a small model's context."""
_KEYS = frozenset({"number", "role", "content", "calls", "tool", "status"})
_NEW = (Role.USER, Role.ASSISTANT)


def nonsense(what: str) -> PluginFailedError:
    """What a hook returned that it cannot mean."""
    return PluginFailedError(HookTrouble.NONSENSE, what)


def whole(text: str) -> str:
    """``text``, which database and model can take.

    Raises:
        PluginFailedError: half a character is in it, as JSON allows and Unicode does not.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise nonsense("a text with half a character in it") from None
    return text


@dataclass(frozen=True, slots=True)
class Edited:
    """What a plugin made of a context, and how much it changed."""

    context: TurnContext
    messages: int
    """Changed, added and left out."""
    chars: int
    """By which all messages together became longer; negative when shorter."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One message that came back."""

    message: Message
    number: int | None
    """Its place in what the plugin was given; None for one that is new."""


def as_payload(context: TurnContext) -> list[Json]:
    """All messages, oldest first, as JSON values."""
    return [_payload(number, message) for number, message in enumerate(context.messages)]


def edited(returned: Json, context: TurnContext) -> Edited:
    """``context`` as a plugin wants it.

    Raises:
        PluginFailedError: it may not be so; the text says why.
    """
    if not isinstance(returned, list):
        raise nonsense(f"expected a list of messages or None, got {type(returned).__name__}")
    given = context.messages
    lines = [_line(one, place, given) for place, one in enumerate(returned)]
    numbers = [line.number for line in lines if line.number is not None]
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise nonsense("messages were put into another order, or one of them came twice")
    _check_steps([line.number for line in lines], given)
    request_at = len(context.past)
    if request_at not in numbers:
        raise nonsense(f"the request, message number {request_at}, was left out")
    return _compared(lines, context)


def _payload(number: int, message: Message) -> Json:
    value: dict[str, Json] = {"number": number, "role": message.role.value, "content": message.text}
    if message.calls:
        value["calls"] = [{"tool": one.name, "arguments": dict(one.arguments)} for one in message.calls]
    if message.role is Role.TOOL:
        value |= {"tool": message.tool_name, "status": message.status.value}
    return value


def _line(value: Json, place: int, given: Sequence[Message]) -> _Line:
    if not isinstance(value, Mapping) or not isinstance(value.get("content"), str):
        raise nonsense(f"message {place} is not a dict with a text as its content")
    unknown = sorted(str(key) for key in value if key not in _KEYS)
    if unknown:
        raise nonsense(f"message {place} has the unknown key {unknown[0]}")
    number = value.get("number")
    if number is None:
        return _Line(_new(value, place), None)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(given):
        raise nonsense(f"message {place} has a number that no message has")
    before = _payload(number, given[number])
    assert isinstance(before, dict)
    if any(value.get(key, before.get(key)) != before.get(key) for key in _KEYS - {"content"}):
        raise nonsense(f"of message number {number} something else than its content was changed")
    return _Line(replace(given[number], text=whole(str(value["content"]))), number)


def _new(value: Mapping[str, Json], place: int) -> Message:
    role = str(value.get("role"))
    if role not in _NEW or value.keys() & {"calls", "tool", "status"}:
        raise nonsense(
            f"message {place} is new and is no plain one of user or assistant: "
            "a call or a result that never happened cannot be added"
        )
    return Message(Role(role), whole(str(value["content"])))


def _check_steps(kept: Sequence[int | None], given: Sequence[Message]) -> None:
    """Calls stand with all their results right behind them, or none of them is there."""
    for first, message in enumerate(given):
        if not message.calls:
            continue
        results = takewhile(lambda number: given[number].role is Role.TOOL, range(first + 1, len(given)))
        step = [first, *results]
        there = [number for number in step if number in kept]
        if there and (there != step or kept[kept.index(first) :][: len(step)] != step):
            raise nonsense(f"the calls of message number {first} were parted from their results")


def _compared(lines: Sequence[_Line], context: TurnContext) -> Edited:
    given = context.messages
    left_out = len(given) - sum(line.number is not None for line in lines)
    other = sum(line.number is None or line.message.text != given[line.number].text for line in lines)
    longer = sum(len(line.message.text) for line in lines) - sum(len(one.text) for one in given)
    if longer > MAX_LONGER_CHARS:
        raise nonsense(f"the messages became {longer} characters longer; {MAX_LONGER_CHARS} is the most")
    border = next(place for place, line in enumerate(lines) if line.number == len(context.past))
    messages = tuple(line.message for line in lines)
    return Edited(TurnContext(messages[:border], messages[border:]), left_out + other, longer)
