"""What holds after a security setting could not be read."""

import pytest

from jarvis_desktop.core.items.decisions import VerdictKind
from jarvis_desktop.core.policy.facts import Facts
from jarvis_desktop.core.policy.verdict import verdict
from jarvis_desktop.core.settings import STRICTEST, SecuritySettings


@pytest.mark.parametrize("tool", ["bash", "write_file", "read_file", "a_tool_of_tomorrow"])
def test_with_the_strictest_setting_every_tool_asks(tool: str) -> None:
    strictest = SecuritySettings.model_validate({name: value for (_, name), value in STRICTEST.items()})

    assert verdict(Facts(tool, frozenset(strictest.require_approval_for))).kind is VerdictKind.ASK
