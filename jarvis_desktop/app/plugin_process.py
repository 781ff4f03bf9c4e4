"""One enabled plugin: its process, what is known of it, and its hooks as turns call them."""

import asyncio
from collections.abc import Collection, Mapping
from types import MappingProxyType

from jarvis_desktop.adapters.extension_files import FoundFile
from jarvis_desktop.adapters.extension_process import Code, Worker, WorkerError, WorkerTrouble
from jarvis_desktop.adapters.extension_room import ExtensionRooms
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.errors import PluginFailedError, PluginGoneError
from jarvis_desktop.core.items.extensions import ExtensionKind
from jarvis_desktop.core.items.hooks import Hook, HookTrouble

HOOK_S = 3.0
"""Somebody waits for every hook. One that looks at what it is given takes milliseconds; after 3 s of silence
people are told to wait for the model, too."""
LOADING_S = 20.0
"""A process that begins: room, Python and the file's own imports, right after the session on a slow disk."""
AGAIN_S = 5.0
"""One that begins anew in the middle of a turn: all of that was read before."""

_TROUBLES: Mapping[WorkerTrouble, HookTrouble] = MappingProxyType(
    {
        WorkerTrouble.RAISED: HookTrouble.RAISED,
        WorkerTrouble.WRONG_ARGUMENTS: HookTrouble.RAISED,
        WorkerTrouble.TIMED_OUT: HookTrouble.TIMED_OUT,
        WorkerTrouble.TOO_LARGE: HookTrouble.NONSENSE,
        WorkerTrouble.NONSENSE: HookTrouble.NONSENSE,
    }
)
"""All others: its process ended, or cannot be had."""


class PluginProcess:
    """Fills ``Plugin``. The process begins with ``load`` and stays until ``close``."""

    def __init__(self, file: FoundFile, rooms: ExtensionRooms) -> None:
        self.file = file
        self.trouble = ""
        """What went wrong last, in the app's language."""
        self.off = False
        """It counts no more until its file is another one or a person enables it anew."""
        self.held = 0
        """Running turns that began with it."""
        self.loading: asyncio.Task[None] | None = None
        hooks = tuple(hook.value for hook in Hook)
        code = Code(ExtensionKind.PLUGIN, file.name, file.path, file.source, hooks=hooks)
        self._worker = Worker(code, rooms)
        self._hooks: frozenset[Hook] = frozenset()
        self._gone = False

    @property
    def name(self) -> str:
        """Its file's name without the ending."""
        return self.file.name

    @property
    def digest(self) -> str:
        """Of its file, in hexadecimal."""
        return self.file.digest

    @property
    def hooks(self) -> Collection[Hook]:
        """Those that it has; none before it was loaded."""
        return self._hooks

    @property
    def ready(self) -> bool:
        """Turns may call it."""
        return bool(self._hooks) and not self.off and not self._gone

    async def load(self) -> None:
        """Its hooks are known.

        Raises:
            WorkerError: it cannot be run; the kind and the detail say why.
        """
        described = await self._worker.describe(LOADING_S)
        self._hooks = frozenset(hook for hook in Hook if hook.value in described.hooks)

    async def call(self, hook: Hook, payload: Mapping[str, Json]) -> Json:
        """What its function returned; see ``Plugin``."""
        if self._gone:
            raise PluginGoneError
        try:
            async with asyncio.timeout(AGAIN_S + HOOK_S):
                return await self._worker.hook(hook.value, payload, HOOK_S)
        except (WorkerError, TimeoutError) as error:
            if self._gone:
                raise PluginGoneError from error
            if isinstance(error, TimeoutError):
                raise PluginFailedError(HookTrouble.TIMED_OUT) from error
            trouble = _TROUBLES.get(error.kind, HookTrouble.ENDED)
            said = error.detail if trouble is HookTrouble.RAISED else str(error)
            raise PluginFailedError(trouble, said) from error

    async def end(self) -> None:
        """The process is gone and does not come again; what is known of it stays."""
        await self._worker.close()

    async def close(self) -> None:
        """The process is gone; calls that wait for it end as ones of a plugin that is gone."""
        self._gone = True
        if self.loading is not None:
            self.loading.cancel()
        await self._worker.close()
