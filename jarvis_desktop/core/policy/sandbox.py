"""The one place that decides about a call: the verdict, and asking where it says so."""

from dataclasses import dataclass
from functools import partial

from jarvis_desktop.core.items.decisions import (
    Allowed,
    Answer,
    AnsweredBy,
    Basis,
    Decision,
    Denied,
    Guarding,
    QuestionEnd,
    RuleOffer,
    Saved,
    Settled,
    TimedOut,
    Verdict,
    VerdictKind,
    claim_mint,
)
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.room import DESKTOP_ROOM, PERSONS_ROOM
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.policy.broker import APPROVAL_TIMEOUT_S, Asking, Broker
from jarvis_desktop.core.policy.command_facts import CommandFacts
from jarvis_desktop.core.policy.confinement import closed_room
from jarvis_desktop.core.policy.digest import call_digest
from jarvis_desktop.core.policy.facts import Known, Matter, Reading, gather
from jarvis_desktop.core.policy.git_guard import guarded_text
from jarvis_desktop.core.policy.proposals import proposal
from jarvis_desktop.core.policy.roles import attended
from jarvis_desktop.core.policy.rules import SHELL_TOOL
from jarvis_desktop.core.policy.verdict import NO_APPROVAL_NEEDED, said

LOOKS = 3
"""A question that a rule closes is decided anew; rules that come and go do not keep it going for ever."""

_mint = claim_mint()


async def decide(matter: Matter, broker: Broker, reading: Reading) -> Decision:
    """Allowed, denied or timed out, with the reason; nothing else in the program makes an ``Allow``."""
    for _ in range(LOOKS):
        known = await gather(matter, reading)
        found = said(known)
        if found.kind is VerdictKind.ALLOW:
            return _by_rule(matter, known, found)
        if found.kind is VerdictKind.BLOCK:
            return Denied(AnsweredBy.RULE, found.why, _basis(matter, found))
        if not attended(matter.request.situation):
            return Denied(AnsweredBy.NOBODY, "a person has to be asked first", _basis(matter, found))
        decision = await _Asked(matter, known, found, reading).answered(broker)
        if decision is not None:
            return decision
    return Denied(AnsweredBy.NOBODY, "the rules kept changing", _basis(matter, found))


async def still_stands(matter: Matter, decision: Allowed, reading: Reading) -> bool:
    """Right before the launch: nothing that the decision rests on was taken back (X11)."""
    known = await gather(matter, reading)
    found = said(known)
    if found.kind is VerdictKind.BLOCK:
        return False
    if decision.allow.by is AnsweredBy.RULE:
        kept = decision.allow.guarded, decision.allow.room
        now = _guarded(known, found)
        return found.kind is VerdictKind.ALLOW and (now.text, now.room) == kept
    saved = decision.basis.saved if decision.basis is not None else ()
    return {*saved} <= {rule.line for rule in known.rules.rules}


def _by_rule(matter: Matter, known: Known, found: Verdict) -> Allowed:
    allow = _mint(_digest(matter, ""), AnsweredBy.RULE, "", _guarded(known, found))
    unasked = found.source == NO_APPROVAL_NEEDED
    return Allowed(allow, found.source, None if unasked else _basis(matter, found))


def _guarded(known: Known, found: Verdict) -> Guarding:
    """What a shell gets in place of the command when a rule allowed it, and where."""
    facts = known.facts[0]
    if not found.rules or not isinstance(facts, CommandFacts) or facts.tool != SHELL_TOOL:
        return Guarding()
    return Guarding(guarded_text(facts.text, facts.plain), closed_room(facts, network=known.network))


@dataclass(slots=True)
class _Asked:
    """A call that a person is asked about."""

    matter: Matter
    known: Known
    found: Verdict
    reading: Reading
    saved: tuple[RuleLine, ...] = ()
    unsaved: str = ""

    async def answered(self, broker: Broker) -> Decision | None:
        """What came of it; None when a rule closed the question, so that the rules say what runs."""
        exhibit = await self.matter.exhibit()
        digest, offer = _digest(self.matter, exhibit.snapshot), self._offer()
        asking = Asking(
            self.matter.call,
            self.matter.request,
            exhibit.shown,
            exhibit.detail,
            self.found,
            digest,
            offer,
            covered=self._covered,
            desktop=self.matter.call.name == SHELL_TOOL and self.matter.added is None,
            added=self.matter.added,
            remember=None if offer is None else partial(self._remember, offer.lines),
        )
        settled = await broker.ask(asking)
        if settled.by is AnsweredBy.RULE:
            return None
        basis = Basis(self.found, exhibit.detail, digest, settled, self.saved, self.unsaved)
        if settled.answer in (Answer.ALLOW, Answer.ALWAYS):
            room = DESKTOP_ROOM if settled.desktop else PERSONS_ROOM
            allow = _mint(digest, settled.by, exhibit.snapshot, Guarding(room=room))
            return Allowed(allow, "a person allowed it", basis)
        if settled.end is QuestionEnd.EXPIRED:
            return TimedOut(APPROVAL_TIMEOUT_S, basis)
        return Denied(settled.by, _why_denied(settled), basis)

    def _offer(self) -> RuleOffer | None:
        """What ALWAYS would save; nothing where a rule is there already or must not be."""
        if self.found.rules or len(self.known.facts) != 1 or self.known.stands_in:
            return None
        found = proposal(self.known.facts[0], self.known.danger)
        if found is None:
            return None
        file = self.reading.rules.file_of(self.matter.request.agent_id)
        return RuleOffer(found.lines, file, found.passes, found.asks, found.project_decides)

    async def _covered(self) -> bool:
        known = await gather(self.matter, self.reading)
        return said(known).kind is VerdictKind.ALLOW

    async def _remember(self, lines: tuple[RuleLine, ...]) -> Saved:
        try:
            self.saved = await self.reading.rules.save(self.matter.request.agent_id, lines)
        except UserFixableError as error:
            self.unsaved = str(error)
        return Saved(self.saved, self.unsaved)


def _why_denied(settled: Settled) -> str:
    if settled.end is QuestionEnd.ANSWERED:
        return "a person denied it"
    return "nobody was there to be asked"


def _basis(matter: Matter, found: Verdict) -> Basis:
    arguments = matter.call.arguments
    shown = arguments.get("command") or arguments.get("path") or dict(arguments)
    return Basis(found, str(shown), _digest(matter, ""))


def _digest(matter: Matter, snapshot: str) -> str:
    return call_digest(matter.call, matter.request.cwd, matter.request.agent_id, snapshot)
