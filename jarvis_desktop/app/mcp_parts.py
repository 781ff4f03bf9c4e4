"""MCP servers of this start: how one is connected, from its settings and this machine."""

import asyncio
import shutil
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from pydantic import ValidationError

from jarvis_desktop.adapters.extension_room import ExtensionRooms, started
from jarvis_desktop.adapters.secret_variables import whole_environment
from jarvis_desktop.app.mcp_keeper import Connect, Kept
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.extensions import ExtensionKind
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.server_settings import ServerSettings, filled, variables

if TYPE_CHECKING:
    from jarvis_desktop.adapters.mcp_client import McpConnection

CLIENT = "jarvis_desktop.adapters.mcp_client"
CACHES = {"XDG_CACHE_HOME": "cache", "npm_config_cache": "npm"}
"""Programs that fetch servers keep them in the server's own folder, not in the room's fleeting one."""


def connecting(
    rooms: ExtensionRooms, texts: Texts, environ: Callable[[], Mapping[str, str]] = whole_environment
) -> Connect:
    """Connects to one server at a time; the SDK is loaded at the first one, in a thread."""

    async def connect(kept: Kept) -> "McpConnection":
        settings = _with_variables(kept, environ(), texts)
        await asyncio.to_thread(import_module, CLIENT)
        from jarvis_desktop.adapters.mcp_client import McpConnection, quiet_the_sdk
        from jarvis_desktop.adapters.mcp_transport import over_http, over_pipes, over_sse

        quiet_the_sdk()
        if settings.url:
            old = settings.transport == "sse"
            opening = (over_sse if old else over_http)(settings.url, settings.headers)
            return McpConnection(opening, handshake=old)
        return McpConnection(over_pipes(_starting(kept.name, settings, rooms, texts)), handshake=False)

    return connect


def _with_variables(kept: Kept, environ: Mapping[str, str], texts: Texts) -> ServerSettings:
    missing = [name for name in variables(kept.settings) if name not in environ]
    if missing:
        text = texts(
            "The variable {variable} is not set. Set it before Jarvis starts, then start Jarvis again."
        )
        raise UserFixableError(text.format(variable=missing[0]))
    try:
        return filled(kept.settings, environ)
    except ValidationError as error:
        text = texts("With its variables' values this is no address or program: {names}.")
        raise UserFixableError(text.format(names=", ".join(variables(kept.settings)))) from error


def _starting(
    name: str, settings: ServerSettings, rooms: ExtensionRooms, texts: Texts
) -> Callable[[], Awaitable[Process]]:
    async def start() -> Process:
        from jarvis_desktop.adapters.mcp_transport import MOST_MESSAGE_BYTES

        own = rooms.data_folder(ExtensionKind.SERVER, name)
        env = {**{variable: str(own / folder) for variable, folder in CACHES.items()}, **settings.env}
        there = ("env", f"--chdir={settings.cwd}") if settings.cwd else ()
        program = (*there, settings.command, *settings.args)
        lodged = await rooms.room(program, ExtensionKind.SERVER, name, env=env)
        path = lodged.env.get("PATH")
        if await asyncio.to_thread(shutil.which, settings.command, path=path) is None:
            text = texts(
                "There is no program called {command}. Install it, or mend the command in settings.yaml."
            )
            raise UserFixableError(text.format(command=settings.command))
        return await started(lodged, MOST_MESSAGE_BYTES)

    return start
