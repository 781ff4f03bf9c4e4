"""Recalled episodes as a model reads them: short, and named as material."""

import re
from collections.abc import Sequence
from datetime import tzinfo

from jarvis_desktop.core.items.memory import FOREIGN_MARK, Episode, KeptText

TEXT_CHARS = 500
"""Of a request or reply where several episodes are told; a single one is told whole."""
RESULT_CHARS = 6_000


def recalled(episodes: Sequence[Episode], zone: tzinfo | None) -> str:
    """Each episode with its number, time, outcome and calls."""
    room = TEXT_CHARS if len(episodes) > 1 else RESULT_CHARS
    told: list[str] = []
    for one in episodes:
        text = _told(one, room, zone)
        if told and sum(map(len, told)) + len(text) > RESULT_CHARS:
            told.append(f"[{len(episodes) - len(told)} more; narrow the conditions]")
            break
        told.append(text)
    return "\n\n".join(told)


def names(text: str, number: int) -> bool:
    """A result of ``recalled`` tells of that episode."""
    return re.search(rf"^#{number} ", text, re.MULTILINE) is not None


def _told(episode: Episode, room: int, zone: tzinfo | None) -> str:
    calls = "; ".join(
        " ".join([call.name, *(f"{name}={_line(str(value))}" for name, value in call.arguments.items())])
        for call in episode.calls
    )
    at = episode.at.astimezone(zone)
    lines = [
        f"#{episode.number} {at:%Y-%m-%d %H:%M}, {episode.outcome}",
        FOREIGN_MARK if episode.foreign else "",
        f"asked: {_text(episode.request, room)}",
        f"done: {calls}" if calls else "",
        f"answered: {_text(episode.reply, room)}" if episode.reply.head else "",
    ]
    return "\n".join(line for line in lines if line)


def _text(text: KeptText, room: int) -> str:
    # No line of a remembered text may look like a line of ours.
    said = _line(str(text))
    return said if len(said) <= room else f"{said[: room * 2 // 3]} […] {said[-room // 3 :]}"


def _line(text: str) -> str:
    return " ".join(text.split())
