"""Allow, ask or block, and why: a pure function of what is known."""

from jarvis_desktop.core.items.decisions import Verdict, VerdictKind
from jarvis_desktop.core.policy.facts import Known
from jarvis_desktop.core.policy.judge import judge

NO_APPROVAL_NEEDED = "no-approval-needed"
NO_SANDBOX = "no-sandbox"
REDEFINED = "redefined"
_UNCOVERED = "no-rule"
_STRICTNESS = (VerdictKind.ALLOW, VerdictKind.ASK, VerdictKind.BLOCK)


def verdict(known: Known) -> Verdict:
    """What the rules say about a call before anybody is asked (T-010); the strictest part decides."""
    found = [
        judge(
            facts,
            known.rules,
            known.danger,
            needs_approval=known.needs_approval,
            stands_in=known.stands_in,
        )
        for facts in known.facts
    ]
    return max(found, key=lambda one: _STRICTNESS.index(one.kind))


def said(known: Known) -> Verdict:
    """The verdict as it counts on this machine: a rule alone starts no command that nothing would confine."""
    found = verdict(known)
    if found.kind is VerdictKind.ALLOW and found.rules and known.unconfined:
        why = f"{found.why}, but commands cannot be confined here, so a person is asked"
        return Verdict(VerdictKind.ASK, why, NO_SANDBOX, found.rules)
    if found.kind is VerdictKind.ASK and found.source == _UNCOVERED and known.redefined:
        why = "the rule for this tool was remembered when it was another one"
        return Verdict(VerdictKind.ASK, why, REDEFINED)
    return found
