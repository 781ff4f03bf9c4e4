"""A desk over real files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.parts.rules import RuleRoom


@pytest.fixture
def room(tmp_path: Path) -> Iterator[RuleRoom]:
    room = RuleRoom(tmp_path)
    yield room
    room.close()
