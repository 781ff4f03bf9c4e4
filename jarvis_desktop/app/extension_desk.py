"""The extensions' desk: tells windows what people added, and enables it when a person says so."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, assert_never

from jarvis_desktop.app.task_desk import TaskDesk
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    Extension,
    ExtensionCommand,
    ExtensionKind,
    ExtensionsChanged,
    ExtensionsLooked,
    ExtensionState,
    ExtensionWishRefused,
    ImportServers,
    LookAtExtensions,
    RemoveServer,
)
from jarvis_desktop.core.ports import Emit

WAITS = (ExtensionState.WAITING, ExtensionState.CHANGED)


class Shelf(Protocol):
    """Extensions of one or more kinds."""

    @property
    def folders(self) -> Mapping[ExtensionKind, Path]:
        """Where files of each kind lie; for servers the file that names them."""

    async def look(self) -> Sequence[Extension]:
        """Everything there is now."""

    async def enable(self, wish: EnableExtension) -> None:
        """Let it run as it was shown.

        Raises:
            ExtensionRefusedError: it is not there any more, or is something else by now.
        """

    async def disable(self, wish: DisableExtension) -> None:
        """Let it run no more.

        Raises:
            ExtensionRefusedError: it is not there any more, or that could not be written down.
        """


class ServerShelf(Shelf, Protocol):
    """MCP servers, which people name in the settings."""

    async def import_servers(self, wish: ImportServers) -> None:
        """Add them to the settings.

        Raises:
            ExtensionRefusedError: the text is no such JSON, or a name is taken.
        """

    async def remove(self, wish: RemoveServer) -> None:
        """Take one out of the settings.

        Raises:
            ExtensionRefusedError: there is none of that name, or the settings could not be written.
        """


class ExtensionDesk(TaskDesk[ExtensionCommand]):
    """Obeys ``ExtensionCommand``s."""

    def __init__(self, shelves: Sequence[Shelf], servers: ServerShelf | None, emit: Emit) -> None:
        """servers: None where this program has no MCP servers."""
        super().__init__()
        self._servers = servers
        self._shelves: tuple[Shelf, ...] = (*shelves, servers) if servers else tuple(shelves)
        self._emit = emit

    def changed(self) -> None:
        """Something changed by itself: whoever shows extensions will look again; returns at once."""
        self._begin(self._tell_in_turn())

    async def look(self) -> tuple[Extension, ...]:
        """Everything there is now."""
        return tuple([one for shelf in self._shelves for one in await shelf.look()])

    async def tell_changed(self) -> None:
        """Something changed by itself: whoever shows extensions looks again."""
        await self._emit(ExtensionsChanged(sum(one.state in WAITS for one in await self.look())))

    async def _tell_in_turn(self) -> None:
        async with self._changing:
            await self.tell_changed()

    async def _do(self, command: ExtensionCommand) -> None:
        async with self._changing:
            match command:
                case LookAtExtensions(number):
                    folders = {kind: path for shelf in self._shelves for kind, path in shelf.folders.items()}
                    await self._emit(ExtensionsLooked(number, await self.look(), folders))
                case EnableExtension(kind, name) | DisableExtension(kind, name):
                    await self._try(command, kind, name)
                case ImportServers():
                    await self._try(command, ExtensionKind.SERVER, "")
                case RemoveServer(name):
                    await self._try(command, ExtensionKind.SERVER, name)
                case _:
                    assert_never(command)

    async def _try(
        self,
        command: EnableExtension | DisableExtension | ImportServers | RemoveServer,
        kind: ExtensionKind,
        name: str,
    ) -> None:
        try:
            await self._change(command)
        except ExtensionRefusedError as error:
            await self._emit(ExtensionWishRefused(kind, name, str(error)))
        await self.tell_changed()

    async def _change(
        self, command: EnableExtension | DisableExtension | ImportServers | RemoveServer
    ) -> None:
        match command:
            case EnableExtension(kind):
                for shelf in self._of(kind):
                    await shelf.enable(command)
            case DisableExtension(kind):
                for shelf in self._of(kind):
                    await shelf.disable(command)
            case ImportServers() if self._servers:
                await self._servers.import_servers(command)
            case RemoveServer() if self._servers:
                await self._servers.remove(command)

    def _of(self, kind: ExtensionKind) -> tuple[Shelf, ...]:
        return tuple(shelf for shelf in self._shelves if kind in shelf.folders)
