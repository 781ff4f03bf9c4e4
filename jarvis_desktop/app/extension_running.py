"""One enabled file of tools: the processes that hold it, and what it says it offers."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from jarvis_desktop.adapters.extension_files import FoundFile
from jarvis_desktop.adapters.extension_process import Code, Described, Worker, WorkerError, WorkerTrouble
from jarvis_desktop.adapters.extension_room import ExtensionRooms
from jarvis_desktop.core.extensions.mcp_offer import cleaned
from jarvis_desktop.core.extensions.user_tool import Offer, UserTool, user_tool
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.extensions import Added, ExtensionKind
from jarvis_desktop.core.ports.extensions import CallAnswer

LONGEST_PURPOSE, LONGEST_REMARK = 1_000, 300
"""Characters that a model reads in every request of a docstring, and of what it says about a parameter."""


class Running:
    """Exactly the bytes that a person enabled. Fills ``ToolWorker``."""

    def __init__(self, file: FoundFile, read_only: frozenset[str], rooms: ExtensionRooms) -> None:
        """read_only: functions that a person enabled as ones that change nothing."""
        self.file = file
        self.read_only = read_only
        tools = tuple(one.name for one in file.functions if one.tool)
        code = Code(ExtensionKind.TOOL, file.name, file.path, file.source, tools)
        # What nobody is asked about can write nothing but its own folder, whatever it says of itself.
        self._confined = Worker(code, rooms)
        self._trusted = Worker(code, rooms, writes=True)
        self.described: Described | None = None
        self.failure: WorkerError | None = None

    async def start(self) -> None:
        """It is known what it offers, or why it does not work. Never raises."""
        try:
            self.described = await self._confined.describe()
        except WorkerError as error:
            self.failure = error
        await self._confined.rest()  # it may never be called

    @property
    def has_no_room(self) -> bool:
        """Nothing confines it here, or did not when it was to start."""
        return self.failure is not None and self.failure.kind is WorkerTrouble.NO_ROOM

    def tools(self, path: str, standing_in: frozenset[str]) -> tuple[UserTool, ...]:
        """Its functions as tools.

        path: the file as people write it. standing_in: names of built-in tools.
        """
        if self.described is None:
            return ()
        found = []
        for one in self.file.functions:
            schema = self.described.parameters.get(one.name)
            if schema is None:
                continue
            added = Added(ExtensionKind.TOOL, self.file.name, path, self.file.digest, one.name in standing_in)
            parameters = _explained(schema, one.parameters)
            purpose = cleaned(one.purpose, LONGEST_PURPOSE)
            offer = Offer(one.name, purpose, parameters, one.name in self.read_only, added)
            found.append(user_tool(offer, self))
        return tuple(found)

    async def call(self, function: str, arguments: Mapping[str, Json], cwd: Path) -> CallAnswer:
        """What the function came to."""
        worker = self._confined if function in self.read_only else self._trusted
        return await worker.call(function, arguments, cwd)

    async def close(self) -> None:
        """Nothing of it runs any more, nor will."""
        await asyncio.gather(self._confined.close(), self._trusted.close())


def _explained(schema: Mapping[str, Json], said: Mapping[str, str]) -> Mapping[str, Json]:
    """The schema, with what the docstring says about the parameters."""
    properties = schema.get("properties")
    named = properties if isinstance(properties, dict) else {}
    filled = {
        name: {"description": cleaned(said[name], LONGEST_REMARK), **one}
        if name in said and isinstance(one, dict)
        else one
        for name, one in named.items()
    }
    return {**schema, "properties": filled}
