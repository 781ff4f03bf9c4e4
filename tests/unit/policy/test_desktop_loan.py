"""Lending the desktop: by a press in a window, to one call, and nothing is allowed from afar meanwhile."""

import asyncio
from dataclasses import replace

import pytest

from jarvis_desktop.core.items.commands import AnswerQuestion, DecideSaving
from jarvis_desktop.core.items.decisions import Allowed, Answer, AnsweredBy, AnswerFate
from jarvis_desktop.core.items.events import AnswerRefused
from jarvis_desktop.core.items.ids import QuestionId
from jarvis_desktop.core.items.room import DESKTOP_ROOM, PERSONS_ROOM
from jarvis_desktop.core.policy.desktop_loan import DesktopLoan
from jarvis_desktop.core.policy.sandbox import decide
from tests.fakes.clock import settle
from tests.fakes.reading import World
from tests.unit.policy.asking import A, Desk, answer, asking
from tests.unit.policy.test_broker_always import OFFER, Rules
from tests.unit.policy.test_deciding import bash

LENDABLE = replace(asking("d1"), desktop=True)


async def ask(desk: Desk, **changes: object) -> "asyncio.Future[object]":
    await desk.broker.attach(A)
    waiting: asyncio.Future[object] = asyncio.ensure_future(
        desk.broker.ask(replace(LENDABLE, **changes))  # type: ignore[arg-type]  # test shorthand
    )
    await settle()
    return waiting


def lent(kind: Answer = Answer.ALLOW, by: AnsweredBy = AnsweredBy.WINDOW) -> AnswerQuestion:
    return replace(answer(kind, by=by), desktop=True)


async def test_a_press_in_a_window_lends_the_desktop_with_the_yes() -> None:
    desk = Desk()
    waiting = await ask(desk)
    assert desk.question().desktop
    assert await desk.broker.answer(lent()) is AnswerFate.TAKEN
    await waiting
    assert [(end.answer, end.desktop) for end in desk.settled] == [(Answer.ALLOW, True)]


@pytest.mark.parametrize(
    "command",
    [
        lent(by=AnsweredBy.VOICE),
        lent(by=AnsweredBy.NOTIFICATION),
        lent(by=AnsweredBy.CONSOLE),
        lent(Answer.ALWAYS),
        lent(Answer.DENY),
    ],
    ids=["voice", "notification", "console", "always", "deny"],
)
async def test_no_other_answer_lends_it(command: AnswerQuestion) -> None:
    desk = Desk()
    waiting = await ask(desk, offer=OFFER, remember=Rules().remember)
    assert await desk.broker.answer(command) is AnswerFate.NOT_OFFERED
    assert desk.settled == []
    waiting.cancel()


async def test_it_is_not_lent_where_it_was_not_offered() -> None:
    desk = Desk()
    waiting = await ask(desk, desktop=False)
    assert await desk.broker.answer(lent()) is AnswerFate.NOT_OFFERED
    waiting.cancel()


@pytest.mark.parametrize("by", [AnsweredBy.VOICE, AnsweredBy.NOTIFICATION])
async def test_while_a_call_has_the_desktop_nothing_is_allowed_by_voice_or_notification(
    by: AnsweredBy,
) -> None:
    desk = Desk()
    waiting = await ask(desk)
    with desk.broker.loan.during(DESKTOP_ROOM):
        assert await desk.broker.answer(answer(by=by)) is AnswerFate.DESKTOP_LENT
        assert desk.refused == [AnswerRefused(QuestionId("q1"), AnswerFate.DESKTOP_LENT, A)]
        assert not waiting.done()
    assert await desk.broker.answer(answer(by=by)) is AnswerFate.TAKEN
    await waiting


@pytest.mark.parametrize("by", [AnsweredBy.VOICE, AnsweredBy.NOTIFICATION])
async def test_meanwhile_everybody_can_deny_and_a_window_can_allow(by: AnsweredBy) -> None:
    for command in (answer(Answer.DENY, by=by), answer(Answer.ALLOW)):
        desk = Desk()
        waiting = await ask(desk)
        with desk.broker.loan.during(DESKTOP_ROOM):
            assert await desk.broker.answer(command) is AnswerFate.TAKEN
        await waiting


async def test_meanwhile_no_rule_is_saved_by_voice() -> None:
    desk, rules = Desk(), Rules()
    waiting = await ask(desk, offer=OFFER, remember=rules.remember)
    await desk.broker.answer(answer(Answer.ALWAYS, by=AnsweredBy.VOICE))
    await waiting
    with desk.broker.loan.during(DESKTOP_ROOM):
        await desk.broker.decide_saving(DecideSaving(QuestionId("q1"), "d1", save=True))
    assert rules.saved == 0


def test_a_loan_ends_with_the_last_call_that_has_it_whatever_ended_it() -> None:
    loan, seen = DesktopLoan(), []
    with loan.during(PERSONS_ROOM):
        seen.append(loan.lent)
    with loan.during(DESKTOP_ROOM):
        with pytest.raises(ValueError, match="broke"), loan.during(DESKTOP_ROOM):
            raise ValueError("broke")
        seen.append(loan.lent)
    seen.append(loan.lent)
    assert seen == [False, True, False]


@pytest.mark.parametrize(("desktop", "room"), [(True, DESKTOP_ROOM), (False, PERSONS_ROOM)])
async def test_the_lent_call_and_no_other_runs_in_a_room_with_the_desktop(
    desktop: bool,  # noqa: FBT001 - a parameter of the test
    room: object,
) -> None:
    desk, world = Desk(), World()
    await desk.broker.attach(A)
    deciding = asyncio.ensure_future(decide(bash("xdotool key a"), desk.broker, world.reading))
    await settle()
    shown = desk.question()
    await desk.broker.answer(
        AnswerQuestion(shown.question_id, shown.digest, Answer.ALLOW, AnsweredBy.WINDOW, A, desktop)
    )
    decision = await deciding
    assert isinstance(decision, Allowed)
    assert decision.allow.room == room
