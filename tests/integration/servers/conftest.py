"""A person's folders with a settings file, the shelf of servers over it, real rooms and real processes."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import yaml

from jarvis_desktop.adapters.bwrap_sandbox import BwrapSandbox
from jarvis_desktop.adapters.extension_room import ExtensionRooms
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app import mcp_keeper
from jarvis_desktop.app.mcp_notices import McpNotices
from jarvis_desktop.app.mcp_parts import connecting
from jarvis_desktop.app.mcp_shelf import McpParts, McpShelf
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.extensions import EnableExtension, Extension, ExtensionKind, ExtensionState
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.ports.servers import ServerAnswer, ServerTrouble
from tests.fakes.texts import PlainTexts
from tests.parts.mcp_servers import evil

WITHIN_S = 60.0
"""Far more than anything here takes; a test that waits so long has failed."""
ENABLED, BROKEN = ExtensionState.ENABLED, ExtensionState.BROKEN


class Bench:
    """Servers in a settings file."""

    def __init__(self, root: Path, closing: AsyncExitStack) -> None:
        self.person = root / "person"
        self.home = self.person / ".jarvis"
        self.home.mkdir(parents=True)
        (self.home / "secret.txt").write_text("ours")
        self.environ: dict[str, str] = {**os.environ, "HOME": str(self.person), "DISPLAY": ":77"}
        self.sandbox = BwrapSandbox(Place("/", str(self.person), str(self.home)), self.environ)
        self.rooms = ExtensionRooms(self.home, self.sandbox, PlainTexts(), environ=self.environ)
        self.taken: set[str] = set()
        self.context_tokens = 100_000
        self.news = asyncio.Event()
        self.events: list[Event] = []
        self.shelf = self.opened()
        self._closing = closing
        closing.push_async_callback(self.sandbox.close)
        closing.push_async_callback(self.shelf.close)

    def opened(self) -> McpShelf:
        """As at the start of the program."""
        return McpShelf(
            McpParts(
                self.home,
                connecting(self.rooms, PlainTexts(), lambda: self.environ),
                lambda name: name in self.taken,
                lambda: self.context_tokens,
                asyncio.to_thread,
                McpNotices(SystemClock(), PlainTexts(), self.emit),
                SystemClock(),
                PlainTexts(),
                self.news.set,
            )
        )

    async def emit(self, event: Event) -> None:
        """What people are told."""
        self.events.append(event)

    def data(self, name: str) -> Path:
        """The server's own folder."""
        return self.rooms.data_folder(ExtensionKind.SERVER, name)

    def write(self, **servers: Mapping[str, object]) -> None:
        """They are what the settings say."""
        text = yaml.safe_dump({"mcp_servers": {name: dict(one) for name, one in servers.items()}})
        (self.home / "settings.yaml").write_text(text)

    async def enable(self, name: str) -> None:
        """A person has read what is shown, and says yes."""
        await self.shelf.enable(EnableExtension(ExtensionKind.SERVER, name, (await self.seen(name)).digest))

    async def seen(self, name: str) -> Extension:
        """The server as it is shown now."""
        return next(one for one in await self.shelf.look() if one.name == name)

    async def until(self, name: str, holds: Callable[[Extension], bool]) -> Extension:
        """What is shown, once that holds of it."""
        async with asyncio.timeout(WITHIN_S):
            while True:
                self.news.clear()
                found = await self.seen(name)
                if holds(found):
                    return found
                await self.news.wait()

    async def up(self, name: str, mode: str = "well", **more: object) -> Extension:
        """An evil server, enabled and connected."""
        self.write(**{name: {**evil(self.data(name), mode), **more}})
        await self.enable(name)
        return await self.until(name, lambda one: one.state is ENABLED)

    async def call(self, name: str, **arguments: object) -> ServerAnswer | ServerTrouble:
        """What a tool answers, past everybody who asks first."""
        keeper = self.shelf._keepers[name.partition("_")[0]]
        tool = next(one for one in keeper.offer.tools if one.name == name)
        async with asyncio.timeout(WITHIN_S):
            return await self.shelf.call(tool, arguments)


@pytest.fixture
async def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    monkeypatch.setattr(mcp_keeper, "PAUSES_S", (0.01,))
    async with AsyncExitStack() as closing:
        made = Bench(tmp_path, closing)
        await made.sandbox.try_out()
        assert made.sandbox.rooms, "bubblewrap must work here"
        looking = asyncio.create_task(made.shelf.run())
        yield made
        looking.cancel()
        await asyncio.wait({looking})


Waiting = Callable[[str], Awaitable[str]]


async def file_text(path: Path) -> str:
    """What a server has written, once it has."""
    async with asyncio.timeout(WITHIN_S):
        while not path.exists() or not path.read_text():
            await asyncio.sleep(0.01)
    return path.read_text()


def said(answer: ServerAnswer | ServerTrouble) -> dict[str, object]:
    """The JSON in an answer."""
    assert isinstance(answer, ServerAnswer)
    found: dict[str, object] = json.loads(answer.text)
    return found
