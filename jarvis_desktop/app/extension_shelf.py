"""Tools of the person's own: files looked at before every turn, run only as they were enabled."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from jarvis_desktop.adapters.extension_files import ExtensionFiles, FoundFile
from jarvis_desktop.adapters.extension_ledger import ExtensionLedger, LedgerRead, state_of
from jarvis_desktop.adapters.extension_room import ExtensionRooms
from jarvis_desktop.app.extension_gone import gone, is_gone
from jarvis_desktop.app.extension_notices import ExtensionNotices
from jarvis_desktop.app.extension_picture import Look, as_written, is_reserved, picture
from jarvis_desktop.app.extension_running import Running
from jarvis_desktop.app.extension_words import file_sentence
from jarvis_desktop.core.extensions.user_tool import UserTool, fitting
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.events import Event, TurnEnded, TurnStarted
from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    Extension,
    ExtensionKind,
    ExtensionState,
)
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.ports import Texts

READY_WITHIN_S = 5.0
"""How long a turn waits for files to be read, and for code that was enabled just now."""

GOODBYE_S = 0.5

_Version: TypeAlias = tuple[str, str, frozenset[str]]
"""Name, digest and what runs unasked."""


@dataclass(frozen=True, slots=True)
class ShelfParts:
    """What the shelf works with."""

    home: Path
    rooms: ExtensionRooms
    builtin: frozenset[str]
    """Names of the tools of ours."""
    notices: ExtensionNotices
    context_tokens: Callable[[], int]
    """What a model reads at once."""
    texts: Texts
    changed: Callable[[], None]
    """Told after anything is something else; returns at once."""


class ToolShelf:
    """Fills ``Shelf``. A turn keeps what there was when it began."""

    def __init__(self, parts: ShelfParts) -> None:
        self._parts = parts
        self._files = ExtensionFiles(parts.home)
        self._ledger = ExtensionLedger(parts.home, parts.texts)
        self._versions: dict[_Version, Running] = {}
        self._old: list[Running] = []
        """A turn may still work with them."""
        self._starting: dict[_Version, asyncio.Task[None]] = {}
        self._shown: tuple[Extension, ...] = ()
        self._tools: tuple[UserTool, ...] = ()
        self._left_out: tuple[UserTool, ...] = ()
        """Tools for which the context has no room."""
        self._turns: set[TurnId] = set()
        self._beginning = False
        """The newest of them has done nothing yet."""
        self._looking = asyncio.Lock()
        self._look_at_begin: asyncio.Task[Sequence[Extension]] | None = None
        self._closed = False

    @property
    def folder(self) -> Path:
        """Where the files lie; it need not be there."""
        return self._files.folder

    @property
    def folders(self) -> Mapping[ExtensionKind, Path]:
        """Where tools lie."""
        return {ExtensionKind.TOOL: self.folder}

    async def look(self) -> Sequence[Extension]:
        """Every file; what is new has been told."""
        async with self._looking:
            files, read = await asyncio.to_thread(self._looked)
            await self._sort(files, read)
            if self._beginning or not self._turns:
                await self._settle()
            shown = self._all(files, read)
            news, self._shown = shown != self._shown, shown
        if news:
            await self._parts.notices.tell(shown)
            self._parts.changed()
        return shown

    async def begin_turn(self) -> None:
        """What counts now counts until the turn has ended; what it no longer needs has ended."""
        self._beginning = True
        try:
            await self._look_for_turn()
        finally:
            self._beginning = False

    async def _look_for_turn(self) -> None:
        # What it lacked may have been installed meanwhile.
        await self._end([version for version, one in self._versions.items() if one.has_no_room])
        looking = self._look_at_begin = asyncio.create_task(self.look())
        await asyncio.wait({looking}, timeout=READY_WITHIN_S)
        if not looking.done():
            return  # many files came at once, or slow ones: what they hold counts from the next turn
        await looking
        await self._started()

    async def ready(self) -> None:
        """What counts now has begun, or is not waited for any longer. Turns that run keep what they have."""
        await self.look()
        await self._started()

    async def _started(self) -> None:
        if self._starting:
            await asyncio.wait(self._starting.values(), timeout=READY_WITHIN_S)
            await self.look()

    @property
    def weight(self) -> int:
        """Characters that a model reads of all of them, about."""
        return sum(one.weight for one in self._tools)

    def tools(self) -> tuple[UserTool, ...]:
        """The tools of this turn."""
        return self._tools

    async def enable(self, wish: EnableExtension) -> None:
        """Let it run as it was shown.

        Raises:
            ExtensionRefusedError: it is gone, is something else by now, or cannot be enabled at all.
        """
        file, texts = await self._wanted(wish.name), self._parts.texts
        if file.trouble is not None:
            raise ExtensionRefusedError(file_sentence(file, texts))
        if file.digest != wish.digest:
            text = texts("{file} has changed since it was shown. Look at it again, then decide.")
            raise ExtensionRefusedError(text.format(file=file.path))
        declared = {one.name for one in file.functions if one.read_only and one.tool}
        if not wish.read_only <= declared:
            names = ", ".join(sorted(wish.read_only - declared))
            text = texts("{file} does not say that {names} only reads.")
            raise ExtensionRefusedError(text.format(file=file.path, names=names))
        await asyncio.to_thread(self._ledger.enable, _key(wish.name), file.digest, file.text, wish.read_only)
        await self._end([version for version in self._versions if version[0] == wish.name])  # failed, maybe
        await self.look()

    async def disable(self, wish: DisableExtension) -> None:
        """Let it run no more, not even in the turn that works with it; forget it where its file is gone.

        Raises:
            ExtensionRefusedError: nobody knows it, or that could not be written down.
        """
        async with self._looking:
            files, read = await asyncio.to_thread(self._looked)
        if is_gone(ExtensionKind.TOOL, wish.name, read, {one.name for one in files}):
            await asyncio.to_thread(self._ledger.forget, _key(wish.name))
        else:
            await self._wanted(wish.name)
            await asyncio.to_thread(self._ledger.disable, _key(wish.name))
        await self._end([version for version in self._versions if version[0] == wish.name])
        # What its file held before may be what the turn works with.
        await asyncio.gather(*(one.close() for one in self._old if one.file.name == wish.name))
        await self.look()

    def on_event(self, event: Event) -> None:
        """Follow turns."""
        if isinstance(event, TurnStarted):
            self._turns.add(event.turn_id)
        elif isinstance(event, TurnEnded):
            self._turns.discard(event.turn_id)

    async def close(self) -> None:
        """No code of the person's runs any more."""
        self._closed = True
        async with self._looking:
            await asyncio.gather(*(one.close() for one in (*self._versions.values(), *self._old)))
            starting = tuple(self._starting.values())
        if starting:
            await asyncio.wait(starting, timeout=GOODBYE_S)
            for task in starting:
                task.cancel()

    def _looked(self) -> tuple[tuple[FoundFile, ...], LedgerRead]:
        return self._files.look(), self._ledger.read()

    async def _wanted(self, name: str) -> FoundFile:
        async with self._looking:
            files, _ = await asyncio.to_thread(self._looked)
        found = next((one for one in files if one.name == name), None)
        if found is None:
            text = self._parts.texts("There is no {name} in {folder} any more.")
            raise ExtensionRefusedError(text.format(name=name, folder=self.folder))
        return found

    async def _sort(self, files: Sequence[FoundFile], read: LedgerRead) -> None:
        """Whatever counts is started; whatever counts no more is put aside for the turn that has it."""
        wanted = {}
        for file in files:
            entry = read.entries.get(_key(file.name))
            if (
                file.trouble is None
                and entry is not None
                and state_of(entry, file.digest) is ExtensionState.ENABLED
            ):
                wanted[_version(file, entry.read_only)] = file
        for version in self._versions.keys() - wanted.keys():
            self._old.append(self._versions.pop(version))
        for version, file in wanted.items():
            if version not in self._versions and not self._closed:
                made = self._versions[version] = Running(file, version[2], self._parts.rooms)
                self._starting[version] = asyncio.create_task(self._start(version, made))

    async def _start(self, version: _Version, made: Running) -> None:
        try:
            await made.start()
        finally:
            del self._starting[version]
        if not self._closed:  # what broke off with the end of the program is no news
            await self.look()

    async def _settle(self) -> None:
        """Between two turns: what is new counts, what is old ends."""
        builtin = self._parts.builtin
        tools: dict[str, UserTool] = {}
        for one in self._by_file():
            for tool in one.tools(as_written(one.file.path), builtin):
                if not is_reserved(tool.name):
                    tools.setdefault(tool.name, tool)
        kept, self._left_out = fitting(tuple(tools.values()), self._parts.context_tokens())
        self._tools = kept
        old, self._old = self._old, []
        await asyncio.gather(*(one.close() for one in old))

    async def _end(self, versions: Sequence[_Version]) -> None:
        ended = [self._versions.pop(version) for version in versions]
        await asyncio.gather(*(one.close() for one in ended))

    def _all(self, files: Sequence[FoundFile], read: LedgerRead) -> tuple[Extension, ...]:
        owners = _owners(self._by_file())
        lost = gone(ExtensionKind.TOOL, read, {one.name for one in files}, self.folder)
        return (*(self._picture(file, read, owners) for file in files), *lost)

    def _picture(self, file: FoundFile, read: LedgerRead, owners: Mapping[str, FoundFile]) -> Extension:
        entry = read.entries.get(_key(file.name))
        version = None if entry is None else _version(file, entry.read_only)
        running = None if version is None else self._versions.get(version)
        look = Look(
            file,
            entry,
            running,
            read.problem,
            {name: owner for name, owner in owners.items() if owner.path != file.path},
            self._parts.builtin,
            tuple(one.name for one in self._left_out if one.file == file.name),
        )
        return picture(look, self._parts.texts)

    def _by_file(self) -> list[Running]:
        return sorted(self._versions.values(), key=lambda one: one.file.path)


def _version(file: FoundFile, read_only: frozenset[str]) -> _Version:
    return (file.name, file.digest, read_only)


def _owners(running: Sequence[Running]) -> Mapping[str, FoundFile]:
    """Which file brings the tool of each name: the first of them."""
    owners: dict[str, FoundFile] = {}
    for one in running:
        for name in one.described.parameters if one.described is not None else ():
            owners.setdefault(name, one.file)
    return owners


def _key(name: str) -> tuple[ExtensionKind, str]:
    return (ExtensionKind.TOOL, name)
