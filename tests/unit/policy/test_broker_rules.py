"""What holds of a broker whatever people and clocks do, in any order."""

import asyncio
from dataclasses import dataclass, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from jarvis_desktop.core.items.decisions import Answer, AnswerFate, Settled
from jarvis_desktop.core.items.events import QuestionAsked, QuestionSettled
from jarvis_desktop.core.policy.broker import APPROVAL_TIMEOUT_S
from tests.fakes.clock import settle
from tests.unit.policy.asking import A, B, Desk, answer, asking
from tests.unit.policy.test_broker_always import OFFER


@dataclass(frozen=True)
class Ask:
    pass


@dataclass(frozen=True)
class Stop:
    which: int


@dataclass(frozen=True)
class Reply:
    which: int
    digest: int
    kind: Answer


@dataclass(frozen=True)
class Wait:
    seconds: float


@dataclass(frozen=True)
class Door:
    first: bool
    opens: bool


DEEDS = st.one_of(
    st.just(Ask()),
    st.builds(Stop, st.integers(1, 4)),
    st.builds(Reply, st.integers(1, 5), st.integers(1, 5), st.sampled_from(Answer)),
    st.builds(Wait, st.sampled_from([1.0, 60.0, APPROVAL_TIMEOUT_S])),
    st.builds(Door, st.booleans(), st.booleans()),
)


def offered(number: int) -> bool:
    """ALWAYS is offered for every second question."""
    return number % 2 == 0


class Story:
    """One run, with what the broker said along the way."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.asks: list[asyncio.Future[Settled]] = []
        self.taken: dict[str, Answer] = {}

    async def run(self, deeds: list[object]) -> None:
        await self.desk.broker.attach(A)
        for deed in deeds:
            await self.do(deed)
            await settle(8)
        await self.desk.clock.advance(APPROVAL_TIMEOUT_S * (len(self.asks) + 1))

    async def do(self, deed: object) -> None:
        broker = self.desk.broker
        match deed:
            case Ask():
                number = len(self.asks) + 1
                asked = replace(asking(f"d{number}"), offer=OFFER if offered(number) else None)
                self.asks.append(asyncio.ensure_future(broker.ask(asked)))
            case Stop(which) if which <= len(self.asks):
                self.asks[which - 1].cancel()
            case Reply(which, digest, kind):
                fate = await broker.answer(answer(kind, f"q{which}", f"d{digest}"))
                if fate is AnswerFate.TAKEN:
                    assert which == digest
                    assert f"q{which}" not in self.taken
                    assert kind is not Answer.ALWAYS or offered(which)
                    self.taken[f"q{which}"] = kind
            case Wait(seconds):
                await self.desk.clock.advance(seconds)
            case Door(first, opens):
                window = A if first else B
                if opens:
                    await broker.attach(window)
                else:
                    broker.detach(window)


@settings(max_examples=150)
@given(st.lists(DEEDS, max_size=14))
def test_every_question_ends_once_and_only_a_matching_answer_in_time_decides(deeds: list[object]) -> None:
    story = Story()
    asyncio.run(story.run(deeds))
    assert all(one.done() for one in story.asks)
    ended = [one.result() for one in story.asks if not one.cancelled()]
    assert {one.question_id: one.answer for one in ended if one.answer} == {
        key: value for key, value in story.taken.items() if key in {one.question_id for one in ended}
    }
    assert_shown_one_at_a_time(story.desk)


def assert_shown_one_at_a_time(desk: Desk) -> None:
    open_now: str | None = None
    for event in desk.events:
        if isinstance(event, QuestionAsked) and event.window_id is None:
            assert open_now is None
            open_now = event.question.question_id
        elif isinstance(event, QuestionAsked):
            assert event.question.question_id == open_now
        elif isinstance(event, QuestionSettled):
            assert event.question.question_id == open_now
            open_now = None
    assert open_now is None
