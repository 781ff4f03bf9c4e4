"""Makes messages fit the model's context without breaking a call from its result."""

import math
from collections.abc import Sequence
from dataclasses import replace

from jarvis_desktop.core.items.turn import Message, Role

CHARS_PER_TOKEN = 3.0
"""English prose has about four; code and JSON about three."""
CHARS_PER_TOKEN_OTHER = 1.5
"""Korean and everything else beyond ASCII."""
MESSAGE_TOKENS = 8
"""Role and separators around each message."""
DROP_TURNS = 4
"""Old turns go in such blocks: dropping one per turn would move the beginning of the prompt
each time, and the server would read all of it again."""
LEAST_RESULT_TOKENS = 200
CLIPPED = "\n[… the middle was left out …]\n"


def text_tokens(text: str) -> int:
    """Tokens of ``text``, estimated on the high side."""
    other = sum(1 for char in text if ord(char) > 127)
    return math.ceil((len(text) - other) / CHARS_PER_TOKEN + other / CHARS_PER_TOKEN_OTHER)


def message_tokens(message: Message) -> int:
    """Tokens of one message with everything around it."""
    calls = "".join(f"{call.name}{dict(call.arguments)}" for call in message.calls)
    return MESSAGE_TOKENS + text_tokens(message.text) + text_tokens(calls)


def total_tokens(messages: Sequence[Message]) -> int:
    """Tokens of all messages."""
    return sum(message_tokens(message) for message in messages)


def fitted(past: Sequence[Message], now: Sequence[Message], budget_tokens: int) -> tuple[Message, ...]:
    """As much of ``past`` as fits, whole turns only, and all of ``now``.

    past: complete turns, oldest first.
    now: the running turn, its request first. Its tool results are clipped when it is too long by itself.
    """
    room = budget_tokens - total_tokens(now)
    if room < 0:
        return _clipped(now, budget_tokens)
    turns = _turns(past)
    sizes = [total_tokens(turn) for turn in turns]
    dropped = 0
    while sum(sizes[dropped:]) > room:
        dropped += DROP_TURNS if dropped + DROP_TURNS < len(turns) else 1
    return (*(message for turn in turns[dropped:] for message in turn), *now)


def _turns(past: Sequence[Message]) -> list[list[Message]]:
    """``past`` cut before each request; messages that have lost their request are left out."""
    turns: list[list[Message]] = []
    for message in past:
        if message.role is Role.USER:
            turns.append([])
        if turns:
            turns[-1].append(message)
    return turns


def _clipped(now: Sequence[Message], budget_tokens: int) -> tuple[Message, ...]:
    """``now`` with its tool results shortened, the oldest ones first."""
    clipped = list(now)
    for index, message in enumerate(clipped):
        excess = total_tokens(clipped) - budget_tokens
        if excess > 0 and message.role is Role.TOOL:
            keep = max(LEAST_RESULT_TOKENS, text_tokens(message.text) - excess)
            clipped[index] = replace(message, text=_head_and_tail(message.text, keep))
    return tuple(clipped)


def _head_and_tail(text: str, tokens: int) -> str:
    """The beginning and end of ``text``, at most ``tokens`` long."""
    clipped, keep = text, len(text)
    while keep and text_tokens(clipped) > tokens:  # by tenths: Korean and English parts weigh differently
        keep = keep * 9 // 10
        head = keep * 2 // 3
        clipped = text[:head] + CLIPPED + text[len(text) - (keep - head) :]
    return clipped
