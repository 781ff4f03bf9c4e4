"""ALWAYS, and questions that a rule comes to cover."""

import asyncio
from dataclasses import dataclass, replace

import pytest

from jarvis_desktop.core.items.decisions import (
    Answer,
    AnsweredBy,
    AnswerFate,
    QuestionEnd,
    RuleOffer,
    Saved,
    Settled,
)
from jarvis_desktop.core.items.events import AnswerRefused, QuestionSettled
from jarvis_desktop.core.items.ids import QuestionId
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.policy.broker import LOOK_AGAIN_S, Asking
from tests.fakes.clock import settle
from tests.unit.policy.asking import A, B, Desk, answer, answered, asking, withdrawn

OFFER = RuleOffer(
    lines=(RuleLine("bash", "git status"),),
    file="approvals/main.yaml",
    passes=("git status",),
    asks=("git stash",),
    project_decides=False,
)


@dataclass
class Rules:
    """The rules of a test: one that covers everything, or none."""

    there: bool = False
    looks: int = 0
    saved: int = 0

    async def covered(self) -> bool:
        self.looks += 1
        await asyncio.sleep(0)  # the disk is looked at meanwhile
        return self.there

    async def remember(self) -> Saved:
        await asyncio.sleep(0)
        self.saved += 1
        self.there = True
        return Saved(OFFER.lines)

    def asking(self, digest: str) -> Asking:
        return replace(asking(digest), offer=OFFER, covered=self.covered, remember=self.remember)


async def ask(desk: Desk, one: Asking) -> "asyncio.Future[Settled]":
    waiting = asyncio.ensure_future(desk.broker.ask(one))
    await settle()
    return waiting


def by_rule(question: str) -> Settled:
    return Settled(QuestionId(question), QuestionEnd.ANSWERED, Answer.ALLOW, AnsweredBy.RULE)


async def open_desk() -> Desk:
    desk = Desk()
    await desk.broker.attach(A)
    return desk


@pytest.mark.promise("T-077")
async def test_always_is_taken_where_it_was_offered_and_the_offer_is_in_the_question() -> None:
    desk = await open_desk()
    waiting = await ask(desk, replace(asking("d1"), offer=OFFER))
    assert desk.question().offer == OFFER
    assert await desk.broker.answer(answer(Answer.ALWAYS)) is AnswerFate.TAKEN
    assert await waiting == answered(Answer.ALWAYS)


async def test_an_answer_has_no_room_for_a_rule_of_its_own() -> None:  # X23
    own = {"question_id", "digest", "answer", "by", "window_id", "desktop"}
    assert set(type(answer()).__slots__) == own


@pytest.mark.parametrize("kind", [Answer.ALLOW, Answer.DENY])
async def test_only_always_is_remembered(kind: Answer) -> None:
    desk, rules = await open_desk(), Rules()
    waiting = await ask(desk, rules.asking("d1"))
    await desk.broker.answer(answer(kind))
    assert await waiting == answered(kind)
    assert rules.saved == 0


async def test_of_two_like_questions_the_second_is_never_seen_after_always() -> None:  # X04
    desk, rules = await open_desk(), Rules()
    first, second = await ask(desk, rules.asking("d1")), await ask(desk, rules.asking("d2"))
    await desk.broker.answer(answer(Answer.ALWAYS))
    assert [await first, await second] == [answered(Answer.ALWAYS), by_rule("q2")]
    assert (desk.asked, desk.settled) == ([("q1", None)], [answered(Answer.ALWAYS)])
    assert rules.saved == 1


async def test_a_shown_question_is_closed_everywhere_once_a_rule_is_made_elsewhere() -> None:
    desk, rules = await open_desk(), Rules()
    waiting = await ask(desk, rules.asking("d1"))
    question = desk.question()
    await desk.broker.recheck()
    assert not waiting.done()
    rules.there = True
    await desk.broker.recheck()
    assert await waiting == by_rule("q1")
    assert desk.events[-1] == QuestionSettled(question, by_rule("q1"))


@pytest.mark.promise("T-256")
async def test_a_late_answer_to_a_question_that_a_rule_closed_hears_that_it_was_answered() -> None:
    desk, rules = await open_desk(), Rules()
    waiting = await ask(desk, rules.asking("d1"))
    rules.there = True
    await desk.broker.recheck()
    await waiting
    assert await desk.broker.answer(answer(Answer.DENY, window=B)) is AnswerFate.ALREADY_ANSWERED
    assert desk.refused == [AnswerRefused(QuestionId("q1"), AnswerFate.ALREADY_ANSWERED, B)]


async def test_a_rule_file_edited_by_hand_closes_the_open_question_and_it_is_asked_once() -> None:  # X10
    desk, rules = await open_desk(), Rules()
    waiting = await ask(desk, rules.asking("d1"))
    await desk.clock.advance(LOOK_AGAIN_S * 3)
    assert not waiting.done()
    rules.there = True
    await desk.clock.advance(LOOK_AGAIN_S)
    assert await waiting == by_rule("q1")
    assert desk.asked == [("q1", None)]
    looked = rules.looks
    await desk.clock.advance(LOOK_AGAIN_S * 3)
    assert rules.looks == looked, "a closed question is watched no longer"


async def test_an_answer_given_while_the_rules_are_looked_at_comes_first() -> None:
    desk, gate = await open_desk(), asyncio.Event()

    async def slow() -> bool:
        if desk.asked:
            await gate.wait()
            return True
        return False

    waiting = await ask(desk, replace(asking("d1"), covered=slow))
    looking = asyncio.ensure_future(desk.broker.recheck())
    await settle()
    assert await desk.broker.answer(answer(Answer.DENY)) is AnswerFate.TAKEN
    gate.set()
    await looking
    assert await waiting == answered(Answer.DENY)


async def test_the_last_window_leaving_while_the_rules_are_looked_at_denies_unseen() -> None:
    desk, gate = await open_desk(), asyncio.Event()

    async def slow() -> bool:
        await gate.wait()
        return True

    waiting = await ask(desk, replace(asking("d1"), covered=slow))
    desk.broker.detach(A)
    gate.set()
    assert await waiting == withdrawn()
    assert desk.asked == []


async def test_a_question_that_no_rule_can_cover_is_left_alone() -> None:
    desk = await open_desk()
    waiting = await ask(desk, asking("d1"))
    await desk.broker.recheck()
    assert not waiting.done()
    await desk.broker.answer(answer())
    assert await waiting == answered(Answer.ALLOW)
