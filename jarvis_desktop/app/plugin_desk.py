"""The plugins in force: files are looked at before every turn, and only what a person enabled runs."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.extension_files import ExtensionFiles, FoundFile, read_plugins
from jarvis_desktop.adapters.extension_ledger import ExtensionLedger, LedgerRead
from jarvis_desktop.adapters.extension_process import WorkerError
from jarvis_desktop.adapters.extension_room import ExtensionRooms
from jarvis_desktop.adapters.folder_watch import FolderWatch
from jarvis_desktop.app.extension_gone import gone, is_gone
from jarvis_desktop.app.plugin_notices import PluginNotices
from jarvis_desktop.app.plugin_process import PluginProcess
from jarvis_desktop.app.plugin_words import FOLDER, hookless, key_of, loading_trouble, shown, wished
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted
from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    Extension,
    ExtensionKind,
    ExtensionState,
)
from jarvis_desktop.core.ports import Clock, Emit, Plugin, Texts

log = logging.getLogger(__name__)

TURN_WAITS_S = 10.0
"""For plugins that are being loaded: a guard should be there, and people should not wait for ever. Usually
all of them were loaded long before."""
SETTLE_S = 0.1
"""Editors write a file in several steps."""
WATCHED_AGAIN_S = 2.0
"""How often the setting is looked at, and a folder that is made later looked for."""


@dataclass(frozen=True, slots=True)
class PluginParts:
    """What the desk works with."""

    home: Path
    rooms: ExtensionRooms
    ledger: ExtensionLedger
    clock: Clock
    texts: Texts
    emit: Emit
    changed: Callable[[], None]
    """Told after what there is, or how it is, is something else; returns at once."""
    watches: Callable[[], bool]
    """The folder is to be watched, as the settings say now."""


class PluginDesk:
    """Fills ``Plugins`` for turns, and ``Shelf`` for the extensions' desk."""

    def __init__(self, parts: PluginParts) -> None:
        self._parts = parts
        self._files = ExtensionFiles(parts.home, FOLDER, read_plugins)
        self._notices = PluginNotices(parts.clock, parts.texts, parts.emit)
        self._seen: tuple[FoundFile, ...] | None = None
        """None before the first look."""
        self._ledger = LedgerRead()
        self._running: dict[str, PluginProcess] = {}
        self._parting: set[PluginProcess] = set()
        """No longer enabled; running turns keep them."""
        self._leaving: set[asyncio.Task[None]] = set()
        self._looking = asyncio.Lock()
        self._stirred = asyncio.Event()

    # --- for turns -----------------------------------------------------------------------------

    async def for_turn(self) -> Sequence[Plugin]:
        """Those that count now, loaded; see ``Plugins``."""
        for late in await self.ready():
            text = self._parts.texts("Plugin {plugin} is still starting; this turn goes on without it.")
            await self._note(text.format(plugin=late))
        plugins = [one for _, one in sorted(self._running.items()) if one.ready]
        for one in plugins:
            one.held += 1
        return plugins

    async def ready(self) -> Sequence[str]:
        """Those that count now are loaded, but for these, which are not waited for any longer."""
        await self._look()
        loading = {
            one.loading: one.name
            for one in self._running.values()
            if one.loading is not None and not one.loading.done()
        }
        if not loading:
            return ()
        _, late = await asyncio.wait(loading, timeout=TURN_WAITS_S)
        return sorted(loading[task] for task in late)

    def let_go(self, plugins: Sequence[Plugin]) -> None:
        """That turn is over; what is no longer enabled ends with the last turn that had it."""
        for one in plugins:
            assert isinstance(one, PluginProcess)
            one.held -= 1
            if not one.held and self._running.get(one.name) is not one:
                self._parting.discard(one)
                self._close(one)

    async def troubled(self, plugin: Plugin, trouble: str, *, off: bool) -> None:
        """It is shown beside the plugin; one that is off ends."""
        running = self._running.get(plugin.name)
        if running is not plugin or running is None:
            return
        running.trouble, running.off = trouble, off
        if off:
            await running.close()
        await self._tell()

    # --- for windows ---------------------------------------------------------------------------

    @property
    def folders(self) -> Mapping[ExtensionKind, Path]:
        """Where plugins lie."""
        return {ExtensionKind.PLUGIN: self.folder}

    @property
    def folder(self) -> Path:
        """Where plugins lie; it need not be there."""
        return self._files.folder

    async def look(self) -> Sequence[Extension]:
        """Every plugin file there is now."""
        await self._look()
        return self._shown()

    async def enable(self, wish: EnableExtension) -> None:
        """Let it run as it was shown; one that was left out is tried anew.

        Raises:
            ExtensionRefusedError: it is not there any more, or is something else by now.
        """
        async with self._looking:
            file = await self._found(wish.name)
            if file.digest != wish.digest or file.trouble is not None:
                text = self._parts.texts(
                    "{name} has changed since it was shown, so it was not enabled. Look at it again first."
                )
                raise ExtensionRefusedError(text.format(name=wish.name))
            await asyncio.to_thread(self._parts.ledger.enable, key_of(file), file.digest, file.text)
            self._retire(file.name)
            await self._read(anew=True)

    async def disable(self, wish: DisableExtension) -> None:
        """Let it run no more, from now on; forget it where its file is gone.

        Raises:
            ExtensionRefusedError: nobody knows it, or that could not be written down.
        """
        async with self._looking:
            await self._read()
            ledger, name = self._parts.ledger, wish.name
            if is_gone(ExtensionKind.PLUGIN, name, self._ledger, self._names()):
                await asyncio.to_thread(ledger.forget, (ExtensionKind.PLUGIN, name))
            else:
                await asyncio.to_thread(ledger.disable, key_of(await self._found(name)))
            self._retire(name)
            for one in self._parting:  # what its file held before, in a turn that runs
                if one.name == name:
                    self._close(one)
            await self._read()

    async def run(self) -> None:
        """Load what is enabled, and look as soon as the folder changes, without end."""
        loop = asyncio.get_running_loop()
        watch = FolderWatch(self._files.folder, lambda: _tell_loop(loop, self._stirred))
        await self._look()
        try:
            while True:
                if self._parts.watches():
                    await asyncio.to_thread(watch.keep_up)
                    await self._look()
                else:
                    await asyncio.to_thread(watch.close)
                with suppress(TimeoutError):
                    async with asyncio.timeout(WATCHED_AGAIN_S):
                        await self._stirred.wait()
                if self._stirred.is_set():
                    await self._parts.clock.sleep(SETTLE_S)
                    self._stirred.clear()
        finally:
            watch.close()

    async def close(self) -> None:
        """No plugin runs any more."""
        for name in tuple(self._running):
            self._retire(name)
        for one in self._parting:
            self._close(one)
        if self._leaving:
            await asyncio.wait(self._leaving)

    # --- looking -------------------------------------------------------------------------------

    async def _look(self) -> None:
        async with self._looking:
            await self._read()

    async def _read(self, *, anew: bool = False) -> None:
        """Files and ledger are known as they are now; what is no longer enabled ends, what is begins."""
        seen, ledger = await asyncio.to_thread(lambda: (self._files.look(), self._parts.ledger.read()))
        if not anew and seen == self._seen and ledger == self._ledger:
            return
        self._seen, self._ledger = seen, ledger
        enabled = {one.name: one for one in seen if wished(one, self._ledger) is ExtensionState.ENABLED}
        for name, running in tuple(self._running.items()):
            if name not in enabled or enabled[name].digest != running.digest:
                self._retire(name, held=True)
                if name not in {one.name for one in seen}:
                    text = self._parts.texts("Plugin {plugin}: its file is gone, so it is called no more.")
                    await self._note(text.format(plugin=name))
        for name, file in enabled.items():
            if name not in self._running:
                self._begin(file)
        await self._tell()

    async def _tell(self) -> None:
        """How it is now is known to everybody who shows it."""
        await self._notices.tell(self._shown())
        self._parts.changed()

    def _shown(self) -> list[Extension]:
        running, texts = self._running, self._parts.texts
        there = [shown(file, self._ledger, running.get(file.name), texts) for file in self._seen or ()]
        return [*there, *gone(ExtensionKind.PLUGIN, self._ledger, self._names(), self.folder)]

    def _names(self) -> frozenset[str]:
        return frozenset(file.name for file in self._seen or ())

    def _begin(self, file: FoundFile) -> None:
        running = self._running[file.name] = PluginProcess(file, self._parts.rooms)
        running.loading = asyncio.create_task(self._load(running))

    async def _load(self, running: PluginProcess) -> None:
        try:
            await running.load()
        except WorkerError as error:
            running.trouble = loading_trouble(running.name, error, self._parts.texts)
        else:
            running.trouble = "" if running.hooks else hookless(running.file, self._parts.texts)
        if running.trouble:
            running.off = True
            log.warning("a plugin could not be loaded", extra={"plugin": running.name})
            await self._note(running.trouble)
            await running.end()
        await self._tell()

    def _retire(self, name: str, *, held: bool = False) -> None:
        """No turn that begins has it. held: turns that run keep it to their end."""
        running = self._running.pop(name, None)
        if running is not None and held and running.held:
            self._parting.add(running)
        elif running is not None:
            self._close(running)

    def _close(self, running: PluginProcess) -> None:
        leaving = asyncio.create_task(running.close())
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def _found(self, name: str) -> FoundFile:
        seen = await asyncio.to_thread(self._files.look)
        for file in seen:
            if file.name == name:
                return file
        text = self._parts.texts("There is no {file} any more.")
        raise ExtensionRefusedError(text.format(file=f"{FOLDER}/{name}.py"))

    async def _note(self, text: str) -> None:
        await self._parts.emit(ActivityNoted(ActivityKind.TROUBLE, text, self._parts.clock.now()))


def _tell_loop(loop: asyncio.AbstractEventLoop, stirred: asyncio.Event) -> None:
    try:
        loop.call_soon_threadsafe(stirred.set)
    except RuntimeError:
        log.info("a plugin's file changed after the end")
