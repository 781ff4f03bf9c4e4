"""Names for identifiers, so that one kind is never handed in for another."""

from typing import NewType
from uuid import uuid4

SessionId = NewType("SessionId", str)
TurnId = NewType("TurnId", str)
CallId = NewType("CallId", str)
QuestionId = NewType("QuestionId", str)
AgentId = NewType("AgentId", str)
AuditId = NewType("AuditId", str)
WindowId = NewType("WindowId", str)
"""One place where a person can answer: a window, the tray, a console."""

MAIN_AGENT = AgentId("main")


def fresh_id() -> str:
    """A new identifier: 32 hex digits, random, unique for all practical purposes."""
    return uuid4().hex
