"""What the window showed of a stored conversation. Runs inside a transaction."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from jarvis_desktop.adapters.sqlite_patterns import names_used
from jarvis_desktop.adapters.sqlite_rows import MOST_TURNS, calls_of
from jarvis_desktop.adapters.sqlite_schema import TurnState
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.events import StoredLine
from jarvis_desktop.core.items.ids import SessionId, TurnId
from jarvis_desktop.core.items.turn import Origin, Role, StoredDelegate, TurnEnd
from jarvis_desktop.core.turn.repeats import HAVE_IT

Tools: TypeAlias = Mapping[str, Sequence[tuple[str, ResultStatus]]]
"""Of each turn, its calls in short and how they ended."""
_Calls: TypeAlias = Mapping[str, Sequence[tuple[str, str, ResultStatus]]]
"""The same, each with the id of the call in front."""
_Delegates: TypeAlias = Mapping[str, Sequence[tuple[str, StoredDelegate]]]
"""Of each turn of a person, what agents did for it, with the id of the call that asked for it."""
EVERY_TURN = -1


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
    calls, delegates = _calls(connection, session_id, MOST_TURNS), _delegates(connection, session_id)
    taught, made = names_used(connection, session_id, MOST_TURNS), made_by_skills(connection, session_id)
    return tuple(line for turn in turns for line in _lines(calls, delegates, taught, made, turn))


def made_by_skills(
    connection: sqlite3.Connection, session_id: SessionId, turns: int = MOST_TURNS
) -> Mapping[str, str]:
    """Of each of the last turns that called a skill, the request that the model read."""
    found = connection.execute(
        """SELECT turns.id, messages.text FROM turns JOIN messages ON messages.turn = turns.id
           WHERE turns.number IN
               (SELECT number FROM turns WHERE conversation = ? ORDER BY number DESC LIMIT ?)
           AND role = ? AND messages.text <> turns.text ORDER BY messages.number DESC""",
        (session_id, turns, Role.USER),
    )
    return dict(found.fetchall())


def tools_of(connection: sqlite3.Connection, session_id: SessionId, turns: int = MOST_TURNS) -> Tools:
    """The calls made in the last ``turns`` turns of a conversation."""
    calls = _calls(connection, session_id, turns)
    return {turn: [(said, status) for _, said, status in made] for turn, made in calls.items()}


def _calls(connection: sqlite3.Connection, session_id: SessionId, turns: int) -> _Calls:
    found = connection.execute(
        """SELECT turn, role, text, calls, call_id, tool_name, status FROM messages
           WHERE turn IN (SELECT id FROM turns WHERE conversation = ? ORDER BY number DESC LIMIT ?)
           AND (role = ? OR calls <> '[]') ORDER BY number""",
        (session_id, turns, Role.TOOL),
    )
    asked: dict[tuple[str, str], str] = {}
    calls_made: dict[str, list[tuple[str, str, ResultStatus]]] = defaultdict(list)
    for turn, role, text, calls, call_id, tool_name, status in found:
        asked |= {(turn, call.call_id): call.in_short for call in calls_of(calls)}
        # A call that was only repeated ran no second time, and no window showed it.
        if role == Role.TOOL and text != HAVE_IT:
            said = asked.get((turn, call_id), tool_name or "")
            calls_made[turn].append((call_id or "", said, ResultStatus(status)))
    return calls_made


def _delegates(connection: sqlite3.Connection, session_id: SessionId) -> _Delegates:
    found = connection.execute(
        """SELECT root, call, turns.id, conversation, name, asker, task, end, reply
           FROM delegates JOIN turns ON turns.id = delegates.turn
           WHERE root IN (SELECT id FROM turns WHERE conversation = ? ORDER BY number DESC LIMIT ?)
           ORDER BY turns.number""",
        (session_id, MOST_TURNS),
    ).fetchall()
    done: dict[str, list[tuple[str, StoredDelegate]]] = defaultdict(list)
    for root, call, turn, session, name, asker, task, end, reply in found:
        used = tuple(tools_of(connection, session).get(turn, ()))
        ended = TurnEnd(end) if end is not None else TurnEnd.INTERRUPTED
        done[root].append((call, StoredDelegate(name, asker, task, used, ended, reply)))
    return done


def _lines(
    calls: _Calls,
    delegates: _Delegates,
    taught: Mapping[str, str],
    made: Mapping[str, str],
    row: tuple[str, str, str, str, str, str, str | None],
) -> Iterator[StoredLine]:
    turn, origin, text, asked_at, state, reply, replied_at = row
    turn_id, cut, spoken = TurnId(turn), state == TurnState.CUT, origin == Origin.SPOKEN
    asked, replied = datetime.fromisoformat(asked_at), datetime.fromisoformat(replied_at or asked_at)
    if origin != Origin.GOAL:  # there, nobody asked
        request = StoredLine(Role.USER, text, asked, turn_id, complete=True, spoken=spoken)
        yield replace(request, expansion=made.get(turn, ""))
    if turn in taught:
        yield StoredLine(Role.SYSTEM, taught[turn], asked, turn_id, complete=True)

    def delegate(done: StoredDelegate) -> StoredLine:
        return StoredLine(Role.TOOL, done.name, replied, turn_id, complete=True, delegate=done)

    left = list(delegates.get(turn, ()))
    for call_id, call, status in calls.get(turn, ()):
        yield StoredLine(Role.TOOL, call, replied, turn_id, complete=True, status=status)
        yield from (delegate(done) for asked_by, done in left if asked_by == call_id)
        left = [one for one in left if one[0] != call_id]
    # Asked by an agent that was asked itself, or by a call that was never over.
    yield from (delegate(done) for _, done in left)
    if reply or cut:
        yield StoredLine(Role.ASSISTANT, reply, replied, turn_id, complete=not cut)
