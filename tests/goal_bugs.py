"""Known bugs of goals and schedules elsewhere that have no test here, each with the reason.

The list is ``tests/data/cases/goal_bugs.jsonl``; a line with a test is named by
``goal_bug("<area>", "<first words of the symptom>")``.
"""

from collections.abc import Mapping
from types import MappingProxyType

_OWN_KEYS = (
    "each goal tells for itself: two goals that find the same are two wishes, and a key can be muted in one"
)
_PANEL = "still to come: the panel that shows it is not built yet"

TO_COME: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("duplicate", "Many notices for one"): _OWN_KEYS,
        ("flood", "Entries from last year"): _PANEL,
    }
)
"""Lines that can occur here and have no test yet."""
