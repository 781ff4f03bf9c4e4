"""Why a connection to an MCP server cannot be had, or is over."""

from enum import StrEnum


class Trouble(StrEnum):
    """What happened."""

    SLOW = "slow"
    """No list of tools in time."""
    TOO_HEAVY = "too-heavy"
    REFUSED = "refused"
    """It answers with an error."""
    UNAUTHORISED = "unauthorised"
    UNREACHABLE = "unreachable"
    NONSENSE = "nonsense"
    """It speaks another language than MCP."""
    ENDED = "ended"
    """It was there, and is not any more."""
    TIME_UP = "time-up"
    """Of one call."""


class ConnectionTroubleError(Exception):
    """There is no connection, or it brought nothing."""

    def __init__(self, trouble: Trouble, said: str = "") -> None:
        super().__init__(trouble.value)
        self.trouble = trouble
        self.said = said
        """What the server said to it: strangers' words."""
