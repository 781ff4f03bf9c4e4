"""What the window showed of a stored conversation. Runs inside a transaction."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from jarvis_desktop.adapters.sqlite_rows import MOST_TURNS, calls_of
from jarvis_desktop.adapters.sqlite_schema import TurnState
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.events import StoredLine
from jarvis_desktop.core.items.ids import SessionId, TurnId
from jarvis_desktop.core.items.turn import Origin, Role
from jarvis_desktop.core.turn.repeats import HAVE_IT

_Tools: TypeAlias = Mapping[str, Sequence[tuple[str, ResultStatus]]]
"""Of each turn, its calls in short and how they ended."""


def shown_lines(connection: sqlite3.Connection, session_id: SessionId) -> tuple[StoredLine, ...]:
    """Each request, the tools used for it and, where there is one, its answer; oldest first.

    Of a very long conversation, the last ``MOST_TURNS`` turns; the others stay on disk.
    """
    turns = connection.execute(
        """SELECT id, origin, text, asked_at, state, reply, replied_at FROM turns
           WHERE number IN (SELECT number FROM turns WHERE conversation = ? ORDER BY number DESC LIMIT ?)
           ORDER BY number""",
        (session_id, MOST_TURNS),
    )
    tools = _tools(connection, session_id)
    return tuple(line for turn in turns for line in _lines(tools, turn))


def _tools(connection: sqlite3.Connection, session_id: SessionId) -> _Tools:
    found = connection.execute(
        """SELECT turn, role, text, calls, call_id, tool_name, status FROM messages
           WHERE turn IN (SELECT id FROM turns WHERE conversation = ? ORDER BY number DESC LIMIT ?)
           AND (role = ? OR calls <> '[]') ORDER BY number""",
        (session_id, MOST_TURNS, Role.TOOL),
    )
    asked: dict[tuple[str, str], str] = {}
    tools: dict[str, list[tuple[str, ResultStatus]]] = defaultdict(list)
    for turn, role, text, calls, call_id, tool_name, status in found:
        asked |= {(turn, call.call_id): call.in_short for call in calls_of(calls)}
        # A call that was only repeated ran no second time, and no window showed it.
        if role == Role.TOOL and text != HAVE_IT:
            tools[turn].append((asked.get((turn, call_id), tool_name or ""), ResultStatus(status)))
    return tools


def _lines(tools: _Tools, row: tuple[str, str, str, str, str, str, str | None]) -> Iterator[StoredLine]:
    turn, origin, text, asked_at, state, reply, replied_at = row
    turn_id, cut, spoken = TurnId(turn), state == TurnState.CUT, origin == Origin.SPOKEN
    asked, replied = datetime.fromisoformat(asked_at), datetime.fromisoformat(replied_at or asked_at)
    yield StoredLine(Role.USER, text, asked, turn_id, complete=True, spoken=spoken)
    for call, status in tools.get(turn, ()):
        yield StoredLine(Role.TOOL, call, replied, turn_id, complete=True, status=status)
    if reply or cut:
        yield StoredLine(Role.ASSISTANT, reply, replied, turn_id, complete=not cut)
