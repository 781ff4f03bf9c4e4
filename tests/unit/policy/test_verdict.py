"""What the rules say before anybody is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.decisions import Verdict, VerdictKind
from jarvis_desktop.core.policy.facts import Facts
from jarvis_desktop.core.policy.verdict import verdict


@pytest.mark.promise("T-010")
def test_a_tool_that_needs_no_approval_is_allowed_with_the_reason() -> None:
    assert verdict(Facts("read_file", frozenset({"bash"}))) == Verdict(
        VerdictKind.ALLOW, "read_file needs no approval", "no-approval-needed"
    )


@pytest.mark.promise("T-002", "T-010")
def test_a_tool_that_needs_approval_asks_because_no_rule_covers_it() -> None:
    assert verdict(Facts("bash", frozenset({"bash"}))) == Verdict(
        VerdictKind.ASK, "bash needs approval and no rule covers this call", "no-rule"
    )


@given(st.text(), st.frozensets(st.text()))
def test_a_named_tool_is_never_allowed_unasked(tool: str, others: frozenset[str]) -> None:
    assert verdict(Facts(tool, others | {tool})).kind is VerdictKind.ASK
