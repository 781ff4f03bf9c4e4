"""Who may answer, whose answer holds, and when it is too late."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, AnswerFate, QuestionEnd, Settled
from jarvis_desktop.core.items.events import AnswerRefused, Event, QuestionAsked, QuestionSettled
from jarvis_desktop.core.items.ids import QuestionId, WindowId
from jarvis_desktop.core.items.turn import Origin
from jarvis_desktop.core.policy.broker import APPROVAL_TIMEOUT_S, REMEMBERED, Broker
from tests.fakes.clock import START, FakeClock, settle
from tests.unit.policy.asking import (
    ASKING,
    CALL,
    REQUEST,
    WHY,
    A,
    B,
    Desk,
    answer,
    answered,
    asking,
    expired,
    withdrawn,
)


async def open_desk(*windows: WindowId) -> tuple[Desk, "asyncio.Future[Settled]"]:
    desk = Desk()
    for window in windows or (A,):
        await desk.broker.attach(window)
    waiting = asyncio.ensure_future(desk.broker.ask(ASKING))
    await settle()
    return desk, waiting


@pytest.mark.promise("T-002", "T-063", "T-064")
async def test_a_question_is_complete_and_goes_to_everybody() -> None:
    desk, waiting = await open_desk(A, B)
    question = desk.question()
    assert desk.events == [QuestionAsked(question)]
    assert (question.call, question.cwd, question.detail, question.why) == (CALL, REQUEST.cwd, "ls", WHY)
    assert (question.digest, question.asked_at) == ("d1", START)
    assert question.deadline_at == START + timedelta(seconds=120)
    assert not question.spoken
    await desk.broker.answer(answer())
    await waiting


@pytest.mark.promise("T-062")
async def test_a_question_of_a_spoken_request_is_marked_to_be_read_aloud() -> None:
    desk = Desk()
    await desk.broker.attach(A)
    spoken = replace(ASKING, request=replace(REQUEST, origin=Origin.SPOKEN))
    waiting = asyncio.ensure_future(desk.broker.ask(spoken))
    await settle()
    assert desk.question().spoken
    await desk.broker.answer(answer(by=AnsweredBy.VOICE))
    assert (await waiting).by is AnsweredBy.VOICE


@pytest.mark.promise("T-065", "T-066", "T-256")
async def test_the_first_answer_holds_and_the_second_hears_that_it_was_answered() -> None:  # X01
    desk, waiting = await open_desk(A, B)
    question = desk.question()
    assert await desk.broker.answer(answer(Answer.ALLOW)) is AnswerFate.TAKEN
    assert await desk.broker.answer(answer(Answer.DENY, window=B)) is AnswerFate.ALREADY_ANSWERED
    assert await waiting == answered(Answer.ALLOW)
    assert desk.events == [
        QuestionAsked(question),
        AnswerRefused(QuestionId("q1"), AnswerFate.ALREADY_ANSWERED, B),
        QuestionSettled(question, answered(Answer.ALLOW)),
    ]


@pytest.mark.promise("T-065")
async def test_of_two_answers_in_the_same_tick_exactly_one_is_taken() -> None:  # X02
    desk, waiting = await open_desk(A, B)
    fates = await asyncio.gather(
        desk.broker.answer(answer(Answer.DENY, window=B)), desk.broker.answer(answer(Answer.ALLOW))
    )
    assert list(fates) == [AnswerFate.TAKEN, AnswerFate.ALREADY_ANSWERED]
    assert await waiting == answered(Answer.DENY, B)
    assert desk.settled == [answered(Answer.DENY, B)]


@pytest.mark.promise("T-029", "T-061", "T-256")
async def test_after_the_time_an_answer_is_expired_and_changes_nothing() -> None:  # X05, X20
    desk, waiting = await open_desk(A, B)
    await desk.clock.advance(APPROVAL_TIMEOUT_S)
    assert await waiting == expired()
    assert await desk.broker.answer(answer()) is AnswerFate.EXPIRED
    assert desk.settled == [expired()]
    assert desk.refused == [AnswerRefused(QuestionId("q1"), AnswerFate.EXPIRED, A)]


async def test_the_instant_of_the_deadline_is_already_too_late() -> None:
    desk, waiting = await open_desk()
    desk.clock._elapsed_s = APPROVAL_TIMEOUT_S  # the timer itself has not run yet
    assert await desk.broker.answer(answer()) is AnswerFate.EXPIRED
    assert await waiting == expired()


async def test_just_before_the_deadline_an_answer_still_counts() -> None:
    desk, waiting = await open_desk()
    await desk.clock.advance(APPROVAL_TIMEOUT_S - 0.001)
    assert await desk.broker.answer(answer()) is AnswerFate.TAKEN
    assert await waiting == answered(Answer.ALLOW)


async def test_time_that_the_machine_slept_through_counts() -> None:
    desk, waiting = await open_desk()
    desk.clock._start += timedelta(hours=1)  # only the wall clock moved: a closed lid
    assert await desk.broker.answer(answer()) is AnswerFate.EXPIRED
    assert await waiting == expired()


async def test_setting_the_wall_clock_back_buys_no_time() -> None:
    desk, waiting = await open_desk()
    desk.clock._start -= timedelta(hours=1)
    await desk.clock.advance(APPROVAL_TIMEOUT_S)
    assert await waiting == expired()


async def test_an_answer_in_the_tick_of_the_timer_is_not_undone_by_it() -> None:
    before = asyncio.all_tasks()
    desk, waiting = await open_desk()
    (timer,) = (task for task in asyncio.all_tasks() - before if task is not waiting)
    _, _, waker = desk.clock._sleepers[0]
    waker.set_result(None)  # the timer wakes, but the answer is first in line
    assert await desk.broker.answer(answer()) is AnswerFate.TAKEN
    assert await waiting == answered(Answer.ALLOW)
    assert timer.done()
    assert timer.exception() is None


async def test_a_question_that_never_was_is_unknown() -> None:  # X07
    desk, waiting = await open_desk()
    assert await desk.broker.answer(answer(question="q9")) is AnswerFate.UNKNOWN
    assert desk.refused == [AnswerRefused(QuestionId("q9"), AnswerFate.UNKNOWN, A)]
    await desk.broker.answer(answer())
    await waiting


async def test_an_answer_about_something_else_changes_nothing() -> None:
    desk, waiting = await open_desk()
    assert await desk.broker.answer(answer(digest="d2")) is AnswerFate.MISMATCH
    assert await desk.broker.answer(answer(Answer.DENY, digest="")) is AnswerFate.MISMATCH
    assert not waiting.done()
    assert await desk.broker.answer(answer()) is AnswerFate.TAKEN
    assert await waiting == answered(Answer.ALLOW)


async def test_always_is_refused_where_no_rule_was_proposed() -> None:  # X22
    desk, waiting = await open_desk()
    assert await desk.broker.answer(answer(Answer.ALWAYS)) is AnswerFate.NOT_OFFERED
    assert not waiting.done()
    await desk.broker.answer(answer(Answer.DENY))
    assert await waiting == answered(Answer.DENY)


@pytest.mark.promise("T-068")
async def test_with_nobody_there_it_is_denied_at_once_and_nobody_is_asked() -> None:  # X16
    desk = Desk()
    assert await desk.broker.ask(ASKING) == withdrawn()
    assert desk.events == []


@pytest.mark.promise("T-068", "T-069")
async def test_the_last_one_leaving_denies() -> None:  # X17
    desk, waiting = await open_desk(A, B)
    desk.broker.detach(A)
    await settle()
    assert not waiting.done()
    desk.broker.detach(B)
    assert await waiting == withdrawn()
    assert desk.settled == [withdrawn()]
    assert await desk.broker.answer(answer()) is AnswerFate.EXPIRED


async def test_a_stopped_turn_withdraws_its_question_and_a_late_yes_is_expired() -> None:  # X08
    desk, waiting = await open_desk()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert desk.settled == [withdrawn()]
    assert await desk.broker.answer(answer()) is AnswerFate.EXPIRED


@pytest.mark.promise("T-067", "T-255")
async def test_a_window_that_comes_later_sees_the_open_question_with_its_deadline() -> None:
    desk, waiting = await open_desk()
    await desk.clock.advance(50)
    await desk.broker.attach(B)
    assert desk.events[-1] == QuestionAsked(desk.question(), B)
    assert desk.question().deadline_at - desk.clock.now() == timedelta(seconds=70)
    assert await desk.broker.answer(answer(window=B)) is AnswerFate.TAKEN
    assert await waiting == answered(Answer.ALLOW, B)


async def test_a_window_that_comes_later_sees_no_old_question() -> None:  # X19
    desk = Desk()
    await desk.broker.attach(A)
    for number in range(1, 11):
        waiting = asyncio.ensure_future(desk.broker.ask(ASKING))
        await settle()
        await desk.broker.answer(answer(question=f"q{number}"))
        await waiting
    before = list(desk.events)
    await desk.broker.attach(B)
    assert desk.events == before


async def test_several_questions_queue_and_each_has_its_own_time() -> None:
    desk = Desk()
    await desk.broker.attach(A)
    first, second = (asyncio.ensure_future(desk.broker.ask(asking(d))) for d in ("d1", "d2"))
    await settle()
    assert desk.asked == [("q1", None)]
    assert await desk.broker.answer(answer(question="q2", digest="d2")) is AnswerFate.UNKNOWN
    await desk.clock.advance(100)
    await desk.broker.answer(answer())
    assert await first == answered(Answer.ALLOW)
    await settle()
    assert desk.asked == [("q1", None), ("q2", None)]
    await desk.clock.advance(APPROVAL_TIMEOUT_S - 1)
    assert not second.done()
    await desk.clock.advance(1)
    assert await second == expired("q2")


async def test_a_queueing_question_is_denied_with_the_shown_one_when_the_last_window_goes() -> None:
    desk = Desk()
    await desk.broker.attach(A)
    first, second = (asyncio.ensure_future(desk.broker.ask(asking(d))) for d in ("d1", "d2"))
    await settle()
    desk.broker.detach(A)
    assert [await first, await second] == [withdrawn("q1"), withdrawn("q2")]
    assert desk.asked == [("q1", None)]


async def test_a_queueing_question_of_a_stopped_turn_is_never_shown() -> None:
    desk = Desk()
    await desk.broker.attach(A)
    first, second = (asyncio.ensure_future(desk.broker.ask(asking(d))) for d in ("d1", "d2"))
    await settle()
    second.cancel()
    await settle()
    await desk.broker.answer(answer())
    assert await first == answered(Answer.ALLOW)
    await settle()
    assert desk.asked == [("q1", None)]
    assert await desk.broker.answer(answer(question="q2", digest="d2")) is AnswerFate.EXPIRED


async def test_stopping_twice_still_closes_every_dialog() -> None:
    gate = asyncio.Event()
    events: list[Event] = []

    async def slow(event: Event) -> None:
        if isinstance(event, QuestionSettled):
            await gate.wait()
        events.append(event)

    broker = Broker(FakeClock(), slow, lambda: "q1")
    await broker.attach(A)
    waiting = asyncio.ensure_future(broker.ask(ASKING))
    await settle()
    for _ in range(2):
        waiting.cancel()
        await settle()
    gate.set()
    await settle()
    assert [e.settled for e in events if isinstance(e, QuestionSettled)] == [withdrawn()]
    assert waiting.cancelled()


async def test_a_question_that_could_not_be_told_is_withdrawn() -> None:
    events: list[Event] = []

    async def full_disk(event: Event) -> None:
        if isinstance(event, QuestionAsked):
            raise OSError("disk full")
        events.append(event)

    broker = Broker(FakeClock(), full_disk, lambda: "q1")
    await broker.attach(A)
    with pytest.raises(OSError, match="disk full"):
        await broker.ask(ASKING)
    assert [e.settled.end for e in events if isinstance(e, QuestionSettled)] == [QuestionEnd.WITHDRAWN]
    assert broker.shown is None


async def test_the_memory_of_ended_questions_is_bounded() -> None:
    desk = Desk()
    for _ in range(REMEMBERED + 1):
        await desk.broker.ask(ASKING)
    assert await desk.broker.answer(answer(question="q1")) is AnswerFate.UNKNOWN
    assert await desk.broker.answer(answer(question="q2")) is AnswerFate.EXPIRED
