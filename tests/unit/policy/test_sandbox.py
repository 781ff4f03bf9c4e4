"""Verdict plus asking, and the only ``Allow``."""

import asyncio

import pytest

from jarvis_desktop.core.items.decisions import (
    Allow,
    Allowed,
    Answer,
    AnsweredBy,
    Basis,
    Denied,
    Guarding,
    Shown,
    TimedOut,
    Verdict,
    VerdictKind,
    claim_mint,
)
from jarvis_desktop.core.policy import sandbox
from jarvis_desktop.core.policy.broker import APPROVAL_TIMEOUT_S
from jarvis_desktop.core.policy.digest import call_digest
from jarvis_desktop.core.policy.facts import Known, Matter, Reading
from jarvis_desktop.core.tool import Preview
from tests.fakes.clock import settle
from tests.fakes.reading import World
from tests.unit.policy.asking import CALL, REQUEST, A, Desk, answer, answered, expired, withdrawn


def world(*ask_for: str) -> Reading:
    """Settings under which these tools ask."""
    made = World()
    made.security.set(require_approval_for=ask_for)
    return made.reading


ASKS, FREE = world("bash"), world()
DIGEST = call_digest(CALL, REQUEST.cwd, REQUEST.agent_id, "v1")


async def exhibit() -> Preview:
    return Preview(Shown.COMMAND, "ls", "v1")


ASK = Verdict(VerdictKind.ASK, "no rule covers 'ls'", "no-rule")
MATTER = Matter(CALL, REQUEST, exhibit)


async def asked(kind: Answer) -> object:
    desk = Desk()
    await desk.broker.attach(A)
    deciding = asyncio.ensure_future(sandbox.decide(MATTER, desk.broker, ASKS))
    await settle()
    await desk.broker.answer(answer(kind, digest=DIGEST))
    return await deciding


@pytest.mark.promise("T-001", "T-009")
def test_nobody_else_can_make_an_allow() -> None:
    with pytest.raises(RuntimeError):
        claim_mint()
    with pytest.raises(TypeError):
        Allow("d", AnsweredBy.WINDOW, "", Guarding(), _seal=object())


@pytest.mark.promise("T-010", "T-011", "T-012", "T-240")
async def test_an_allowed_call_gets_permission_for_exactly_what_was_shown() -> None:
    decision = await asked(Answer.ALLOW)
    assert isinstance(decision, Allowed)
    assert (decision.allow.digest, decision.allow.by, decision.allow.snapshot, decision.why) == (
        DIGEST,
        AnsweredBy.WINDOW,
        "v1",
        "a person allowed it",
    )


@pytest.mark.promise("T-011", "T-012", "T-013", "T-060", "T-240")
async def test_a_denial_is_a_value_with_its_reason() -> None:
    decision = await asked(Answer.DENY)
    assert isinstance(decision, Denied)
    assert (decision.by, decision.why) == (AnsweredBy.WINDOW, "a person denied it")
    assert decision.basis == Basis(ASK, "ls", DIGEST, answered(Answer.DENY))


@pytest.mark.promise("T-011", "T-012", "T-061", "T-240")
async def test_a_time_out_is_neither_allowed_nor_denied() -> None:
    desk = Desk()
    await desk.broker.attach(A)
    deciding = asyncio.ensure_future(sandbox.decide(MATTER, desk.broker, ASKS))
    await settle()
    await desk.clock.advance(APPROVAL_TIMEOUT_S)
    assert await deciding == TimedOut(APPROVAL_TIMEOUT_S, Basis(ASK, "ls", DIGEST, expired()))


@pytest.mark.promise("T-068")
async def test_with_nobody_there_the_denial_says_so() -> None:
    decision = await sandbox.decide(MATTER, Desk().broker, ASKS)
    assert decision == Denied(
        AnsweredBy.NOBODY, "nobody was there to be asked", Basis(ASK, "ls", DIGEST, withdrawn())
    )


@pytest.mark.promise("T-010")
async def test_a_call_that_needs_no_approval_is_allowed_unseen() -> None:
    async def never() -> Preview:
        raise AssertionError("nothing is drawn when nobody is asked")

    desk = Desk()
    decision = await sandbox.decide(Matter(CALL, REQUEST, never), desk.broker, FREE)
    assert isinstance(decision, Allowed)
    assert decision.why == "no-approval-needed"
    assert (decision.allow.by, decision.allow.digest) == (
        AnsweredBy.RULE,
        call_digest(CALL, REQUEST.cwd, REQUEST.agent_id),
    )
    assert desk.events == []


async def test_a_blocked_call_is_denied_without_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    def blocks(known: Known) -> Verdict:
        return Verdict(VerdictKind.BLOCK, "it would erase the disk", "disk-write")

    monkeypatch.setattr(sandbox, "said", blocks)
    desk = Desk()
    await desk.broker.attach(A)
    decision = await sandbox.decide(MATTER, desk.broker, ASKS)
    assert isinstance(decision, Denied)
    assert (decision.by, decision.why) == (AnsweredBy.RULE, "it would erase the disk")
    assert desk.events == []


@pytest.mark.promise("T-023")
async def test_the_same_call_is_asked_about_again() -> None:
    assert isinstance(await asked(Answer.DENY), Denied)
    assert isinstance(await asked(Answer.ALLOW), Allowed)


async def test_a_preview_that_cannot_be_drawn_fails_before_anybody_is_asked() -> None:
    async def broken() -> Preview:
        raise OSError("disk gone")

    desk = Desk()
    await desk.broker.attach(A)
    with pytest.raises(OSError, match="disk gone"):
        await sandbox.decide(Matter(CALL, REQUEST, broken), desk.broker, ASKS)
    assert desk.events == []
