"""What a shell command gets to see of the machine."""

from dataclasses import dataclass
from enum import StrEnum


class RoomKind(StrEnum):
    """How closed the room is in which a command runs (decision 37)."""

    CLOSED = "closed"
    """A rule allowed it and nobody looked: only the working directory and temporary files can be written."""
    PERSON = "person"
    """A person allowed it just now: the person's files and network, but nothing to answer questions with."""
    DESKTOP = "desktop"
    """A person allowed it just now and lent it the desktop: display, session bus and sound, besides."""


@dataclass(frozen=True, slots=True)
class Room:
    """The room of one command."""

    kind: RoomKind
    network: bool = True
    """Through a stack of its own; this machine's loopback is out of reach either way."""
    git: bool = False
    """The command is git alone, which may write the repository's own settings."""


PERSONS_ROOM = Room(RoomKind.PERSON)
DESKTOP_ROOM = Room(RoomKind.DESKTOP)
