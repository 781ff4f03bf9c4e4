"""An open database, and the history of goals in it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_goals import SqliteGoals
from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.core.items.ids import MAIN_AGENT
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts
from tests.integration.goals.house import GOAL, House


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


@pytest.fixture
async def house(tmp_path: Path, store: SqliteStore, clock: FakeClock) -> House:
    """With one goal, and a conversation in which things can be told."""
    await store.begin_conversation(MAIN_AGENT, tmp_path)
    made = House(tmp_path, store, clock)
    made.files.give(GOAL)
    return made
