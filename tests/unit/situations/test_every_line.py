"""Every situation of the list has a test of its name."""

import re
from pathlib import Path

import pytest

from tests.unit.policy3.support import rows

WITHOUT_TEST: dict[str, str] = {}
"""Those that cannot occur, with the reason."""
TESTS = Path(__file__).parents[2]
NAMED = {
    name.upper()
    for path in TESTS.rglob("test_*.py")
    for name in re.findall(r"def test_(x\d\d)_", path.read_text("utf-8"))
}


@pytest.mark.parametrize("number", [row["id"] for row in rows("situations.jsonl")])
def test_the_situation_is_a_test_or_cannot_occur(number: str) -> None:
    assert (number in NAMED) is (number not in WITHOUT_TEST)
