"""MCP servers: programs and addresses that bring tools."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from jarvis_desktop.core.items.calls import Json


@dataclass(frozen=True, slots=True)
class ServerTool:
    """One tool of a server. All but ``server`` and ``name`` was written by strangers, and cleaned."""

    server: str
    theirs: str
    """Its name as the server knows it."""
    name: str
    """As agents call it: the server's name before the tool's, in letters that every model writes."""
    description: str
    schema: Mapping[str, Json] = field(hash=False)
    """JSON schema of an object."""
    definition: str
    """Digest of the server and of all that it says about the tool, uncleaned."""

    @property
    def weight(self) -> int:
        """Characters that a model reads of it, about."""
        return len(self.name) + len(self.description) + len(json.dumps(self.schema))


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """What a server answered. All of it was written by strangers."""

    text: str
    failed: bool = False
    """It says itself that the call failed."""


@dataclass(frozen=True, slots=True)
class ServerTrouble:
    """Nothing came of it."""

    why: str
    """A sentence for the model; it holds nothing that a server said."""


class Servers(Protocol):
    """The servers that people enabled."""

    def definition(self, tool: ServerTool) -> str:
        """What its digest is now; empty when the tool is gone or may not run any more."""

    async def call(self, tool: ServerTool, arguments: Mapping[str, Json]) -> ServerAnswer | ServerTrouble:
        """What came of it, within the server's time for one call; on cancellation the server is told."""
