"""Turns that no window shows: what is told of them is stored, and nobody hears of it."""

from jarvis_desktop.core.items.events import ActivityNoted, Event
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.ports import Emit


class QuietTurns:
    """Fills ``Emit`` for all turns; those of goals would else be taken for answers to the person."""

    def __init__(self, emit: Emit, keep: Emit) -> None:
        """keep: stores as ``emit`` does, and tells nobody."""
        self._emit, self._keep = emit, keep
        self._quiet: set[TurnId] = set()

    def begin(self, turn_id: TurnId) -> None:
        """From now on this turn is quiet."""
        self._quiet.add(turn_id)

    def over(self, turn_id: TurnId) -> None:
        """Nothing more comes of it."""
        self._quiet.discard(turn_id)

    async def emit(self, event: Event) -> None:
        """Tell ``event``, or only store it. Lines of the activity are told: they say what was done."""
        quiet = getattr(event, "turn_id", None) in self._quiet and not isinstance(event, ActivityNoted)
        await (self._keep if quiet else self._emit)(event)
