"""The one place that decides about a call: the verdict, and asking where it says so."""

from jarvis_desktop.core.items.decisions import (
    Allowed,
    Answer,
    AnsweredBy,
    Decision,
    Denied,
    QuestionEnd,
    Settled,
    TimedOut,
    Verdict,
    VerdictKind,
    claim_mint,
)
from jarvis_desktop.core.policy.broker import APPROVAL_TIMEOUT_S, Asking, Broker
from jarvis_desktop.core.policy.digest import call_digest
from jarvis_desktop.core.policy.facts import Matter, gather
from jarvis_desktop.core.policy.verdict import verdict
from jarvis_desktop.core.settings import SecuritySettings

_mint = claim_mint()


async def decide(matter: Matter, security: SecuritySettings, broker: Broker) -> Decision:
    """Allowed, denied or timed out, with the reason; nothing else in the program makes an ``Allow``."""
    found = verdict(await gather(matter, security))
    if found.kind is VerdictKind.ALLOW:
        return Allowed(_mint(_digest(matter, ""), AnsweredBy.RULE, ""), found.source)
    if found.kind is VerdictKind.BLOCK:
        return Denied(AnsweredBy.RULE, found.why)
    return await _ask(matter, found, broker)


async def _ask(matter: Matter, found: Verdict, broker: Broker) -> Decision:
    exhibit = await matter.exhibit()
    digest, snapshot = _digest(matter, exhibit.snapshot), exhibit.snapshot
    settled = await broker.ask(
        Asking(matter.call, matter.request, exhibit.shown, exhibit.detail, found, digest)
    )
    if settled.answer is Answer.ALLOW:
        return Allowed(_mint(digest, settled.by, snapshot), "a person allowed it")
    if settled.end is QuestionEnd.EXPIRED:
        return TimedOut(APPROVAL_TIMEOUT_S)
    return Denied(settled.by, _why_denied(settled))


def _why_denied(settled: Settled) -> str:
    if settled.end is QuestionEnd.ANSWERED:
        return "a person denied it"
    return "nobody was there to be asked"


def _digest(matter: Matter, snapshot: str) -> str:
    return call_digest(matter.call, matter.request.cwd, matter.request.agent_id, snapshot)
