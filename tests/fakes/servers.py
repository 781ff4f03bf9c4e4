"""Fills ``Servers`` without a server."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from jarvis_desktop.core.extensions.mcp_offer import Described, offer
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.ports.servers import ServerAnswer, ServerTool, ServerTrouble

OBJECT: Mapping[str, Json] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
}


def described(
    name: str = "echo", description: str = "Says it again.", schema: Mapping[str, Json] = OBJECT
) -> ServerTool:
    """The only tool of a server called ``box`` that says this about it."""
    return offer("box", "id", [Described(name, description, schema)]).tools[0]


@dataclass
class FakeServers:
    """Answers as told, and remembers what it was asked."""

    answer: ServerAnswer | ServerTrouble = field(default_factory=lambda: ServerAnswer("done"))
    now: dict[str, str] = field(default_factory=dict)
    """Definitions that are other ones by now."""
    asked: list[tuple[str, Mapping[str, Json]]] = field(default_factory=list)

    def definition(self, tool: ServerTool) -> str:
        return self.now.get(tool.name, tool.definition)

    async def call(self, tool: ServerTool, arguments: Mapping[str, Json]) -> ServerAnswer | ServerTrouble:
        self.asked.append((tool.theirs, arguments))
        return self.answer
