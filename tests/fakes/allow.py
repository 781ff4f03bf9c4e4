"""Permissions for tests of tools. Reaches for the seal on purpose; nothing outside tests may."""

from jarvis_desktop.core.items import decisions
from jarvis_desktop.core.items.decisions import Allow, AnsweredBy, Guarding
from jarvis_desktop.core.items.room import PERSONS_ROOM, Room


def allow(
    snapshot: str = "",
    digest: str = "",
    by: AnsweredBy = AnsweredBy.WINDOW,
    guarded: str = "",
    room: Room = PERSONS_ROOM,
) -> Allow:
    """An ``Allow`` as the sandbox would make it."""
    return Allow(digest, by, snapshot, Guarding(guarded, room), _seal=decisions._SEAL)
