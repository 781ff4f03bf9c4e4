"""Permissions for tests of tools. Reaches for the seal on purpose; nothing outside tests may."""

from jarvis_desktop.core.items import decisions
from jarvis_desktop.core.items.decisions import Allow, AnsweredBy


def allow(
    snapshot: str = "", digest: str = "", by: AnsweredBy = AnsweredBy.WINDOW, guarded: str = ""
) -> Allow:
    """An ``Allow`` as the sandbox would make it."""
    return Allow(digest, by, snapshot, guarded, _seal=decisions._SEAL)
