"""What agents do for each other reaches the disk, and windows that open later."""

from jarvis_desktop.app.bus import Bus
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.app.shown_lines import lines_of
from jarvis_desktop.core.items.delegation import DelegateEnded, DelegateStarted
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.turn import Role, StoredDelegate, StoredLine, TurnEnd
from tests.fakes.clock import START, settle
from tests.fakes.store import FakeStore
from tests.fakes.texts import PlainTexts
from tests.unit.policy.asking import REQUEST

DONE = StoredDelegate("KAREN", "JARVIS", "Which ones?", (), TurnEnd.OVERFLOW, "I stopped after 8 rounds.")
ENDED = DelegateEnded(REQUEST.turn_id, TurnId("karen"), DONE, 2.0)


async def test_the_end_of_an_errand_is_on_disk_before_anybody_sees_it() -> None:
    store, bus = FakeStore(), Bus()
    seen: list[object] = []
    bus.subscribe(lambda event: seen.append((event, dict(store.ends))))
    await Recorder(store, bus, PlainTexts()).emit(ENDED)
    await settle()
    assert seen == [(ENDED, {"karen": TurnEnd.OVERFLOW})]
    assert store.replies == {"karen": DONE.text}


def test_a_window_that_opens_later_is_shown_errands_that_have_ended() -> None:
    begun = DelegateStarted(REQUEST.turn_id, TurnId("karen"), "KAREN", "JARVIS", "Which ones?")
    assert lines_of(begun, START) == ()
    line = StoredLine(Role.TOOL, "KAREN", START, REQUEST.turn_id, complete=True, delegate=DONE)
    assert lines_of(ENDED, START) == (line,)
