"""A person's folders with our own among them, rooms and the processes of extensions."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from jarvis_desktop.adapters.bwrap_sandbox import BwrapSandbox
from jarvis_desktop.adapters.extension_process import Code, Worker
from jarvis_desktop.adapters.extension_room import ExtensionRooms
from jarvis_desktop.core.items.extensions import ExtensionKind
from jarvis_desktop.core.policy.paths import Place
from tests.fakes.texts import PlainTexts

SECRET = "model: {}\n"


class Bench:
    """Starts extensions from source text."""

    def __init__(self, root: Path, closing: AsyncExitStack) -> None:
        self.person = root / "person"
        self.home = self.person / ".jarvis"
        self.runtime = root / "runtime"
        for folder in (self.home, self.runtime, self.person / ".ssh"):
            folder.mkdir(parents=True)
        (self.home / "settings.yaml").write_text(SECRET)
        (self.runtime / "bus").write_text("stands for the session bus\n")
        environ = {
            **os.environ,
            "HOME": str(self.person),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "DISPLAY": ":77",
        }
        self.sandbox = BwrapSandbox(Place("/", str(self.person), str(self.home)), environ)
        self.rooms = ExtensionRooms(self.home, self.sandbox, PlainTexts(), environ=environ)
        self._closing = closing

    def worker(self, source: str, *tools: str, hooks: tuple[str, ...] = (), writes: bool = False) -> Worker:
        """The process of a file with this source."""
        path = self.home / "tools" / "sample.py"
        code = Code(ExtensionKind.TOOL, "sample", path, source.encode(), tools, hooks)
        worker = Worker(code, self.rooms, writes=writes)
        self._closing.push_async_callback(worker.close)
        return worker


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with AsyncExitStack() as closing:
        made = Bench(tmp_path, closing)
        closing.push_async_callback(made.sandbox.close)
        await made.sandbox.try_out()
        assert made.sandbox.rooms, "bubblewrap must work here"
        yield made
