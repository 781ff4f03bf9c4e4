"""What reaches the disk, and what happens while the disk refuses."""

import logging

import pytest

from jarvis_desktop.app.bus import Bus
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.core.items.errors import InvariantError, StorageError
from jarvis_desktop.core.items.events import ReplyDelta, TurnEnded
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.turn import TurnEnd, TurnRequest
from tests.fakes.store import FakeStore
from tests.fakes.texts import PlainTexts
from tests.unit.policy.asking import REQUEST


class StrictStore(FakeStore):
    """As the real one: a turn that was never begun takes nothing; and its disk may be full."""

    full = False

    async def begin_turn(self, request: TurnRequest) -> None:
        self._check()
        assert request.turn_id not in self.turns
        await super().begin_turn(request)

    async def set_reply(self, turn_id: TurnId, text: str) -> None:
        self._check(turn_id)
        await super().set_reply(turn_id, text)

    async def end_turn(self, turn_id: TurnId, end: TurnEnd, text: str) -> None:
        self._check(turn_id)
        await super().end_turn(turn_id, end, text)

    def _check(self, turn_id: TurnId | None = None) -> None:
        if self.full:
            raise StorageError("the disk is full.")
        if turn_id is not None and turn_id not in self.turns:
            raise InvariantError("never begun")


async def test_a_disk_mended_within_a_turn_has_all_of_the_turn(caplog: pytest.LogCaptureFixture) -> None:
    store = StrictStore()
    recorder = Recorder(store, Bus(), PlainTexts())
    store.full = True
    with caplog.at_level(logging.WARNING):
        await recorder.begin_turn(REQUEST)
        for word in ("a ", "b ", "c "):
            await recorder.emit(ReplyDelta(REQUEST.turn_id, word))
    assert [record.message for record in caplog.records] == ["events cannot be stored for now"]
    store.full = False
    await recorder.emit(ReplyDelta(REQUEST.turn_id, "d"))
    assert (store.turns, store.replies) == ({REQUEST.turn_id: REQUEST}, {REQUEST.turn_id: "a b c d"})


async def test_a_turn_that_ended_on_a_full_disk_is_stored_whole_by_the_next_event() -> None:
    store = StrictStore()
    recorder = Recorder(store, Bus(), PlainTexts())
    store.full = True
    await recorder.begin_turn(REQUEST)
    await recorder.emit(TurnEnded(REQUEST.turn_id, REQUEST.session_id, TurnEnd.ANSWERED, "said"))
    store.full = False
    await recorder.keep_messages(REQUEST.turn_id, ())
    assert (store.replies, store.ends) == (
        {REQUEST.turn_id: "said"},
        {REQUEST.turn_id: TurnEnd.ANSWERED},
    )
