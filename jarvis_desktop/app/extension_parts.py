"""Skills and tools that people add, put together; plugins have parts of their own."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from jarvis_desktop.adapters.bwrap_sandbox import BwrapSandbox
from jarvis_desktop.adapters.extension_room import ExtensionRooms
from jarvis_desktop.adapters.folder_watch import FolderWatch
from jarvis_desktop.app.extension_desk import Shelf
from jarvis_desktop.app.extension_notices import ExtensionNotices
from jarvis_desktop.app.extension_picture import is_reserved
from jarvis_desktop.app.extension_shelf import ShelfParts, ToolShelf
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.mcp_notices import McpNotices
from jarvis_desktop.app.mcp_parts import connecting
from jarvis_desktop.app.mcp_shelf import McpParts, McpShelf
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.skill_desk import SkillDesk
from jarvis_desktop.app.skill_parts import open_skills
from jarvis_desktop.app.skill_shelf import SkillExtensions
from jarvis_desktop.core.extensions.user_tool import CONTEXT_SHARE_CHARS
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.ports import Clock, Emit
from jarvis_desktop.core.turn.tool_registry import AnyTool

log = logging.getLogger(__name__)

SETTLE_S = 0.1
"""Editors write a file in several steps; looking between two of them would tell of trouble that is none."""
WATCHED_AGAIN_S = 5.0
"""How often the setting, and folders that are made later, are looked for."""


@dataclass(frozen=True, slots=True)
class AddedNeighbours:
    """What it all works with."""

    live: LiveSettings
    sandbox: BwrapSandbox
    tools: Sequence[AnyTool]
    """Our own."""
    changed: Callable[[], None]
    """Told after what there is, or how it is, is something else; returns at once."""
    stays: bool
    """The program goes on after its first request; False for a single one of the command line."""


@dataclass(frozen=True, slots=True)
class Extensions:
    """Skills and tools that people added."""

    skills: SkillDesk
    code: ToolShelf
    shelves: tuple[Shelf, ...]
    servers: McpShelf
    clock: Clock
    settings: LiveSettings
    stays: bool
    glances: "set[asyncio.Task[None]]" = field(default_factory=set)
    """The look that is under way, if there is one."""

    def with_tools(self, ours: Callable[[], Sequence[AnyTool]]) -> Callable[[], Sequence[AnyTool]]:
        """Our tools, servers', and then those of the person; of one name, the later one counts.

        A server's has no name of ours, and gives way to the person's own.
        """
        return lambda: (*ours(), *self.servers.tools(), *self.code.tools())

    async def look(self) -> None:
        """What changed has been told; it counts from the next turn."""
        await self.skills.look()
        await self.code.look()
        await self.servers.look()

    def glance(self) -> None:
        """What changed will have been told; returns at once."""
        if not self.glances:
            task = asyncio.create_task(self.look())
            self.glances.add(task)
            task.add_done_callback(self.glances.discard)

    async def begin_turn(self) -> None:
        """A turn begins now and keeps what there is."""
        await asyncio.gather(self._servers_ready(), self.code.begin_turn())
        await self.servers.begin_turn()

    async def ready(self) -> None:
        """What is enabled has begun, or is not waited for any longer; turns that run keep what they have."""
        await asyncio.gather(self.code.ready(), self._servers_ready())

    async def _servers_ready(self) -> None:
        # Where the program goes on, a server comes when it comes. A single request has no later turn.
        if not self.stays:
            await self.servers.ready()

    async def run(self) -> None:
        """Look as soon as a file changes, without end."""
        await asyncio.gather(self.skills.run(), self._watch(), self.servers.run())

    def on_event(self, event: Event) -> None:
        """Follow turns and settings."""
        self.skills.on_event(event)
        self.code.on_event(event)
        self.servers.on_event(event)

    async def close(self) -> None:
        """No code of the person's runs any more."""
        for task in self.glances:
            task.cancel()
        await asyncio.gather(self.code.close(), self.servers.close())

    async def _watch(self) -> None:
        loop, changed = asyncio.get_running_loop(), asyncio.Event()
        watch = FolderWatch(self.code.folder, lambda: _tell(loop, changed))
        try:
            while True:
                on = self.settings.now.plugin.watch_files
                await asyncio.to_thread(watch.keep_up if on else watch.close)
                if on:  # besides, the folder may be new, and another program may have enabled something
                    await self.code.look()
                with suppress(TimeoutError):
                    async with asyncio.timeout(WATCHED_AGAIN_S):
                        await changed.wait()
                    await self.clock.sleep(SETTLE_S)
                    changed.clear()
        finally:
            watch.close()


def open_extensions(start: Start, clock: Clock, emit: Emit, near: AddedNeighbours) -> Extensions:
    """Nothing is read yet."""
    texts, home, live = start.texts, start.home, near.live
    rooms = ExtensionRooms(
        home, near.sandbox, texts, network=lambda: live.now.security.sandbox_network != "off"
    )
    notices = ExtensionNotices(clock, texts, emit)
    builtin = frozenset(tool.name for tool in near.tools)

    def context_tokens() -> int:
        return live.now.model.context_tokens

    code = ToolShelf(ShelfParts(home, rooms, builtin, notices, context_tokens, texts, near.changed))
    skills = open_skills(start, clock, live, emit, near.changed)

    def taken(name: str) -> bool:
        return name in builtin or is_reserved(name) or any(tool.name == name for tool in code.tools())

    about = McpParts(
        home,
        connecting(rooms, texts),
        taken,
        lambda: max(0, context_tokens() - code.weight // CONTEXT_SHARE_CHARS),  # what the person's own leave
        live.rewrite,
        McpNotices(clock, texts, emit),
        clock,
        texts,
        near.changed,
    )
    servers = McpShelf(about)
    live.add_reader(servers.look)
    return Extensions(skills, code, (code, SkillExtensions(skills, texts)), servers, clock, live, near.stays)


def _tell(loop: asyncio.AbstractEventLoop, changed: asyncio.Event) -> None:
    try:
        loop.call_soon_threadsafe(changed.set)
    except RuntimeError:
        log.info("a file changed after the end")
