"""The core with a scripted model, and a person who adds plugins to it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TypeVar

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.compose import run_core
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.core.items.commands import Attach, Command, Quit, SubmitTurn
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Event, TurnEnded
from jarvis_desktop.core.items.extensions import (
    EnableExtension,
    Extension,
    ExtensionCommand,
    ExtensionKind,
    ExtensionsChanged,
    ExtensionsLooked,
    ExtensionState,
    LookAtExtensions,
)
from jarvis_desktop.core.items.ids import WindowId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin
from tests.fakes.ollama_script import Script, Step
from tests.fakes.ollama_server import ScriptedOllama

E = TypeVar("E", bound=Event)
SETTINGS = """\
model: {{backend: ollama, name: "gemma4:e2b", host: "{host}", calls: native}}
agent: {{working_directory: {work}}}
"""
PATIENCE_S = 60
WINDOW = WindowId("w")
SEEN = (ExtensionState.ENABLED, ExtensionState.BROKEN, ExtensionState.WAITING, ExtensionState.CHANGED)


class Program:
    """The core, and what it says."""

    def __init__(self, root: Path, ollama: ScriptedOllama) -> None:
        self.home = root / ".jarvis"
        self.home.mkdir(mode=0o700)
        self.work = root / "work"
        self.work.mkdir()
        self.ollama = ollama
        text = SETTINGS.format(host=ollama.host, work=self.work)
        (self.home / "settings.yaml").write_text(text, "utf-8")
        self.folder = self.home / "plugins"
        self.inbox: asyncio.Queue[Command] = asyncio.Queue()
        self.seen: list[Event] = []
        self.core: asyncio.Task[None] | None = None
        self._events: asyncio.Queue[Event] = asyncio.Queue()

    async def serve(self) -> None:
        settings, problems = load_settings(self.home)
        start = Start(self.home, settings, Catalog(Language.ENGLISH), problems, voice=False)
        surface = Surface(self._take, self.inbox.put_nowait)
        await run_core(self.inbox, start, SystemClock(), surface)

    def _take(self, event: Event) -> None:
        self.seen.append(event)
        self._events.put_nowait(event)

    async def quit(self) -> None:
        """The program has ended."""
        assert self.core is not None
        self.inbox.put_nowait(Quit())
        async with asyncio.timeout(PATIENCE_S):
            await self.core

    async def ask(self, command: Command | ExtensionCommand | None, kind: type[E]) -> E:
        """The next event of a kind, after ``command`` if there is one."""
        if command is not None:
            self.inbox.put_nowait(command)
        async with asyncio.timeout(PATIENCE_S):
            while True:
                event = await self._events.get()
                if isinstance(event, kind):
                    return event

    async def say(self, text: str, *steps: Step) -> TurnEnded:
        """One turn, in which the model answers with these steps."""
        self.ollama.add(*steps)
        return await self.ask(SubmitTurn(text, Origin.TYPED), TurnEnded)

    def write(self, name: str, source: str) -> Path:
        """A plugin's file, replaced in one step as editors do."""
        self.folder.mkdir(exist_ok=True)
        fresh = self.folder / f".{name}.swp"
        fresh.write_text(source, "utf-8")
        return fresh.replace(self.folder / f"{name}.py")

    async def look(self, name: str) -> Extension | None:
        """The plugin as the settings window sees it."""
        looked = await self.ask(LookAtExtensions(1), ExtensionsLooked)
        found = (one for one in looked.extensions if one.kind is ExtensionKind.PLUGIN and one.name == name)
        return next(found, None)

    async def until(self, name: str, *states: ExtensionState) -> Extension:
        """The plugin, as soon as it is in one of these states."""
        while True:
            found = await self.look(name)
            if found is not None and found.state in states:
                return found
            await self.ask(None, ExtensionsChanged)

    async def enable(self, name: str, source: str) -> Extension:
        """A person adds a plugin and enables it as it is shown."""
        self.write(name, source)
        return await self.allow(name)

    async def allow(self, name: str) -> Extension:
        """A person enables what is shown."""
        shown = await self.until(name, *SEEN)
        self.inbox.put_nowait(EnableExtension(ExtensionKind.PLUGIN, name, shown.digest))
        return await self.until(name, ExtensionState.ENABLED, ExtensionState.BROKEN)

    @property
    def troubles(self) -> list[str]:
        """Lines of the activity about what went wrong, so far."""
        notes = (one for one in self.seen if isinstance(one, ActivityNoted))
        return [one.text for one in notes if one.kind is ActivityKind.TROUBLE]

    @property
    def activity(self) -> list[str]:
        """Lines of the activity so far."""
        return [one.text for one in self.seen if isinstance(one, ActivityNoted)]


@pytest.fixture
async def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Program]:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with ScriptedOllama(script=Script()) as ollama:
        made = Program(tmp_path, ollama)
        made.core = asyncio.create_task(made.serve())
        async with AsyncExitStack() as closing:
            closing.push_async_callback(made.quit)
            made.inbox.put_nowait(Attach(WINDOW))
            yield made
