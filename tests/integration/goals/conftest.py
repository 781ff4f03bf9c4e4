"""An open database, and the history of goals in it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_goals import SqliteGoals
from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def store(tmp_path: Path, clock: FakeClock) -> AsyncIterator[SqliteStore]:
    opened = await open_store(tmp_path / "jarvis.db", clock, PlainTexts())
    yield opened.store
    await opened.store.close()


@pytest.fixture
def history(store: SqliteStore, clock: FakeClock) -> SqliteGoals:
    return SqliteGoals(store, clock, PlainTexts())
