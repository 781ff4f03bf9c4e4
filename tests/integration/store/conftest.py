"""An open store in a folder of its own, and requests to put into it."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.core.items.ids import MAIN_AGENT, SessionId, TurnId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnRequest
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts

Request = Callable[..., TurnRequest]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "jarvis.db"


@pytest.fixture
async def store(db: Path) -> AsyncIterator[SqliteStore]:
    opened = await open_store(db, FakeClock(), PlainTexts())
    yield opened.store
    await opened.store.close()


@pytest.fixture
def request_of(tmp_path: Path) -> Request:
    """Makes the request of a turn."""

    def make(session_id: SessionId, turn_id: str, text: str = "What time is it?") -> TurnRequest:
        return TurnRequest(
            TurnId(turn_id), session_id, MAIN_AGENT, text, Origin.TYPED, Language.KOREAN, tmp_path, START
        )

    return make
