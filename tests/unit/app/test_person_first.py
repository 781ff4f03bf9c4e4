"""The person goes first: from the first key, the wake word or the request on, and until they are done."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from jarvis_desktop.app.person_first import TYPING_S, PersonFirst, YieldingModel
from jarvis_desktop.core.items.events import TurnEnded, TurnStarted, VoiceState, VoiceStateChanged
from jarvis_desktop.core.items.ids import SessionId, TurnId
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.ports import ChatRequest, DonePiece, TextPiece
from tests.fakes.chat_model import ScriptedModel, says
from tests.fakes.clock import START, FakeClock, settle

REQUEST = ChatRequest((), ())
TURN = TurnId("t")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def person(clock: FakeClock) -> AsyncIterator[PersonFirst]:
    one = PersonFirst(clock)
    yield one
    await one.close()


def voice(state: VoiceState) -> VoiceStateChanged:
    return VoiceStateChanged(state, muted=False, listen_for=ListenFor.REQUEST)


def started() -> TurnStarted:
    return TurnStarted(TURN, SessionId("s"), "hello", Origin.TYPED, START)


def ended() -> TurnEnded:
    return TurnEnded(TURN, SessionId("s"), TurnEnd.ANSWERED, "hi")


async def answered(model: YieldingModel) -> str:
    return "".join([one.text async for one in model.stream(REQUEST) if isinstance(one, TextPiece)])


async def test_from_the_first_key_on_nothing_begins_and_some_seconds_after_the_last_it_may(
    person: PersonFirst, clock: FakeClock
) -> None:
    seen = [person.busy]
    person.typed()
    for passed_s in (0, TYPING_S - 1):
        await clock.advance(passed_s)
        seen.append(person.busy)
    person.typed()
    for passed_s in (TYPING_S - 1, 1):
        await clock.advance(passed_s)
        seen.append(person.busy)
    assert seen == [False, True, True, True, False]


async def test_a_tick_that_says_that_somebody_did_something_just_now_counts_as_typing(
    person: PersonFirst, clock: FakeClock
) -> None:
    person.ticked(4)
    assert person.busy
    person.ticked(30)
    assert person.busy, "a later tick is no reason to begin before the time is over"
    await clock.advance(TYPING_S - 4)
    assert not person.busy


@pytest.mark.parametrize("state", [one for one in VoiceState if one is not VoiceState.IDLE])
async def test_whoever_talks_or_is_talked_to_goes_first_at_once(
    person: PersonFirst, state: VoiceState
) -> None:
    person.on_event(voice(state))
    assert person.busy
    person.on_event(voice(VoiceState.IDLE))
    assert not person.busy


async def test_an_answer_that_was_not_begun_waits_until_the_person_has_typed(
    person: PersonFirst, clock: FakeClock
) -> None:
    model = ScriptedModel(says("done"))
    person.typed()
    asking = asyncio.ensure_future(answered(YieldingModel(model, person)))
    await settle()
    assert model.requests == []
    await clock.advance(TYPING_S)
    assert await asking == "done"


@pytest.mark.parametrize("wants", [started(), voice(VoiceState.LISTENING)])
async def test_an_answer_in_its_middle_lets_go_of_the_model_and_is_asked_for_again(
    person: PersonFirst, wants: TurnStarted | VoiceStateChanged
) -> None:
    never = asyncio.Event()
    model = ScriptedModel((TextPiece("do"), never), (TextPiece("done"), DonePiece("stop")))
    asking = asyncio.ensure_future(answered(YieldingModel(model, person)))
    await settle()
    assert model.open_streams == 1
    person.on_event(wants)
    await settle()
    assert model.open_streams == 0
    assert not asking.done()
    person.on_event(ended())
    person.on_event(voice(VoiceState.IDLE))
    assert await asking == "done"


async def test_patience_counts_only_the_time_in_which_the_person_wanted_nothing(
    person: PersonFirst, clock: FakeClock
) -> None:
    waiting = asyncio.ensure_future(person.patience(60))
    await clock.advance(40)
    person.on_event(started())
    await clock.advance(3600)
    assert not waiting.done()
    person.on_event(ended())
    await clock.advance(19)
    assert not waiting.done()
    await clock.advance(1)
    assert waiting.done()
