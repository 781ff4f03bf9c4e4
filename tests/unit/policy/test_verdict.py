"""What the rules say before anybody is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.decisions import Verdict, VerdictKind
from jarvis_desktop.core.policy.call_facts import Facts, OtherFacts
from jarvis_desktop.core.policy.danger import danger_list
from jarvis_desktop.core.policy.facts import Known
from jarvis_desktop.core.policy.rules import NO_RULES
from jarvis_desktop.core.policy.verdict import verdict
from tests.fakes.reading import PLACE
from tests.unit.policy3.support import command_facts, rules


def known(*facts: Facts, needs_approval: bool = True) -> Known:
    return Known(facts, NO_RULES, danger_list(None), needs_approval)


@pytest.mark.promise("T-010")
def test_a_tool_that_needs_no_approval_is_allowed_with_the_reason() -> None:
    assert verdict(known(OtherFacts("read_file", PLACE), needs_approval=False)) == Verdict(
        VerdictKind.ALLOW, "read_file needs no approval", "no-approval-needed"
    )


@pytest.mark.promise("T-002", "T-010")
def test_a_tool_that_needs_approval_asks_because_no_rule_covers_it() -> None:
    assert verdict(known(OtherFacts("bash", PLACE))) == Verdict(
        VerdictKind.ASK, "no rule covers bash", "no-rule"
    )


@given(st.text())
def test_a_named_tool_is_never_allowed_unasked(tool: str) -> None:
    assert verdict(known(OtherFacts(tool, PLACE))).kind is VerdictKind.ASK


def test_of_several_things_that_a_call_would_do_the_strictest_verdict_counts() -> None:
    facts = (command_facts("git status"), command_facts("sudo ls"), command_facts("make"))
    found = verdict(Known(facts, rules("git status"), danger_list(None), needs_approval=True))
    assert (found.kind, found.source) == (VerdictKind.BLOCK, "danger:privilege")
    found = verdict(Known(facts[::2], rules("git status"), danger_list(None), needs_approval=True))
    assert (found.kind, found.source) == (VerdictKind.ASK, "no-rule")
