"""Every situation that this part answers for has a test of its name."""

import re
from pathlib import Path

import pytest

from tests.unit.policy3.support import rows

ELSEWHERE = {"windows", "dialog", "voice"}
TESTS = Path(__file__).parents[2]
NAMED = {
    name.upper()
    for path in TESTS.rglob("test_*.py")
    for name in re.findall(r"def test_(x\d\d)_", path.read_text("utf-8"))
}


@pytest.mark.parametrize(
    "number", [row["id"] for row in rows("situations.jsonl") if row["cat"] not in ELSEWHERE]
)
def test_the_situation_is_a_test(number: str) -> None:
    assert number in NAMED
