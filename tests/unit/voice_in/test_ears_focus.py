"""Focus: the wake word is not heeded, everything else is."""

from jarvis_desktop.core.items.commands import SubmitTurn
from jarvis_desktop.core.items.events import WakeHeard
from jarvis_desktop.core.items.setup import Trial
from jarvis_desktop.core.items.slash import FocusChanged
from jarvis_desktop.core.items.turn import Origin
from tests.unit.voice_in.scene import scene


async def test_in_focus_the_wake_word_begins_nothing_and_afterwards_it_does() -> None:
    async with scene() as s:
        await s.tell(FocusChanged(on=True))
        await s.wake()
        await s.silence(1.0)
        assert (s.told(), s.commands) == ([], [])
        await s.tell(FocusChanged(on=False))
        await s.silence(2.0)
        await s.wake()
        assert s.told() == [WakeHeard(0.99)]


async def test_in_focus_the_button_listens_as_ever() -> None:
    async with scene() as s:
        request = s.whisper.teach("what time is it")
        await s.tell(FocusChanged(on=True))
        s.ears.talk_now()
        await s.say(request)
        await s.silence(1.0)
        assert s.commands == [SubmitTurn("what time is it", Origin.SPOKEN)]


async def test_in_focus_the_wake_word_can_still_be_tried_out() -> None:
    async with scene() as s:
        await s.tell(FocusChanged(on=True))
        assert s.ears.begin_trial(Trial.WAKE_WORD) == ""
        await s.wake()
        assert WakeHeard(0.99) in s.told()
