"""Answers from a notification: late, repeated and mismatching ones change nothing and are told apart."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, AnswerFate, QuestionEnd, Settled
from jarvis_desktop.core.items.ids import QuestionId
from jarvis_desktop.core.policy.broker import APPROVAL_TIMEOUT_S
from tests.fakes.clock import settle
from tests.unit.policy.asking import ASKING, A, Desk, answer, expired

FROM_THERE = AnsweredBy.NOTIFICATION


@asynccontextmanager
async def asked() -> AsyncIterator[tuple[Desk, "asyncio.Future[Settled]"]]:
    desk = Desk()
    await desk.broker.attach(A)
    waiting = asyncio.ensure_future(desk.broker.ask(ASKING))
    await settle()
    yield desk, waiting
    await asyncio.wait_for(waiting, 20)


@pytest.mark.promise("T-065")
async def test_the_first_press_decides_and_the_second_hears_so() -> None:
    async with asked() as (desk, waiting):
        assert await desk.broker.answer(answer(Answer.DENY, by=FROM_THERE)) is AnswerFate.TAKEN
        assert await desk.broker.answer(answer(by=FROM_THERE)) is AnswerFate.ALREADY_ANSWERED
        assert await waiting == Settled(
            QuestionId("q1"), QuestionEnd.ANSWERED, Answer.DENY, AnsweredBy.NOTIFICATION, A
        )


@pytest.mark.promise("T-061")
async def test_a_press_after_the_time_is_expired() -> None:
    async with asked() as (desk, waiting):
        await desk.clock.advance(APPROVAL_TIMEOUT_S)
        assert await waiting == expired()
        assert await desk.broker.answer(answer(by=FROM_THERE)) is AnswerFate.EXPIRED


async def test_a_press_on_something_else_than_what_is_open_changes_nothing() -> None:
    async with asked() as (desk, waiting):
        assert await desk.broker.answer(answer(question="old", by=FROM_THERE)) is AnswerFate.UNKNOWN
        assert await desk.broker.answer(answer(digest="other", by=FROM_THERE)) is AnswerFate.MISMATCH
        assert not waiting.done()
        desk.broker.detach(A)
