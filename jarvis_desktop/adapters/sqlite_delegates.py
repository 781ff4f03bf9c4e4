"""Turns that one agent asked of another, as they are stored. Functions run inside a transaction."""

import sqlite3

from jarvis_desktop.adapters import sqlite_rows as rows
from jarvis_desktop.core.items.turn import Errand, Situation, TurnRequest
from jarvis_desktop.core.ports import Conversation


def begin_turn(connection: sqlite3.Connection, request: TurnRequest) -> None:
    """The turn is running; a goal's, and one that an agent asked for, is in a session of its own."""
    errand = request.errand
    session = Conversation(request.session_id, request.agent_id, request.cwd)
    if errand is None:
        if request.situation is Situation.GOAL:
            rows.add_conversation(connection, session, request.asked_at, rows.ConversationKind.GOAL)
        rows.add_turn(connection, request)
        return
    rows.add_conversation(connection, session, request.asked_at, rows.ConversationKind.DELEGATION)
    rows.add_turn(connection, request)
    _link(connection, request, errand)


def _link(connection: sqlite3.Connection, request: TurnRequest, errand: Errand) -> None:
    texts = (request.agent.name, errand.asker.name, errand.task)
    connection.execute(
        "INSERT INTO delegates (turn, root, call, name, asker, task) VALUES (?, ?, ?, ?, ?, ?)",
        (request.turn_id, errand.root_id, errand.call_id, *map(rows.storable, texts)),
    )
