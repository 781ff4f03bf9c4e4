"""Rules and commands of several parts, as goals meet them that run what was allowed before."""

import pytest

from jarvis_desktop.core.items.decisions import VerdictKind
from tests.unit.policy3.support import decided


@pytest.mark.goal_bug("approval", "An allowed prefix lets 'cmd && other'")
@pytest.mark.parametrize(
    "command",
    [
        "git log && touch x",
        "git log; touch x",
        "git log | sh",
        "git log\ntouch x",
        "git log $(touch x)",
        "git log `touch x`",
    ],
)
def test_a_rule_for_the_first_part_lets_no_other_part_run(command: str) -> None:
    assert decided(command, "bash git log").kind is VerdictKind.ASK


@pytest.mark.goal_bug("approval", "'grep x f | head' is asked")
def test_a_pipeline_runs_without_a_question_when_every_part_is_covered() -> None:
    rules = ("bash grep x", "bash head -20")
    assert decided("grep x f | head -20", *rules).kind is VerdictKind.ALLOW
    assert decided("grep x f | head -20", rules[0]).kind is VerdictKind.ASK
