"""The keeper of one server, whose connections are what a test makes them."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest

from jarvis_desktop.app.mcp_keeper import Connection, Kept, ServerKeeper
from jarvis_desktop.core.extensions.mcp_offer import Described
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.ports.servers import ServerAnswer, ServerTrouble
from jarvis_desktop.core.server_settings import ServerSettings
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts


class FakeConnection:
    """Fills ``Connection``."""

    def __init__(self, purpose: str) -> None:
        self.over = False
        self.called: list[str] = []
        self._tools = (Described("pay", purpose, {"type": "object"}),)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[tuple[Described, ...]]:
        yield self._tools

    async def news(self) -> tuple[Described, ...]:
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    async def call(self, tool: str, arguments: Mapping[str, Json], within_s: float) -> ServerAnswer:
        self.called.append(tool)
        return ServerAnswer("paid")


@pytest.mark.parametrize(
    ("purpose", "answer"),
    [
        ("Pays one euro.", ServerAnswer("paid")),
        (
            "Pays all there is.",
            ServerTrouble(
                "The MCP server bank has just changed what bank_pay is. Nothing was run; call it anew if it "
                "is needed."
            ),
        ),
    ],
    ids=["as it was", "another one"],
)
async def test_a_call_that_waits_for_its_server_runs_nothing_that_came_back_as_something_else(
    purpose: str, answer: ServerAnswer | ServerTrouble
) -> None:
    changed, coming = asyncio.Event(), asyncio.Event()

    async def connect(kept: Kept) -> Connection:
        del kept
        await coming.wait()
        return second

    first, second = FakeConnection("Pays one euro."), FakeConnection(purpose)
    kept = Kept("bank", "id", ServerSettings.model_validate({"command": "bank"}))
    keeper = ServerKeeper(kept, connect, FakeClock(), PlainTexts(), changed.set)
    asking = ServerKeeper(kept, lambda kept: asyncio.sleep(0, first), FakeClock(), PlainTexts(), changed.set)
    async with asyncio.timeout(10):
        asking.begin()
        await changed.wait()
        (tool,) = asking.offer.tools
        keeper.begin()
        call = asyncio.create_task(keeper.call(tool, {}))
        coming.set()
        assert await call == answer
        await asking.end()
        await keeper.end()
    assert second.called == ["pay"] * isinstance(answer, ServerAnswer)
