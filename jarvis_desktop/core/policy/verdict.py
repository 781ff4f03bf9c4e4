"""Allow, ask or block, and why: a pure function of the facts."""

from jarvis_desktop.core.items.decisions import Verdict, VerdictKind
from jarvis_desktop.core.policy.facts import Facts
from jarvis_desktop.core.settings import EVERY_TOOL

NO_APPROVAL_NEEDED = "no-approval-needed"
NO_RULE = "no-rule"


def verdict(facts: Facts) -> Verdict:
    """What the rules say about a call before anybody is asked (T-010)."""
    if not {facts.tool, EVERY_TOOL} & facts.ask_for:
        return Verdict(VerdictKind.ALLOW, f"{facts.tool} needs no approval", NO_APPROVAL_NEEDED)
    return Verdict(VerdictKind.ASK, f"{facts.tool} needs approval and no rule covers this call", NO_RULE)
