"""Focus: on, off, and over by itself."""

from datetime import timedelta

from jarvis_desktop.app.focus_care import FocusCare
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.slash import FocusChanged
from tests.fakes.clock import START, FakeClock


class Desk:
    """Focus with its events in a list."""

    def __init__(self) -> None:
        self.clock, self.told = FakeClock(), list[Event]()
        self.focus = FocusCare(self.clock, self._emit)

    async def _emit(self, event: Event) -> None:
        self.told.append(event)


async def test_focus_ends_by_itself_and_says_so() -> None:
    desk, until = Desk(), START + timedelta(minutes=25)
    await desk.focus.begin(until)
    await desk.clock.advance(24 * 60)
    assert (desk.focus.on, desk.focus.until) == (True, until)
    await desk.clock.advance(60)
    assert (desk.focus.on, desk.focus.until) == (False, None)
    assert desk.told == [FocusChanged(on=True, until=until), FocusChanged(on=False)]


async def test_another_end_replaces_the_one_before() -> None:
    desk = Desk()
    await desk.focus.begin(START + timedelta(minutes=5))
    await desk.focus.begin(None)
    await desk.clock.advance(24 * 3600)
    assert desk.focus.on
    await desk.focus.end()
    assert desk.told[-1] == FocusChanged(on=False)


async def test_what_is_off_already_is_not_told_again() -> None:
    desk = Desk()
    await desk.focus.end()
    assert desk.told == []


async def test_nothing_is_waited_for_after_closing() -> None:
    desk = Desk()
    await desk.focus.begin(START + timedelta(minutes=5))
    await desk.focus.close()
    await desk.clock.advance(600)
    assert desk.told == [FocusChanged(on=True, until=START + timedelta(minutes=5))]
