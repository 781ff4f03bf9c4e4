"""An empty home with a database, and turns to put into it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_memory import SqliteMemory
from jarvis_desktop.adapters.sqlite_store import open_store
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts
from tests.parts.memory import Past


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
async def past(home: Path) -> AsyncIterator[Past]:
    clock, db = FakeClock(), home / "jarvis.db"
    opened = await open_store(db, clock, PlainTexts())
    memory = SqliteMemory(opened.store, db, clock, PlainTexts())
    await memory.index_anew()
    yield Past(opened.store, memory, clock, home)
    await opened.store.close()
