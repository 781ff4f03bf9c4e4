"""A short message for a person who does not look at our windows."""

from dataclasses import dataclass

OPEN = "default"
"""The key of a click on the message itself, as every desktop calls it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a desktop shows beside the work. Our own words only: no command, path, answer or transcript."""

    notice_id: str
    """Another one with the same name takes its place."""
    title: str
    text: str
    actions: tuple[tuple[str, str], ...] = ()
    """Buttons as (key, label); desktops may leave them out, so none is the only way to do something."""
    urgent: bool = False
    """It stays until somebody reacts, where the desktop can do that."""
