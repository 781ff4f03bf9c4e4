"""A spoken ALWAYS allows once; its rule is saved by a second yes and nothing else (decision 19)."""

import asyncio
from dataclasses import dataclass, field, replace

import pytest

from jarvis_desktop.core.items.commands import AnswerQuestion, DecideSaving
from jarvis_desktop.core.items.decisions import (
    Answer,
    AnsweredBy,
    AnswerFate,
    Question,
    QuestionEnd,
    Saved,
    Settled,
)
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    Event,
    QuestionAsked,
    QuestionSettled,
    SavingEnded,
    SavingOffered,
)
from jarvis_desktop.core.items.ids import QuestionId
from jarvis_desktop.core.policy.broker import Broker
from jarvis_desktop.core.policy.late_saving import SAVE_WITHIN_S
from tests.fakes.clock import FakeClock, settle
from tests.unit.policy.asking import A, asking, withdrawn
from tests.unit.policy.test_broker_always import OFFER, Rules

Q1 = QuestionId("q1")
YES, NO = DecideSaving(Q1, "d1", save=True), DecideSaving(Q1, "d1", save=False)
ALLOWED = Settled(Q1, QuestionEnd.ANSWERED, Answer.ALLOW, AnsweredBy.VOICE)


@dataclass
class Desk:
    """A broker whose screen can be locked."""

    clock: FakeClock = field(default_factory=FakeClock)
    events: list[Event] = field(default_factory=list)
    kept: list[tuple[QuestionId, Settled, Saved]] = field(default_factory=list)
    locked: bool = False
    rules: Rules = field(default_factory=Rules)

    def __post_init__(self) -> None:
        numbers = iter(range(1, 100))
        self.broker = Broker(
            self.clock, self._emit, lambda: f"q{next(numbers)}", locked=self._locked, kept=self._kept
        )

    async def _emit(self, event: Event) -> None:
        self.events.append(event)

    async def _locked(self) -> bool:
        await asyncio.sleep(0)
        return self.locked

    async def _kept(self, question: Question, settled: Settled, saved: Saved) -> None:
        self.kept.append((question.question_id, settled, saved))

    def told(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    async def ask(self, digest: str = "d1") -> "asyncio.Future[Settled]":
        """A question whose rule covers nothing but what it says."""
        one = replace(asking(digest), offer=OFFER, remember=self.rules.remember)
        waiting = asyncio.ensure_future(self.broker.ask(one))
        await settle()
        return waiting

    async def say(self, given: Answer, by: AnsweredBy = AnsweredBy.VOICE, digest: str = "d1") -> AnswerFate:
        shown = self.broker.shown
        assert shown is not None
        fate = await self.broker.answer(AnswerQuestion(shown.question_id, digest, given, by))
        await settle()
        return fate


@pytest.fixture
async def desk() -> Desk:
    made = Desk()
    await made.broker.attach(A)
    return made


async def always_said(desk: Desk) -> None:
    waiting = await desk.ask()
    assert await desk.say(Answer.ALWAYS) is AnswerFate.TAKEN
    assert await waiting == ALLOWED


async def test_x56_a_spoken_always_allows_once_and_has_the_rule_read_back(desk: Desk) -> None:
    await always_said(desk)
    assert desk.rules.saved == 0
    settled, offered = desk.events[-2:]
    assert isinstance(settled, QuestionSettled)
    assert offered == SavingOffered(settled.question)


async def test_x56_a_second_yes_saves_the_rule_once(desk: Desk) -> None:
    await always_said(desk)
    await desk.broker.decide_saving(YES)
    await desk.broker.decide_saving(YES)
    assert desk.rules.saved == 1
    assert desk.kept == [(Q1, ALLOWED, Saved(OFFER.lines))]
    assert desk.told(SavingEnded) == [SavingEnded(Q1, saved=True)]


async def test_x56_a_no_saves_nothing_and_a_yes_after_it_is_too_late(desk: Desk) -> None:
    await always_said(desk)
    await desk.broker.decide_saving(NO)
    await desk.broker.decide_saving(YES)
    assert (desk.rules.saved, desk.kept) == (0, [])
    assert desk.told(SavingEnded) == [SavingEnded(Q1, saved=False)]


@pytest.mark.parametrize(
    "other", [DecideSaving(QuestionId("q9"), "d1", save=True), DecideSaving(Q1, "d9", save=True)]
)
async def test_a_yes_to_something_else_saves_nothing(desk: Desk, other: DecideSaving) -> None:
    await always_said(desk)
    await desk.broker.decide_saving(other)
    assert desk.rules.saved == 0
    assert desk.told(SavingEnded) == []


async def test_whoever_says_nothing_in_time_saves_nothing(desk: Desk) -> None:
    await always_said(desk)
    await desk.clock.advance(SAVE_WITHIN_S)
    await settle()
    assert desk.told(SavingEnded) == [SavingEnded(Q1, saved=False)]
    await desk.broker.decide_saving(YES)
    assert desk.rules.saved == 0


async def test_the_next_question_ends_the_saving_of_the_last_one_before_it_is_shown(desk: Desk) -> None:
    await always_said(desk)
    waiting = await desk.ask("d2")
    assert desk.events[-2] == SavingEnded(Q1, saved=False)
    assert isinstance(desk.events[-1], QuestionAsked)
    await desk.broker.decide_saving(YES)
    assert desk.rules.saved == 0
    await desk.say(Answer.DENY, digest="d2")
    await waiting


async def test_a_rule_that_cannot_be_saved_says_why(desk: Desk) -> None:
    async def full_disk() -> Saved:
        return Saved(problem="the disk is full")

    waiting = asyncio.ensure_future(desk.broker.ask(replace(asking("d1"), offer=OFFER, remember=full_disk)))
    await settle()
    await desk.say(Answer.ALWAYS)
    await waiting
    await desk.broker.decide_saving(YES)
    assert desk.kept == [(Q1, ALLOWED, Saved(problem="the disk is full"))]
    assert desk.told(SavingEnded) == [SavingEnded(Q1, saved=False, problem="the disk is full")]


async def test_a_spoken_always_without_a_proposal_allows_once_and_asks_nothing(desk: Desk) -> None:
    waiting = asyncio.ensure_future(desk.broker.ask(asking("d1")))
    await settle()
    assert await desk.say(Answer.ALWAYS) is AnswerFate.TAKEN
    assert await waiting == ALLOWED
    assert desk.told(SavingOffered) == []


async def test_an_always_of_a_window_saves_at_once_as_ever(desk: Desk) -> None:
    waiting = await desk.ask()
    await desk.say(Answer.ALWAYS, AnsweredBy.WINDOW)
    assert (await waiting).answer is Answer.ALWAYS
    assert desk.rules.saved == 1
    assert desk.told(SavingOffered) == []


async def test_a_question_that_a_saved_rule_covers_closes_by_itself(desk: Desk) -> None:
    await always_said(desk)
    queued = asyncio.ensure_future(
        desk.broker.ask(
            replace(asking("d2"), offer=OFFER, covered=desk.rules.covered, remember=desk.rules.remember)
        )
    )
    desk.rules.there = True
    assert (await asyncio.wait_for(queued, 5)).by is AnsweredBy.RULE


# --- a locked screen --------------------------------------------------------------------------------


@pytest.mark.parametrize("by", [AnsweredBy.VOICE, AnsweredBy.NOTIFICATION])
@pytest.mark.parametrize("given", [Answer.ALLOW, Answer.ALWAYS])
async def test_while_the_screen_is_locked_neither_voice_nor_notification_allows(
    desk: Desk, by: AnsweredBy, given: Answer
) -> None:
    waiting = await desk.ask()
    desk.locked = True
    assert await desk.say(given, by) is AnswerFate.SCREEN_LOCKED
    assert desk.events[-1] == AnswerRefused(Q1, AnswerFate.SCREEN_LOCKED, None)
    assert not waiting.done()
    desk.locked = False
    assert await desk.say(Answer.ALLOW, by) is AnswerFate.TAKEN
    assert (await waiting).answer is Answer.ALLOW


@pytest.mark.parametrize("by", [AnsweredBy.VOICE, AnsweredBy.NOTIFICATION])
async def test_a_locked_screen_keeps_nobody_from_denying(desk: Desk, by: AnsweredBy) -> None:
    waiting = await desk.ask()
    desk.locked = True
    await desk.say(Answer.DENY, by)
    assert (await waiting).answer is Answer.DENY


async def test_a_window_needs_no_look_at_the_lock(desk: Desk) -> None:
    waiting = await desk.ask()
    desk.locked = True
    await desk.say(Answer.ALLOW, AnsweredBy.WINDOW)
    assert (await waiting).answer is Answer.ALLOW


async def test_a_screen_that_was_locked_meanwhile_saves_no_rule(desk: Desk) -> None:
    await always_said(desk)
    desk.locked = True
    await desk.broker.decide_saving(YES)
    assert desk.rules.saved == 0
    assert desk.events[-2:] == [
        AnswerRefused(Q1, AnswerFate.SCREEN_LOCKED, None),
        SavingEnded(Q1, saved=False),
    ]


@dataclass
class SlowRules(Rules):
    """Rules on a disk that takes its time."""

    written: asyncio.Event = field(default_factory=asyncio.Event)

    async def remember(self) -> Saved:
        await self.written.wait()
        return await super().remember()


async def test_a_saving_under_way_is_not_ended_by_its_time() -> None:
    rules = SlowRules()
    desk = Desk(rules=rules)
    await desk.broker.attach(A)
    await always_said(desk)
    saving = asyncio.ensure_future(desk.broker.decide_saving(YES))
    await settle()
    await desk.clock.advance(SAVE_WITHIN_S)
    await settle()
    assert desk.told(SavingEnded) == []
    rules.written.set()
    await saving
    assert desk.told(SavingEnded) == [SavingEnded(Q1, saved=True)]


async def test_a_rule_that_is_read_back_while_another_is_written_ends_by_its_own_time() -> None:
    rules = SlowRules()
    desk = Desk(rules=rules)
    await desk.broker.attach(A)
    await always_said(desk)
    saving = asyncio.ensure_future(desk.broker.decide_saving(YES))
    await settle()
    second = await desk.ask("d2")
    await desk.say(Answer.ALWAYS, digest="d2")
    await second
    rules.written.set()
    await saving
    await desk.clock.advance(SAVE_WITHIN_S)
    await settle()
    assert desk.told(SavingEnded) == [SavingEnded(Q1, saved=True), SavingEnded(QuestionId("q2"), saved=False)]


async def test_the_last_window_may_go_while_a_rule_gives_way_to_the_next_question() -> None:
    class LeavesThen(Desk):
        async def _emit(self, event: Event) -> None:
            await super()._emit(event)
            if isinstance(event, SavingEnded):
                self.broker.detach(A)

    desk = LeavesThen()
    await desk.broker.attach(A)
    await always_said(desk)
    assert await (await desk.ask("d2")) == withdrawn("q2")
    assert len(desk.told(QuestionAsked)) == 1


async def test_a_broker_that_keeps_no_log_saves_all_the_same() -> None:
    desk = Desk()
    numbers = iter(range(1, 100))
    desk.broker = Broker(desk.clock, desk._emit, lambda: f"q{next(numbers)}")
    await desk.broker.attach(A)
    await always_said(desk)
    await desk.broker.decide_saving(YES)
    assert (desk.rules.saved, desk.kept) == (1, [])
